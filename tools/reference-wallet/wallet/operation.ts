import type { WalletDatabase } from '../database/database.ts';
import type { FaultRules, WalletNumber } from '../faults/rules.ts';

/**
 * What an operation of the reference wallet answers; refusals have the error's shape (docs/rules/wallets.md
 * "Answers").
 */
export type WalletReply =
  | { readonly status: 200; readonly body: unknown }
  /** An answer that was written before, sent again byte for byte. */
  | { readonly status: 200; readonly text: string }
  | { readonly status: 204 }
  | WalletRefusal;

export interface WalletRefusal {
  readonly status: 400 | 401 | 404 | 405 | 413 | 422 | 503;
  readonly code: string;
  readonly message: string;
}

export interface WalletContext {
  readonly database: WalletDatabase;
  readonly faults: FaultRules;
  readonly nowMs: () => number;
}

/** A request whose caller has shown the keys. */
export interface WalletRequest {
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** undefined where the method has no body. */
  readonly body: unknown;
  /** The brand that the path names; null: the path names none. */
  readonly brand: string | null;
}

export interface WalletOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` is a parameter. */
  readonly path: string;
  /** The number of a wallet operation. */
  readonly number?: WalletNumber;
  /** The operation changes the database, so its answer waits for the commit. */
  readonly changes: boolean;
  /** Nothing is awaited: the database is embedded. */
  readonly handle: (request: WalletRequest, context: WalletContext) => WalletReply;
}
