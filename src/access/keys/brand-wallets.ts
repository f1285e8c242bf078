import type { Table } from '../../ports.ts';
import type { WalletEntry } from '../accounts/account-entries.ts';
import { type AccountStore, openAccountStore } from '../accounts/account-store.ts';
import { openSealerOf, type SealerOptions } from './required-key.ts';
import type { Sealer } from './seal.ts';

/** A brand's wallet with its secrets in the clear: never show or log it (docs/rules/http.md "Secrets"). */
export interface WalletSettings {
  /** Brand path. */
  readonly brand: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly bearerKey: string;
  readonly hmacSecret: string;
  /** W3's provider_id. */
  readonly providerId: string;
  /** A zero Credit closes a round without a win. */
  readonly closeRounds: boolean;
  /** Debits of its players share W4s. */
  readonly batchDebits: boolean;
  /** Decimal string in the brand's currency: wins above it wait for a person. null: no win waits. */
  readonly verificationLimit: string | null;
}

/** The wallets of all brands, followed in memory from KV ACCOUNTS. */
export interface BrandWallets {
  /** undefined: the brand has no wallet. @throws Error if this host's key does not open the seal */
  find(brand: string): WalletSettings | undefined;
  /** The settings without the secrets. */
  shown(brand: string): Omit<WalletSettings, 'bearerKey' | 'hmacSecret'> | undefined;
  /** Resolves when it is stored. @throws LogError on outages, AccountContention */
  set(settings: WalletSettings, nowMs: number): Promise<void>;
  /** Replaces the stored settings if `may` agrees to them. @throws LogError, AccountContention */
  replace(
    settings: WalletSettings,
    nowMs: number,
    may: (present: WalletSettings) => boolean,
  ): Promise<boolean>;
  /** Calls the listener after each change of any account entry. */
  onChange(listener: () => void): void;
}

/** Which brands have a wallet. `find` returns the same object until the brand's entry changes. */
export interface KnownWallets {
  find(brand: string): { readonly brand: string } | undefined;
}

/** Known wallets for processes that never call a wallet: no secret is opened. */
export function createKnownWallets(accounts: AccountStore): KnownWallets {
  const known = new Map<string, { readonly brand: string; readonly revision: number }>();
  return {
    find(brand) {
      const revision = accounts.revision('wallet', brand);
      if (revision === undefined) {
        known.delete(brand);
        return undefined;
      }
      const wallet = known.get(brand);
      if (wallet?.revision === revision) return wallet;
      const current = { brand, revision };
      known.set(brand, current);
      return current;
    },
  };
}

/** Wallets of the account store. Opens the secrets of an entry when it is first used after a change. */
export function createBrandWallets(accounts: AccountStore, sealer: Sealer): BrandWallets {
  const opened = new Map<string, { readonly revision: number; readonly settings: WalletSettings }>();
  return {
    find(brand) {
      const entry = accounts.find('wallet', brand);
      const revision = accounts.revision('wallet', brand);
      if (entry === undefined || revision === undefined) {
        opened.delete(brand);
        return undefined;
      }
      const known = opened.get(brand);
      if (known?.revision === revision) return known.settings;
      const settings = openEntry(brand, entry, sealer);
      opened.set(brand, { revision, settings });
      return settings;
    },
    shown(brand) {
      const entry = accounts.find('wallet', brand);
      return entry === undefined ? undefined : publicPart(brand, entry);
    },
    set: (settings, nowMs) => accounts.set('wallet', settings.brand, sealEntry(settings, nowMs, sealer)),
    async replace(settings, nowMs, may) {
      const { brand } = settings;
      const mayReplace = (present: WalletEntry): boolean => {
        try {
          return may(openEntry(brand, present, sealer));
        } catch {
          return false;
        }
      };
      const stored = await accounts.update('wallet', brand, (present) =>
        mayReplace(present) ? sealEntry(settings, nowMs, sealer) : null,
      );
      return stored !== null;
    },
    onChange: (listener) => accounts.onChange(listener),
  };
}

/** Wallets for a role without logins, from KV ACCOUNTS. @throws SealKeyError, LogError on outages */
export async function openBrandWallets(
  table: Table,
  options: SealerOptions,
): Promise<BrandWallets & { stop(): Promise<void> }> {
  const accounts = await openAccountStore(table);
  const wallets = createBrandWallets(accounts, openSealerOf(accounts, options));
  return { ...wallets, stop: () => accounts.stop() };
}

function openEntry(brand: string, entry: WalletEntry, sealer: Sealer): WalletSettings {
  return {
    ...publicPart(brand, entry),
    bearerKey: sealer.open(entry.bearer_sealed, bearerLabel(brand)),
    hmacSecret: sealer.open(entry.hmac_sealed, hmacLabel(brand)),
  };
}

function sealEntry(settings: WalletSettings, nowMs: number, sealer: Sealer): WalletEntry {
  return {
    base_url: settings.baseUrl,
    provider_id: settings.providerId,
    close_rounds: settings.closeRounds,
    batch_debits: settings.batchDebits,
    verification_limit: settings.verificationLimit,
    bearer_sealed: sealer.seal(settings.bearerKey, bearerLabel(settings.brand)),
    hmac_sealed: sealer.seal(settings.hmacSecret, hmacLabel(settings.brand)),
    updated: nowMs,
  };
}

function publicPart(brand: string, entry: WalletEntry) {
  return {
    brand,
    baseUrl: entry.base_url,
    providerId: entry.provider_id,
    closeRounds: entry.close_rounds,
    batchDebits: entry.batch_debits,
    verificationLimit: entry.verification_limit,
  };
}

/** A sealed secret opens for its own brand and use only. */
const bearerLabel = (brand: string) => `wallet-bearer.${brand}`;
const hmacLabel = (brand: string) => `wallet-hmac.${brand}`;
