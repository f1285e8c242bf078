import * as z from 'zod';
import { amountField, readAmount } from '../../../src/contracts/fields/amount.ts';
import { foreignIdField } from '../../../src/contracts/fields/identifier-fields.ts';
import { isBrandPath } from '../../../src/contracts/fields/identifiers.ts';
import type { WalletPlayer } from '../database/accounts.ts';
import type { WalletDatabase } from '../database/database.ts';
import { deposit } from '../wallet/ledger.ts';
import { maxControlEntries, maxPage } from '../wallet/limits.ts';
import type { WalletOperation, WalletReply } from '../wallet/operation.ts';
import { invalid, refused } from '../wallet/refusals.ts';

export const brandPathField = z.string().refine(isBrandPath);
const text = z.string().max(256);

const player = z.strictObject({
  brand_id: brandPathField,
  player_id: foreignIdField,
  currency: z.string().min(1).max(16),
  balance: amountField.optional(),
  bonus_balance: amountField.optional(),
  nickname: text.optional(),
  gender: text.optional(),
  country: text.optional(),
  date_of_birth: text.optional(),
  max_bet: amountField.nullish(),
  jurisdiction: text.optional(),
  segments: z.array(foreignIdField).max(256).optional(),
});

const players = z.array(player).max(maxControlEntries);

/** What a new player has, in units of the player's currency. */
const openingBalance = '1000';
const openingBonus = '100';

/** Makes or changes players. The balances count for new ones only. */
export const putPlayers: WalletOperation = {
  method: 'PUT',
  path: '/control/players',
  changes: true,
  handle({ body }, { database, nowMs }) {
    const parsed = players.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const wanted: WalletPlayer[] = [];
    for (const one of parsed.data) {
      const [balance, bonus, maxBet] = [
        readAmount(one.balance ?? openingBalance),
        readAmount(one.bonus_balance ?? openingBonus),
        readAmount(one.max_bet ?? 0),
      ];
      if (!balance.ok || !bonus.ok || !maxBet.ok) return refused('amount_out_of_range');
      const isFixed =
        (database.accounts.find(one.brand_id, one.player_id)?.currency ?? one.currency) === one.currency;
      if (!isFixed) return refused('currency_fixed');
      const maxBetAtoms = (one.max_bet ?? null) === null ? null : maxBet.atoms;
      wanted.push({ ...detailsOf(one), balanceAtoms: balance.atoms, bonusAtoms: bonus.atoms, maxBetAtoms });
    }
    for (const one of wanted) put(database, one, nowMs());
    return { status: 204 };
  },
};

function detailsOf(one: z.infer<typeof player>) {
  return {
    brand: one.brand_id,
    player: one.player_id,
    currency: one.currency,
    nickname: one.nickname ?? one.player_id,
    gender: one.gender ?? '',
    country: one.country ?? '',
    dateOfBirth: one.date_of_birth ?? '',
    jurisdiction: one.jurisdiction ?? '',
    segments: one.segments ?? [],
  };
}

function put(database: WalletDatabase, one: WalletPlayer, nowMs: number): void {
  const { accounts } = database;
  if (accounts.find(one.brand, one.player) !== undefined) {
    accounts.change(one);
    return;
  }
  const empty = { ...one, balanceAtoms: 0n, bonusAtoms: 0n };
  accounts.add(empty);
  deposit(database, empty, { realAtoms: one.balanceAtoms, bonusAtoms: one.bonusAtoms }, nowMs);
}

const deposits = z
  .array(
    z.strictObject({
      brand_id: brandPathField,
      player_id: foreignIdField,
      amount: amountField.optional(),
      bonus_amount: amountField.optional(),
    }),
  )
  .max(maxControlEntries);

/** Adds money to players' balances; all or nothing. */
export const putDeposits: WalletOperation = {
  method: 'POST',
  path: '/control/deposits',
  changes: true,
  handle({ body }, { database, nowMs }) {
    const parsed = deposits.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const read = parsed.data.map((one) => ({
      one,
      real: readAmount(one.amount ?? 0),
      bonus: readAmount(one.bonus_amount ?? 0),
    }));
    for (const { one, real, bonus } of read) {
      if (!real.ok || !bonus.ok) return refused('amount_out_of_range');
      if (database.accounts.find(one.brand_id, one.player_id) === undefined)
        return refused('player_not_found');
    }
    for (const { one, real, bonus } of read) {
      const to = database.accounts.find(one.brand_id, one.player_id);
      if (to === undefined || !real.ok || !bonus.ok) continue;
      deposit(database, to, { realAtoms: real.atoms, bonusAtoms: bonus.atoms }, nowMs());
    }
    return { status: 204 };
  },
};

/** One player with the balances. */
export const readPlayer: WalletOperation = {
  method: 'GET',
  path: '/control/players/{brand_id}/{player_id}',
  changes: false,
  handle({ params }, { database }) {
    const found = database.accounts.find(params.brand_id as string, params.player_id as string);
    return found === undefined ? refused('player_not_found') : { status: 200, body: playerView(found) };
  },
};

/** The players of a brand in order of their ids: `brand_id`, and `after` for the next page. */
export const listPlayers: WalletOperation = {
  method: 'GET',
  path: '/control/players',
  changes: false,
  handle({ query }, { database }): WalletReply {
    const found = database.accounts.list(query.get('brand_id') ?? '', query.get('after') ?? '', maxPage);
    const next = found.length === maxPage ? (found.at(-1)?.player ?? null) : null;
    return { status: 200, body: { players: found.map(playerView), next } };
  },
};

function playerView(one: WalletPlayer) {
  return {
    brand_id: one.brand,
    player_id: one.player,
    currency: one.currency,
    balance: one.balanceAtoms,
    bonus_balance: one.bonusAtoms,
    country: one.country,
    segments: one.segments,
  };
}
