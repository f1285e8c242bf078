import { items, members } from '../../src/lib/unknown-json.ts';
import type { WalletDatabase } from './database/database.ts';
import type { FaultSubject, WalletNumber } from './faults/rules.ts';
import type { WalletRequest } from './wallet/operation.ts';

/** Whom and what a request of W1–W5 is about. A malformed one is about no player. */
export function faultSubject(
  operation: WalletNumber,
  request: WalletRequest,
  database: WalletDatabase,
): FaultSubject {
  const body = members(request.body);
  const id = idOf(request, body);
  const players = playersOf(operation, request, body, database, id);
  const [player] = players;
  const named = player === undefined ? [] : database.accounts.named(player);
  const brand = request.brand ?? (named.length === 1 ? (named[0]?.brand ?? null) : null);
  return { operation, brand, players, id };
}

function idOf({ params }: WalletRequest, body: Readonly<Record<string, unknown>>): string | null {
  const id = params.transaction_id ?? params.batch_id ?? body.transaction_id ?? body.batch_transaction_id;
  return typeof id === 'string' ? id : null;
}

function playersOf(
  operation: WalletNumber,
  { params }: WalletRequest,
  body: Readonly<Record<string, unknown>>,
  { accounts, transactions }: WalletDatabase,
  id: string | null,
): readonly string[] {
  switch (operation) {
    case 'W1': {
      const token = typeof body.player_token === 'string' ? accounts.findToken(body.player_token) : undefined;
      return token === undefined ? [] : [token.player.player];
    }
    case 'W2': {
      const known = id === null ? undefined : transactions.find(id);
      return texts([known?.player ?? body.player_id]);
    }
    case 'W3':
      return texts([body.player_id]);
    case 'W4':
      return texts(items(body.transactions).map((one) => members(one).player_id));
    case 'W5':
      return transactions.ofBatch(params.batch_id ?? '').map((one) => one.player);
  }
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
