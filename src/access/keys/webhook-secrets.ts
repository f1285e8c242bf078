import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { Table } from '../../ports.ts';
import { type AccountStore, openAccountStore } from '../accounts/account-store.ts';
import { openSealerOf, type SealerOptions } from './required-key.ts';
import type { Sealer } from './seal.ts';

/** Secrets that webhooks are signed with (O1), followed in memory from KV ACCOUNTS. */
export interface WebhookSecrets {
  /** The brand's secret, else its operator's; null if neither has one. */
  secretFor(brand: string): string | null;
  /** `owner`: an operator's id or a brand path. @throws LogError on outages, AccountContention */
  set(owner: string, secret: string, nowMs: number): Promise<void>;
}

/** A shorter secret can be guessed. */
const minSecretCharacters = 16;
const maxSecretCharacters = 1024;

/** Whether a signing secret has 16 to 1,024 characters. */
export function isAcceptableSecret(secret: string): boolean {
  return secret.length >= minSecretCharacters && secret.length <= maxSecretCharacters;
}

/** Webhook secrets, sealed in the account store (docs/rules/http.md "Secrets"). */
export function createWebhookSecrets(accounts: AccountStore, sealer: Sealer): WebhookSecrets {
  return {
    secretFor(brand) {
      for (const owner of [brand, operatorOf(brand)]) {
        const entry = accounts.find('webhook', owner);
        if (entry !== undefined) return sealer.open(entry.sealed, label(owner));
      }
      return null;
    },
    set: (owner, secret, nowMs) =>
      accounts.set('webhook', owner, { sealed: sealer.seal(secret, label(owner)), updated: nowMs }),
  };
}

/** Webhook secrets for a role without logins, from KV ACCOUNTS. @throws SealKeyError, LogError on outages */
export async function openWebhookSecrets(
  table: Table,
  options: SealerOptions,
): Promise<WebhookSecrets & { stop(): Promise<void> }> {
  const accounts = await openAccountStore(table);
  const secrets = createWebhookSecrets(accounts, openSealerOf(accounts, options));
  return { ...secrets, stop: () => accounts.stop() };
}

const label = (owner: string) => `webhook.${owner}`;
