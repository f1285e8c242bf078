import type { IdentityProviderEntry } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Sealer } from './seal.ts';

/** Where administrators of an operator may log in, with its secret in the clear: never show or log it. */
export interface IdentityProvider {
  readonly operator: string;
  readonly id: string;
  /** As the provider itself writes it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The identity providers of all operators (OpenID Connect), sealed in KV ACCOUNTS. docs/decisions/0501 */
export interface IdentityProviders {
  /** undefined: the operator has none, or one that was sealed under a key that is lost. */
  find(operator: string): IdentityProvider | undefined;
  /** Without the secret. */
  shown(operator: string): Pick<IdentityProvider, 'issuer' | 'clientId'> | undefined;
  /**
   * Replaces the provider once `may` agrees to the revision of the present one; 0: there is none. One with
   * the same id stays as it is: an earlier attempt has stored it. False: another writer was faster.
   * @throws LogError, and what `may` throws
   */
  set(provider: IdentityProvider, nowMs: number, may: (revision: number) => Promise<void>): Promise<boolean>;
  /** False: there was none. @throws LogError */
  remove(operator: string): Promise<boolean>;
}

/** Identity providers of the account store. */
export function createIdentityProviders(accounts: AccountStore, sealer: Sealer): IdentityProviders {
  return {
    find(operator) {
      const entry = accounts.find('provider', operator);
      if (entry === undefined) return undefined;
      try {
        const clientSecret = sealer.open(entry.sealed, labelOf(operator, entry));
        return { ...publicPart(entry), operator, id: entry.id, clientSecret };
      } catch {
        return undefined;
      }
    },
    shown(operator) {
      const entry = accounts.find('provider', operator);
      return entry === undefined ? undefined : publicPart(entry);
    },
    async set({ operator, id, issuer, clientId, clientSecret }, nowMs, may) {
      const present = await accounts.read('provider', operator);
      if (present?.value.id === id) return true;
      const revision = present?.revision ?? 0;
      await may(revision);
      const sealed = sealer.seal(clientSecret, labelOf(operator, { id, issuer }));
      const entry = { id, issuer, client_id: clientId, sealed, updated: nowMs };
      return accounts.replace('provider', operator, entry, revision);
    },
    remove: (operator) => accounts.remove('provider', operator),
  };
}

function publicPart({ issuer, client_id }: IdentityProviderEntry) {
  return { issuer, clientId: client_id };
}

/** A sealed secret opens for its own issuer only: a writer of the table sends it to no other one. */
const labelOf = (operator: string, { id, issuer }: Pick<IdentityProviderEntry, 'id' | 'issuer'>) =>
  `identity-provider.${operator}.${id}.${issuer}`;
