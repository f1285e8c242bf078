import * as z from 'zod';
import { parseAmount } from '../../lib/money.ts';
import { type Members, members } from '../../lib/unknown-json.ts';
import type {
  ContributionTypeKind,
  PayoutRuleKind,
  PotTypeKind,
  WinConstraintKind,
} from '../../messages/kinds.ts';
import {
  configuredAmount,
  cycleCount,
  milliseconds,
  oneKind,
  share,
} from '../fields/configuration-fields.ts';

/** What callers give and see of one kind of a family, as the value of `{"<kind>": value}`. */
interface Kind {
  /** As it comes in; its output is the normal form. */
  readonly input: z.ZodType;
  /** As answers show it. */
  readonly shape: z.ZodType;
  /** From the normal form to the shape; absent: they are the same. */
  view?(value: unknown): unknown;
}

type Family = Readonly<Record<string, Kind>>;

/** Takes an object with exactly one key of the family. */
export function inputOf<F extends Family>(family: F) {
  return oneKind(mapped(family, ({ input }) => input) as Record<keyof F & string, z.ZodType>);
}

/** What `viewOf` gives. */
export function shapeOf(family: Family) {
  return z.union(Object.entries(family).map(([kind, { shape }]) => z.strictObject({ [kind]: shape })));
}

/** Shows a `{"<kind>": value}` of a stored document. */
export function viewOf(family: Family, stored: unknown): Record<string, unknown> {
  return mapped(members(stored), (value, kind) => {
    const view = Object.hasOwn(family, kind) ? family[kind]?.view : undefined;
    return view === undefined ? value : view(value);
  });
}

function mapped<T, U>(record: Readonly<Record<string, T>>, map: (value: T, name: string) => U) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** A stored amount in atoms; 0 where absent. */
export function amountOf(value: unknown): bigint {
  if (typeof value !== 'string' && typeof value !== 'number') return 0n;
  const parsed = parseAmount(value);
  return parsed.ok ? parsed.atoms : 0n;
}

/** Shares have at most nine decimals, which a double holds exactly as far as its shortest form goes. */
export function shareNumber(value: unknown): number {
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
}

/** `contribution_type`, a pot's `contribution` and its `seed_contribution`. */
export const contributionTypeShapes: Readonly<Record<ContributionTypeKind, Kind>> = {
  Fixed: { input: configuredAmount, shape: z.bigint(), view: amountOf },
  Percentage: { input: share, shape: z.number(), view: shareNumber },
};

const limit: Kind = {
  input: z.strictObject({ max_number_of_payouts: cycleCount }),
  shape: z.strictObject({ max_number_of_payouts: z.int() }),
};

/** The `rule` of a pot's `payout_rules`. */
export const payoutRuleShapes: Readonly<Record<PayoutRuleKind, Kind>> = {
  ActivePlayers: {
    input: z.strictObject({ period_before_win: milliseconds, max_number_of_payouts: cycleCount }),
    shape: z.strictObject({ period_before_win: z.int(), max_number_of_payouts: z.int() }),
  },
  HighestContributors: limit,
  HighestLifetimeContributors: limit,
};

interface PotType extends Kind {
  readonly shape: z.ZodObject;
  /** What it means for a player, in words. */
  readonly rule: string;
  /** What the fairness endpoint shows beside the parameters, made of these as they are shown. */
  readonly odds?: { readonly shape: z.ZodRawShape; of(shown: Members): Members };
}

/** A pot's `pot_types`. */
export const potTypeShapes: Readonly<Record<PotTypeKind, PotType>> = {
  HitRate: {
    input: z.strictObject({ max_magic_number: z.int().min(1), cost_per_attempt: configuredAmount }),
    shape: z.strictObject({ max_magic_number: z.int(), cost_per_attempt: z.bigint() }),
    view(value) {
      const { max_magic_number, cost_per_attempt } = members(value);
      return { max_magic_number, cost_per_attempt: amountOf(cost_per_attempt) };
    },
    rule: 'A contribution hits with the probability contribution ÷ certain_at_contribution, which is max_magic_number × cost_per_attempt: twice the contribution, twice the chance.',
    odds: {
      shape: { certain_at_contribution: z.bigint() },
      of: ({ max_magic_number, cost_per_attempt }) => ({
        certain_at_contribution: BigInt(max_magic_number as number) * (cost_per_attempt as bigint),
      }),
    },
  },
  Threshold: {
    input: z.strictObject({ min_value: configuredAmount, max_value: configuredAmount }),
    shape: z.strictObject({ min_value: z.bigint(), max_value: z.bigint() }),
    view(value) {
      const { min_value, max_value } = members(value);
      return { min_value: amountOf(min_value), max_value: amountOf(max_value) };
    },
    rule: 'The pot drops before its value passes max_value. A contribution that moves it from v0 to v1 hits with the probability (v1 − v) ÷ (max_value − v), v being v0, but at least min_value; the one that reaches max_value hits for certain.',
  },
  Time: {
    input: z.strictObject({ start_time: milliseconds, end_time: milliseconds }),
    shape: z.strictObject({ start_time: z.int(), end_time: z.int() }),
    rule: 'The pot drops once in its window. A contribution hits with the probability of the time since the one before it ÷ the time that was left until end_time; time before start_time, before the cycle of the pot began and before the instance last became Active does not count. The first one at or after end_time hits for certain. Times below 86,400,000 are milliseconds of every UTC day.',
  },
  External: {
    input: z.strictObject({}),
    shape: z.strictObject({}),
    rule: 'The pot is not drawn: it is paid when the operator says so, and the win is flagged as external.',
  },
};

const anAmount: Kind = { input: configuredAmount, shape: z.string() };
const aCount: Kind = { input: z.int().min(0), shape: z.int() };

/** A pot's `win_constraints`. */
export const winConstraintShapes: Readonly<Record<WinConstraintKind, Kind>> = {
  AllowedSeedDeficit: anAmount,
  MinPotValue: anAmount,
  MinContributions: aCount,
  MinInterval: aCount,
};
