import type { WalletPlayer } from '../database/accounts.ts';
import type { WalletDatabase } from '../database/database.ts';
import type { Movement } from '../database/movements.ts';
import type { StoredTransaction, Transfer } from '../database/transactions.ts';
import { maxBalanceAtoms } from './limits.ts';
import type { RefusalCode } from './refusals.ts';

/** What a transaction that can be executed leaves behind, or why it cannot be executed. */
export type Booked =
  | { readonly ok: true; readonly balanceAtoms: bigint }
  | { readonly ok: false; readonly code: RefusalCode };

/**
 * The player whom a transaction names. A wallet of several brands takes an id only where it is of one of
 * them.
 */
export function findPlayer(
  { accounts }: WalletDatabase,
  brand: string | null,
  id: string,
): WalletPlayer | 'player_unknown' | 'player_ambiguous' {
  if (brand !== null) return accounts.find(brand, id) ?? 'player_unknown';
  const [first, second] = accounts.named(id);
  if (first === undefined) return 'player_unknown';
  return second === undefined ? first : 'player_ambiguous';
}

/** Moves the money of a transaction. The player's balances never go below zero. */
export function book(
  database: WalletDatabase,
  player: WalletPlayer,
  transfer: Transfer,
  atMs: number,
): Booked {
  return change(database, player, movementOf(transfer, 'apply', atMs));
}

/** Moves it back. */
export function unbook(database: WalletDatabase, transaction: StoredTransaction, atMs: number): Booked {
  const player = database.accounts.find(transaction.brand, transaction.player);
  if (player === undefined) return { ok: false, code: 'player_unknown' };
  return change(database, player, movementOf(transaction, 'cancel', atMs));
}

/** Why a transaction cannot be moved back. */
export function unbookFault(database: WalletDatabase, transaction: StoredTransaction): RefusalCode | null {
  const player = database.accounts.find(transaction.brand, transaction.player);
  return player === undefined
    ? 'player_unknown'
    : faultOf(after(player, movementOf(transaction, 'cancel', 0)));
}

/** Adds money that comes from outside. */
export function deposit(
  database: WalletDatabase,
  player: WalletPlayer,
  funds: { readonly realAtoms: bigint; readonly bonusAtoms: bigint },
  atMs: number,
): Booked {
  return change(database, player, { ...funds, kind: 'deposit', transaction: null, atMs });
}

type PlayersMovement = Omit<Movement, 'brand' | 'player'>;

function movementOf(transfer: Transfer, kind: 'apply' | 'cancel', atMs: number): PlayersMovement {
  const adds = (transfer.type === 'Credit') === (kind === 'apply');
  const sign = adds ? 1n : -1n;
  const realAtoms = sign * (transfer.amountAtoms - transfer.bonusAtoms);
  return { kind, realAtoms, bonusAtoms: sign * transfer.bonusAtoms, transaction: transfer.id, atMs };
}

interface Balances {
  readonly real: bigint;
  readonly bonus: bigint;
}

function after({ balanceAtoms, bonusAtoms }: WalletPlayer, by: PlayersMovement): Balances {
  return { real: balanceAtoms + by.realAtoms, bonus: bonusAtoms + by.bonusAtoms };
}

function faultOf({ real, bonus }: Balances): RefusalCode | null {
  if (real < 0n) return 'insufficient_funds';
  if (bonus < 0n) return 'insufficient_bonus_funds';
  return real > maxBalanceAtoms || bonus > maxBalanceAtoms ? 'balance_out_of_range' : null;
}

function change({ accounts, movements }: WalletDatabase, player: WalletPlayer, by: PlayersMovement): Booked {
  const balances = after(player, by);
  const code = faultOf(balances);
  if (code !== null) return { ok: false, code };
  const key = { brand: player.brand, player: player.player };
  accounts.setBalances(key.brand, key.player, balances.real, balances.bonus);
  movements.append({ ...key, ...by });
  return { ok: true, balanceAtoms: balances.real };
}
