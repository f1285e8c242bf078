import { type AccountKind, accountShapes } from '../../../access/accounts/account-entries.ts';
import { newUsername } from '../../../access/accounts/user-names.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import type { AuditChange } from '../../../audit/entry.ts';
import { brandPath, isBrandPath } from '../../../contracts/fields/identifiers.ts';
import { withoutSecrets } from '../../../contracts/fields/secrets.ts';
import type { GatewayContext, OperationRequest } from '../operation/operation.ts';

/** Accounts that a request names, by what they are; with the kind of those that have secrets. */
type AccountState = ReadonlyMap<string, { readonly value: unknown; readonly kind?: AccountKind }>;

/** What KV ACCOUNTS has of the user or brand that a request names, or of the caller, secrets included. */
export function accountState(
  { params, body, principal }: OperationRequest,
  { access }: GatewayContext,
): AccountState {
  const named = { ...(typeof body === 'object' ? body : {}), ...params } as {
    readonly operator_id?: unknown;
    readonly brand_id?: unknown;
  };
  const administrator = principal as unknown as AdministratorPrincipal;
  const state = new Map<string, { value: unknown; kind?: AccountKind }>();
  const add = (object: string, kind: 'administrator' | 'service', user: string) =>
    state.set(object, { value: access.accounts.find(kind, user), kind });
  for (const user of new Set([administrator.subject, ...usersOf(administrator, params, body)])) {
    add(`administrator ${user}`, 'administrator', user);
    add(`service user ${user}`, 'service', user);
    state.set(`keys of ${user}`, { value: keysOf(access, user) });
    state.set(`second factor of ${user}`, { value: factorOf(access, user) });
  }
  if (typeof named.brand_id === 'string' && typeof named.operator_id === 'string') {
    const brand = isBrandPath(named.brand_id) ? named.brand_id : brandPath(named.operator_id, named.brand_id);
    state.set(`wallet ${brand}`, { value: access.wallets.shown(brand) });
    const certificate = access.accounts.find('certificate', brand);
    state.set(`certificate of the wallet ${brand}`, { value: certificate, kind: 'certificate' });
  }
  if (typeof named.operator_id === 'string') {
    const provider = access.accounts.find('provider', named.operator_id);
    state.set(`identity provider of ${named.operator_id}`, { value: provider, kind: 'provider' });
  }
  return state;
}

/** What differs between two states, without secrets. */
export function changedAccounts(before: AccountState, after: AccountState): AuditChange[] {
  return [...after].flatMap(([object, { value: now, kind }]) => {
    const was = before.get(object)?.value;
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    const shown = (value: unknown) =>
      (kind === undefined ? value : withoutSecrets(accountShapes[kind], value)) ?? null;
    return [{ object, before: shown(was), after: shown(now) }];
  });
}

/** The user that the path names, or the body of a request that creates one. */
function usersOf(by: AdministratorPrincipal, params: unknown, body: unknown): readonly string[] {
  const inPath = (params ?? {}) as { readonly username?: string };
  if (inPath.username !== undefined) return [inPath.username];
  const { username, owners, operator_id } = (body ?? {}) as {
    readonly username?: unknown;
    readonly owners?: readonly string[];
    readonly operator_id?: string;
  };
  if (typeof username !== 'string') return [];
  return [newUsername(by, username, owners ?? [operator_id ?? ''])];
}

function keysOf({ requestKeys }: GatewayContext['access'], user: string): readonly string[] | undefined {
  const ids = requestKeys.idsOf(user);
  return ids.length === 0 ? undefined : ids;
}

/** What of it changes with each code is no news. */
function factorOf({ accounts }: GatewayContext['access'], user: string): object | undefined {
  const factor = accounts.find('factor', user);
  return factor === undefined ? undefined : { id: factor.id, created: factor.created };
}
