import { authenticate } from './authenticate.ts';
import { issueTokens, putPlayers, revokeTokens } from './control.ts';
import type { WalletDatabase } from './database.ts';

/** What an operation of the reference wallet answers; refusals have the error's shape (docs/rules/wallets.md "Answers"). */
export type WalletReply =
  | { readonly status: 200; readonly body: unknown }
  | { readonly status: 204 }
  | WalletRefusal;

export interface WalletRefusal {
  readonly status: 400 | 401 | 404 | 405 | 413 | 422;
  readonly code: string;
  readonly message: string;
}

export interface WalletContext {
  readonly database: WalletDatabase;
  readonly nowMs: () => number;
}

export interface WalletOperation {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  /** The parsed body, in; the answer, out. Nothing is awaited: the database is embedded. */
  readonly handle: (body: unknown, context: WalletContext) => WalletReply;
}

/** W1, and what sets the wallet up for the demo and for tests (`/control`). */
export const walletOperations: readonly WalletOperation[] = [
  { method: 'POST', path: '/authenticate', handle: authenticate },
  { method: 'PUT', path: '/control/players', handle: putPlayers },
  { method: 'POST', path: '/control/tokens', handle: issueTokens },
  { method: 'POST', path: '/control/tokens/revoke', handle: revokeTokens },
];
