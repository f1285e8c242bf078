import type { AdministratorPrincipal } from '../../access/principal.ts';
import type { AuditChange } from '../../audit/entry.ts';
import { brandPath, isBrandPath } from '../../contracts/identifiers.ts';
import type { GatewayContext, OperationRequest } from '../operation.ts';

/** Accounts that a request names, by what they are. */
export type AccountState = ReadonlyMap<string, unknown>;

/**
 * What KV ACCOUNTS has of the user or brand that a request names, or of the caller: the state before and after an
 * operation. Secrets are left out when the entry is written.
 */
export function accountState(
  { params, body, principal }: OperationRequest,
  { access }: Pick<GatewayContext, 'access'>,
): AccountState {
  const named = { ...(typeof body === 'object' ? body : {}), ...params } as {
    readonly username?: unknown;
    readonly operator_id?: unknown;
    readonly brand_id?: unknown;
  };
  const { subject } = principal as unknown as AdministratorPrincipal;
  const state = new Map<string, unknown>();
  for (const user of new Set([subject, ...(typeof named.username === 'string' ? [named.username] : [])])) {
    state.set(`administrator ${user}`, access.accounts.find('administrator', user));
    state.set(`service user ${user}`, access.accounts.find('service', user));
    state.set(`keys of ${user}`, keysOf(access, user));
  }
  if (typeof named.brand_id === 'string' && typeof named.operator_id === 'string') {
    const brand = isBrandPath(named.brand_id) ? named.brand_id : brandPath(named.operator_id, named.brand_id);
    state.set(`wallet ${brand}`, access.wallets.shown(brand));
  }
  return state;
}

/** What differs between two states. */
export function changedAccounts(before: AccountState, after: AccountState): AuditChange[] {
  return [...after].flatMap(([object, now]) => {
    const was = before.get(object);
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    return [{ object, before: was ?? null, after: now ?? null }];
  });
}

function keysOf({ requestKeys }: GatewayContext['access'], user: string): readonly string[] | undefined {
  const ids = requestKeys.idsOf(user);
  return ids.length === 0 ? undefined : ids;
}
