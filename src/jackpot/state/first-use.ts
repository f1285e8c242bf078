import type { LoggedCommand } from '../../messages/commands.ts';
import { type Position, retentionMs } from './idempotency.ts';
import { type KeyScope, ofNoBrand } from './key-scope.ts';
import type { LaneState } from './lane-state.ts';

/** Whose the command's key is. */
export function keyScopeOf({ rules, keyScopes }: LaneState, command: LoggedCommand): KeyScope {
  return rules.keysAreOfBrands && command.kind === 'Contribute' ? keyScopes.of(command.brand) : ofNoBrand;
}

/**
 * Where a key was met first: at its answer, else at the contribution that still waits for its debit; null: it is not known (any more).
 * `brand`: of a contribution; '': a change by an administrator. `hash`: of the key, where it is known.
 */
export function firstUse(state: LaneState, key: Uint8Array, brand: string, hash?: number): Position | null {
  const { debits, keys, keyScopes, nowMs, rules } = state;
  const isOfBrand = rules.keysAreOfBrands && brand !== '';
  if (rules.keysAreOfBrands && !isOfBrand) return keys.find(key, ofNoBrand, nowMs, hash);
  const open = debits.withKey(key, isOfBrand ? brand : null);
  if (open !== null) return { sequence: open.sequence, index: open.index };
  if (!isOfBrand) return keys.find(key, ofNoBrand, nowMs, hash);
  const found = keys.find(key, keyScopes.of(brand), nowMs, hash);
  return found ?? (hasFormerKeys(state) ? keys.find(key, ofNoBrand, nowMs) : null);
}

/** Whether keys may still be there that were stored before keys were brands'. */
function hasFormerKeys({ keysOfBrandsSinceMs, nowMs }: LaneState): boolean {
  return keysOfBrandsSinceMs !== null && nowMs < keysOfBrandsSinceMs + retentionMs;
}
