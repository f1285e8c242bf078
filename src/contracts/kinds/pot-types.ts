import * as z from 'zod';
import { type Members, members } from '../../lib/unknown-json.ts';
import type { PotTypeKind } from '../../messages/kinds.ts';
import { amount, milliseconds } from '../configuration-fields.ts';
import { amountOf } from '../document-members.ts';
import type { Kind } from './kind.ts';

interface PotType extends Kind {
  readonly shape: z.ZodObject;
  /** What it means for a player, in words. */
  readonly rule: string;
  /** What the fairness endpoint shows beside the parameters, made of these as they are shown. */
  readonly odds?: { readonly shape: z.ZodRawShape; of(shown: Members): Members };
}

/** A pot's `pot_types`. */
export const potTypes: Readonly<Record<PotTypeKind, PotType>> = {
  HitRate: {
    input: z.strictObject({ max_magic_number: z.int().min(1), cost_per_attempt: amount }),
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
    input: z.strictObject({ min_value: amount, max_value: amount }),
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
