import * as z from 'zod';
import { contributionRulesShape, partShape, potMembers } from '../configuration/configuration-shapes.ts';
import { significantKinds } from './questions.ts';

/** Answers of the books. A bigint is an amount in atoms, an exact number on the wire. */

const text = z.string();
const amount = z.bigint();
/** What was posted to each account, as decimals; the sum is 0. */
const postings = z.record(z.string(), z.string());

/** A contribution that an instance took; a linked one is one of its own. */
export const bookedContributionShape = z.strictObject({
  contribution_id: text,
  is_link: z.boolean(),
  timestamp: z.int(),
  operator_id: text,
  brand_id: text,
  player_id: text,
  player_country: text.nullable(),
  segments: z.array(text),
  instance_id: text,
  instance_sequence: z.int(),
  /** The epoch whose draw decided it. */
  epoch: z.int(),
  /** null: the request named the instance. */
  source_id: text.nullable(),
  game_code: text.nullable(),
  gameround_id: text.nullable(),
  vertical: text.nullable(),
  provider_id: text.nullable(),
  /** The request's: wager, contribution, what the wallet debited, and the bonus funds in it. */
  currency: text,
  base_wager: amount,
  contribution_amount: amount,
  debit_amount: amount,
  bonus_amount: amount,
  /** The same in the jackpot's currency, at the rates of this version; 0: none were needed. */
  jackpot_currency: text,
  jackpot_base_wager: amount,
  jackpot_contribution: amount,
  player_part: amount,
  operator_part: amount,
  rate_version: z.int(),
  tickets: z.int(),
  postings,
  win_pot_id: text.nullable(),
  win_amount: amount.nullable(),
  /** Its place in the log. */
  lane: z.int(),
  sequence: z.int(),
});
export type ContributionReport = z.output<typeof bookedContributionShape>;

export const bookedWinShape = z.strictObject({
  kind: z.enum(['main', 'community', 'raffle', 'external']),
  timestamp: z.int(),
  operator_id: text,
  brand_id: text,
  player_id: text,
  instance_id: text,
  instance_sequence: z.int(),
  pot_id: text,
  /** How often the pot was paid, this win included. */
  cycle: z.int(),
  epoch: z.int().nullable(),
  jackpot_currency: text,
  win_amount: amount,
  /** In the player's currency; null for prizes, which a player gets as one payment. */
  paid_currency: text.nullable(),
  paid_amount: amount.nullable(),
  /** Its payment had to be released by a person. */
  win_withheld: z.boolean(),
  /** The payment's. */
  transaction_id: text.nullable(),
  contribution_id: text.nullable(),
  gameround_id: text.nullable(),
  round: z.int().nullable(),
  tier: z.int().nullable(),
  ticket: z.int().nullable(),
  lane: z.int(),
  sequence: z.int(),
});
export type WinReport = z.output<typeof bookedWinShape>;

export const bookedPaymentShape = z.strictObject({
  transaction_id: text,
  kind: text,
  state: text,
  operator_id: text,
  brand_id: text.nullable(),
  player_id: text.nullable(),
  instance_id: text,
  pot_id: text.nullable(),
  /** In the jackpot's currency; null for a debit. */
  jackpot_currency: text.nullable(),
  amount: amount.nullable(),
  /** What the wallet was asked for. */
  paid_currency: text,
  paid_amount: amount,
  bonus_amount: amount.nullable(),
  batch_id: text.nullable(),
  contribution_id: text.nullable(),
  gameround_id: text.nullable(),
  opened_timestamp: z.int(),
  changed_timestamp: z.int(),
  /** null: it is open. */
  closed_timestamp: z.int().nullable(),
  reason: text.nullable(),
  changed_by: text.nullable(),
});
export type PaymentReport = z.output<typeof bookedPaymentShape>;

/** A state that a payment came into. */
const paymentChangeShape = z.strictObject({
  timestamp: z.int(),
  state_before: text.nullable(),
  state: text,
  reason: text.nullable(),
  changed_by: text.nullable(),
});

/** A try of a call to the wallet; "unknown": it may have happened. */
const walletTryShape = z.strictObject({
  timestamp: z.int(),
  took_ms: z.int(),
  call: text,
  result: text,
  code: text.nullable(),
  status: z.int().nullable(),
});

/** A try of a callback about a contribution. */
const callbackTryShape = z.strictObject({
  timestamp: z.int(),
  took_ms: z.int(),
  event_id: text,
  origin: text,
  result: text,
  error: text.nullable(),
  status: z.int().nullable(),
  is_final: z.boolean(),
});

/** What was tried, as the books name it. */
export const triedKinds = {
  callback: 'ContributionResult',
  flush: 'DiversionFlush',
  event: 'Event',
} as const;
/** A try of a delivery. `event_id`: as deliveries show it, the same for all tries of one. */
export const deliveryTryShape = callbackTryShape.extend({
  kind: z.enum(['callback', 'flush', 'event']),
  owner_id: text,
  result: z.enum(['delivered', 'failed']),
  lane: z.int(),
  sequence: z.int(),
});
export type DeliveryTry = z.output<typeof deliveryTryShape>;

/** The rules that were set last before a contribution; parts of them may have waited for a new cycle. */
const ruleOfPot = z.strictObject({
  id: potMembers.id,
  contribution: potMembers.contribution,
  seed_contribution: potMembers.seed_contribution,
  pot_types: potMembers.pot_types,
});
const bookedRulesShape = z.strictObject({
  set_timestamp: z.int(),
  configuration_hash: text,
  contribution_rules: contributionRulesShape,
  house_contribution_type: partShape,
  pots: z.array(ruleOfPot),
});

/** Where a contribution's money went, in the jackpot's currency. */
const shareShape = z.strictObject({
  /** null: none of the pots: the house, or accounts outside. */
  pot_id: text.nullable(),
  account: text,
  amount,
});

/** A trigger that was evaluated (docs/jpd1.md "8. The draw"): a hit if `u` is below `numerator`. */
const drawnTriggerShape = z.strictObject({
  pot_id: text,
  /** Its place in the pot's `pot_types`. */
  trigger: z.int(),
  is_evaluated: z.boolean(),
  is_hit: z.boolean(),
  /** Its pot was not paid, because another one was. */
  is_void: z.boolean(),
  pot_value_before: amount,
  pot_value: amount,
  /** Whole numbers of up to 20 digits; `u` is drawn below `denominator`, "0" where none was needed. */
  numerator: text,
  denominator: text,
  u: text,
});

/** The draw of a contribution. */
const drawShape = z.strictObject({
  instance_id: text,
  epoch: z.int(),
  sequence: z.int(),
  /** The file with the numbers, for `potstream verify` and the page; null: the epoch is not published yet. */
  proof: text.nullable(),
  triggers: z.array(drawnTriggerShape).nullable(),
});
export type DrawReport = z.output<typeof drawShape>;

/** What became of a contribution: the parts that instances took, their draws, wins, payments. */
export const explanationShape = z.strictObject({
  contributions: z.array(
    bookedContributionShape.extend({ rules: bookedRulesShape.nullable(), shares: z.array(shareShape) }),
  ),
  wins: z.array(bookedWinShape),
  /** Postings of these wins: what was paid, fees, the next cycle's seed. */
  entries: z.array(
    z.strictObject({ timestamp: z.int(), instance_id: text, kind: text, phase: text, postings }),
  ),
  payments: z.array(
    bookedPaymentShape.extend({ changes: z.array(paymentChangeShape), tries: z.array(walletTryShape) }),
  ),
  callbacks: z.array(callbackTryShape),
  draws: z.array(drawShape),
});
export type Explanation = Omit<z.output<typeof explanationShape>, 'draws'>;

/** What a player did in an instance. */
const playerTotalsShape = z.strictObject({
  instance_id: text,
  jackpot_currency: text,
  contributions: z.int(),
  contributed: amount,
  player_part: amount,
  wins: z.int(),
  won: amount,
});

const bookedOptInShape = z.strictObject({
  instance_id: text,
  opted_in: z.boolean(),
  contribution_count: z.int(),
  contribution_amount: amount,
  updated_timestamp: z.int(),
});

const bookedTicketsShape = z.strictObject({
  instance_id: text,
  timestamp: z.int(),
  round_start: z.int(),
  round_end: z.int(),
  first_ticket: z.int(),
  count: z.int(),
  tickets_in_round: z.int(),
});

/** The newest of each list. */
export const bookedPlayerShape = z.strictObject({
  brand_id: text,
  player_id: text,
  totals: z.array(playerTotalsShape),
  contributions: z.array(bookedContributionShape),
  wins: z.array(bookedWinShape),
  /** Money under way: payments that are open. */
  open_payments: z.array(bookedPaymentShape),
  payments: z.array(bookedPaymentShape),
  opt_ins: z.array(bookedOptInShape),
  tickets: z.array(bookedTicketsShape),
});
export type PlayerReport = z.output<typeof bookedPlayerShape>;

/** An entry of the audit trail: before a change, or after it was made or refused. Both have its `id`. */
export const bookedChangeShape = z.strictObject({
  timestamp: z.int(),
  id: text,
  kind: z.enum(['intent', 'outcome', 'event']),
  request_id: text,
  user: text,
  operation: text,
  method: text,
  path: text,
  owners: z.array(text),
  reason: text.nullable(),
  approval_id: text.nullable(),
  /** null: an intent. */
  outcome: text.nullable(),
  status: z.int().nullable(),
  code: text.nullable(),
});
export type ChangeReport = z.output<typeof bookedChangeShape>;

/** What has this id. */
export const searchShape = z.strictObject({
  contributions: z.array(bookedContributionShape),
  payments: z.array(bookedPaymentShape),
  wins: z.array(bookedWinShape),
  players: z.array(z.strictObject({ brand_id: text, player_id: text })),
  instances: z.array(z.strictObject({ instance_id: text, owner_id: text, name: text, status: text })),
  /** For those who read the audit trail. */
  changes: z.array(bookedChangeShape),
});
export type SearchReport = z.output<typeof searchShape>;

/** An event that regulators ask for. `action`: which kind of win, payment, change or command. */
export const significantEventShape = z.strictObject({
  timestamp: z.int(),
  kind: z.enum(significantKinds),
  operator_id: text,
  instance_id: text,
  brand_id: text.nullable(),
  player_id: text.nullable(),
  pot_id: text.nullable(),
  action: text.nullable(),
  amount: amount.nullable(),
  currency: text.nullable(),
  state: text.nullable(),
  transaction_id: text.nullable(),
  contribution_id: text.nullable(),
  changed_by: text.nullable(),
  reason: text.nullable(),
  lane: z.int(),
  sequence: z.int(),
});
export type SignificantEvent = z.output<typeof significantEventShape>;

export const reportSums = [
  'wagered',
  'contributed',
  'player_part',
  'operator_part',
  'bonus',
  'won',
  'community',
  'raffle',
  'withheld',
  'house',
  'seed_collected',
  'seed_fronted',
  'repaid',
  'fees',
  'diverted',
  'adjusted',
  'transferred',
  'fx',
] as const;

/** The totals of a group; members of the group that were not asked for are absent. */
export const dailyReportShape = z.strictObject({
  day: text.optional(),
  operator_id: text.optional(),
  brand_id: text.optional(),
  instance_id: text.optional(),
  pot_id: text.optional(),
  currency: text,
  contributions: z.int(),
  /** Each player once; null: not asked for, or by pot, which no player chooses. */
  players: z.int().nullable(),
  wins: z.int(),
  ...(Object.fromEntries(reportSums.map((name) => [name, amount])) as {
    readonly [N in (typeof reportSums)[number]]: z.ZodBigInt;
  }),
  /** What the operator gave: its part, and seeds that it fronted, less what repaid them. */
  operator_cost: amount,
  /** Won for each unit that was contributed; null where nothing was. */
  actual_return: text.nullable(),
  /** What the configuration of now returns of each unit in the long run; null: of several instances. */
  configured_return: text.nullable(),
  /** At the end of the day, or of the last one: all that the pots hold, and wins that are not paid yet. */
  liability: amount.nullable(),
  /** The current values of the pots among that. */
  pot_values: amount.nullable(),
});
export type DailyReportView = z.output<typeof dailyReportShape>;
