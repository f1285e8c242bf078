/**
 * JPD1 for verifiers: the names in hashed JSON, and what the draw rules leave open.
 *
 * Hashed JSON is RFC 8785 text. Bytes are lower-case hex, amounts decimal strings of atoms, other integers
 * numbers.
 *
 * Configuration (config_hash, header.config): currency, jackpot_type, max_instantiation_count,
 * contribution_rules, house_pot, win_selector_strategy, raffle_rules, pots: [{effective, pending}] as
 * stored, null where absent; draw_beacon where it is Required.
 *
 * Header: v ("JPD1"), instance, epoch, first_seq, config_hash, config, commit, beacon, prev_head, accounts
 * (account name → atoms: house, diversion, diversion_pending, win_liability, player, operator_capital,
 * operator_fee, external, fx, adjustment, transfer), accumulated_seed_deficit, pots: [{id, enabled, cycle,
 * current, seed, surplus, overflow, carry, last_drawn, cycle_start, cycle_contributions, time_windows:
 * [{trigger, end, last_evaluated, paid_end}]}]; received where another instance's balances came before the
 * first number and account transfer does not show it; rules (2) and resumed, unless the epoch began under
 * the first version of the engine.
 *
 * Details of a group, in order, one array:
 *   win: {type: "win", seq, pot, trigger, instance_count, value, win, player_paid_back, fee, carry, winner,
 *         withheld, payouts, reseed}
 *   A30: the same with type "trigger" and trigger null
 *   A22: {type: "adjustment", seq, pot, account, before, after}
 *   payouts: [{rule, amount, candidates, candidates_hash, picked, share,
 *             paid: [{winner, player_paid_back, withheld}]}]
 *   reseed: {cycle, seed, surplus, house, operator, overflow, carry, opening} or null after the last cycle
 *   round: {type: "round", seq, pot, instance_count, round, start, end, last, rules, tickets, value,
 *           prizes: [{tier, ticket, range_first, range_count, winner, amount}],
 *           paid: [{winner, amount, player_paid_back, withheld}], carry, reseed}
 *   resume: {type: "resume", seq}
 *   switch, completion, receipt: {type, seq, other, accounts, accumulated_seed_deficit}
 * `win` is the main winner's amount, `player_paid_back` what of it left through account player (the rest
 * through fx; null while the credit waits), `winner` a pseudonym.
 *
 * A round's tickets are numbered from 1; the places picked on the purpose-3 stream are ticket numbers less
 * 1, and tickets are assigned to prizes in the order of prize_distribution. `range_first` and `range_count`
 * are the range that the ticket's holder was given, `rules` the raffle_rules that the round began with,
 * `last`: nothing reseeds and what is left went to those drawn. Without a ticket `prizes` is empty and the
 * value stays in current, though `carry` names it. `paid` has each winner once. The header of a raffle has
 * `raffle`: {round, start, end, last, tickets}.
 *
 * A model switch (A29) is a record of the source, the completion of an instance one of it and, where the
 * taker has begun to draw, a receipt of the taker: `other` is the other instance (null: the operator),
 * `accounts` the changes by account name (a pot's as `pot.account`), those of zero left out.
 *
 * Groups: the contributions of one instance in one log message share one group {first_seq, inputs, records}.
 * A22, A29, A30, resumes, completions, receipts and round ends are groups of their own, with empty inputs
 * and one record of no entries, and end the group before them; contributions after them in the same message
 * begin another. A contribution that waits for its player's debit is an input without a record where it
 * stands; its settlement is an input of the settling message, with the same id and the wager as it was
 * priced. A message in which nothing was accepted makes no group and leaves the head as it is. Wagers in
 * inputs are priced with the rate table in force when the contributions were resolved.
 */
export const jpd1Name = 'JPD1';

/** The purpose byte of a keystream. */
export const purposePots = 1;
export const purposeCommunity = 2;
export const purposeRaffle = 3;

export const commitHashPrefix = 'JPD1/commit';
export const keyHashPrefix = 'JPD1/key';

/** Flags of an entry. */
export const flagHit = 1;
export const flagVoid = 2;
export const flagBlocked = 4;
export const flagUnqualified = 8;

/** Bytes of one contribution in a group's inputs: id 16, base wager 8, pseudonym 16. */
export const inputBytes = 40;
/** Bytes of a record before its entries: seq, C, t, input index, number of entries. */
export const recordBytes = 29;
/** Bytes of an entry: pot, trigger, v0, v1, num, den, u, flags. */
export const entryBytes = 43;
