import type { Books, Pot } from './books.ts';
import { join, toHex } from './bytes.ts';
import { checkCredit } from './credit.ts';
import type { MinorUnit } from './currencies.ts';
import { part } from './decimal.ts';
import { Disagreement, expectSame, expectThat } from './disagreement.ts';
import type { VerifierHashing } from './hashing.ts';
import { pick, type Stream } from './key-stream.ts';
import type { KnownPlayer, Players } from './players.ts';
import type { PayoutRule } from './rules.ts';
import { atomsAt, bytesAt, countAt, listAt, type Members, objectAt } from './shape.ts';

/** The inputs of a community rule beside those in the file. */
export interface CommunityFacts {
  readonly books: Books;
  readonly hashing: VerifierHashing;
  /** Every player of the instance so far; null where earlier epochs were not followed. */
  readonly players: Players | null;
  /** The keystream of purpose 2, which the rules of one win share. */
  readonly stream: () => Stream;
  readonly minorUnit: MinorUnit;
  readonly winner: Uint8Array;
  readonly timestampMs: number;
}

export interface CommunityShares {
  readonly paid: bigint;
  /** The part that joins the main win before its flooring. */
  readonly rest: bigint;
}

/** More than the rules allow; a file that says more is not followed. */
const maxPayouts = 100_000;

const names = ['rule', 'amount', 'candidates', 'candidates_hash', 'picked', 'share', 'paid'];

/** Recomputes the picks and payouts of those who share a win (docs/jpd1.md "9. Paying a pot"). */
export function recomputeShares(
  pot: Pot,
  value: bigint,
  payouts: unknown,
  facts: CommunityFacts,
): CommunityShares {
  const { payoutRules } = pot.rules;
  const max = payoutRules.reduce((sum, rule) => sum + rule.max, 0);
  expectThat('config', max <= maxPayouts, 'a win is shared by more than there can be');
  const records = listAt(payouts, 'payouts');
  expectSame('wins', 'the number of payouts', records.length, payoutRules.length);
  let paid = 0n;
  let rest = 0n;
  payoutRules.forEach((rule, index) => {
    const shares = shareOne(pot, value, rule, objectAt(records[index], `payouts[${index}]`, names), facts);
    paid += shares.paid;
    rest += shares.rest;
  });
  return { paid, rest };
}

function shareOne(
  pot: Pot,
  value: bigint,
  rule: PayoutRule,
  record: Members,
  facts: CommunityFacts,
): CommunityShares {
  const same = (what: string, found: unknown, computed: string | number) =>
    expectSame('wins', `${what} of the ${rule.name} payout`, found as string | number, computed);
  const amount = part(value, rule.share);
  same('rule', record.rule, rule.name);
  same('amount', record.amount, amount.toString());
  const picked = checkPicks(pot, rule, record, facts);
  const count = BigInt(picked.length);
  const share =
    count === 0n ? 0n : facts.minorUnit.floor(amount / count, atomsAt(record.share, 'the share of a payout'));
  same('share', record.share, share.toString());
  const credits = listAt(record.paid, 'paid');
  same('the number of credits', credits.length, share === 0n ? 0 : picked.length);
  credits.forEach((credit, index) => {
    checkShare(facts, credit, share, picked[index] ?? null);
  });
  return { paid: share * count, rest: amount - share * count };
}

/** Returns the pseudonym of each pick, null where the players are not known. */
function checkPicks(
  pot: Pot,
  rule: PayoutRule,
  record: Members,
  facts: CommunityFacts,
): readonly (Uint8Array | null)[] {
  const count = countAt(record.candidates, 'candidates');
  const places = listAt(record.picked, 'picked').map((place) => countAt(place, 'picked', count - 1));
  bytesAt(record.candidates_hash, 'candidates_hash', 32);
  const same = (what: string, found: unknown, computed: string | number) =>
    expectSame('wins', `${what} of the ${rule.name} payout`, found as string | number, computed);
  same('the number of picks', places.length, Math.min(count, rule.max));
  expectThat('wins', new Set(places).size === places.length, 'a candidate is picked twice');
  if (rule.name === 'ActivePlayers') {
    pick(facts.stream(), count, rule.max).forEach((place, index) => {
      same(`pick ${index}`, places[index], place);
    });
  }
  if (facts.players === null) return places.map(() => null);
  const candidates = candidatesOf(pot, rule, facts, facts.players);
  same('candidates', count, candidates.length);
  const pseudonyms = candidates.map(({ pseudonym }) => pseudonym);
  same('candidates_hash', record.candidates_hash, toHex(facts.hashing.sha256(join(...pseudonyms))));
  if (rule.name !== 'ActivePlayers') {
    ranking(pot, rule, candidates).forEach((place, index) => {
      if (index < places.length) same(`pick ${index}`, places[index], place);
    });
  }
  return places.map((place) => pseudonyms[place]!);
}

function candidatesOf(
  pot: Pot,
  rule: PayoutRule,
  facts: CommunityFacts,
  players: Players,
): readonly KnownPlayer[] {
  if (rule.name !== 'ActivePlayers') {
    return players.inOrder().filter((player) => sumOf(pot, rule, player) > 0n);
  }
  const from = facts.timestampMs - Number(rule.parameters.period_before_win);
  const winner = players.get(facts.winner);
  return players.inOrder().filter((player) => player.lastMs > from && player !== winner);
}

/** Places of the candidates by amount; among equals the lower ordinal comes first. */
function ranking(pot: Pot, rule: PayoutRule, candidates: readonly KnownPlayer[]): readonly number[] {
  const sums = candidates.map((player) => sumOf(pot, rule, player));
  const places = sums.map((_, place) => place);
  return places.sort((a, b) => (sums[a] === sums[b] ? a - b : sums[a]! > sums[b]! ? -1 : 1));
}

function sumOf(pot: Pot, rule: PayoutRule, player: KnownPlayer): bigint {
  const shares = player.shares[pot.index];
  switch (rule.name) {
    case 'HighestContributors':
      return shares?.cycle === pot.cycle ? shares.inCycle : 0n;
    case 'HighestLifetimeContributors':
      return shares?.inAll ?? 0n;
    default:
      throw new Disagreement('config', `pot ${pot.id} has a payout rule of kind ${rule.name}`);
  }
}

function checkShare(
  { books, players }: CommunityFacts,
  json: unknown,
  amount: bigint,
  pseudonym: Uint8Array | null,
): void {
  const credit = objectAt(json, 'a credit of a payout', ['winner', 'player_paid_back', 'withheld']);
  const winner = bytesAt(credit.winner, 'winner of a payout', 16);
  if (pseudonym !== null)
    expectSame('wins', 'the player of a community share', toHex(winner), toHex(pseudonym));
  const { player_paid_back, withheld } = credit;
  const isOwnCurrency = players?.isOwnCurrency(winner) === true;
  checkCredit(books, { amount, player_paid_back, withheld, isOwnCurrency });
}
