import type { LoggedCommand } from '../../../messages/commands.ts';
import { type KeyScope, ofNoBrand, type Position, retentionMs } from '../keys/idempotency.ts';
import type { LaneState } from './lane-state.ts';

/** Whose the command's key is. */
export function keyScopeOf({ rules, keyScopes }: LaneState, command: LoggedCommand): KeyScope {
  return rules.keysAreOfBrands && command.kind === 'Contribute' ? keyScopes.of(command.brand) : ofNoBrand;
}

/** Where a key was met first; null: unknown. `brand` empty: a change by an administrator. */
export function firstUse(state: LaneState, key: Uint8Array, brand: string, hash?: number): Position | null {
  const { debits, keys, keyScopes, nowMs, rules } = state;
  if (!rules.keysAreOfBrands)
    return positionOf(debits.withKey(key, null)) ?? keys.find(key, ofNoBrand, nowMs, hash);
  if (brand === '') return keys.find(key, ofNoBrand, nowMs, hash);
  const found = positionOf(debits.withKey(key, brand)) ?? keys.find(key, keyScopes.of(brand), nowMs, hash);
  return found ?? (hasFormerKeys(state) ? keys.find(key, ofNoBrand, nowMs) : null);
}

function positionOf(open: Position | null): Position | null {
  return open === null ? null : { sequence: open.sequence, index: open.index };
}

/** Whether keys may still be there that were stored before keys were brands'. */
function hasFormerKeys({ keysOfBrandsSinceMs, nowMs }: LaneState): boolean {
  return keysOfBrandsSinceMs !== null && nowMs < keysOfBrandsSinceMs + retentionMs;
}
