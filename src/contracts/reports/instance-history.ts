import * as z from 'zod';
import { instanceShape } from '../jackpots/instance.ts';

/** An instance as it was, and its history. A bigint is an amount in atoms, an exact number on the wire. */

/** An instance behind a message of its lane. */
export const instanceAtShape = z.strictObject({
  /** The place in the log: the message, and the lane's time of it. */
  lane: z.int(),
  sequence: z.int(),
  timestamp: z.int(),
  /** The oldest place that can be shown; null: every one since the instance was made. */
  oldest: z.strictObject({ sequence: z.int(), timestamp: z.int() }).nullable(),
  /** The instance's own sequence number, and its head (docs/jpd1.md). */
  instance_sequence: z.int(),
  head: z.string(),
  instance: instanceShape,
  /** Every account; the sum is 0. */
  accounts: z.record(z.string(), z.bigint()),
  sum: z.bigint(),
});

const decimals = z.array(z.string());

/** An instance by intervals of equal length; each list has a value for each of them. */
export const instanceHistoryShape = z.strictObject({
  instance_id: z.string(),
  currency: z.string(),
  /** The length of an interval in milliseconds: whole days are of UTC. */
  resolution: z.int(),
  /** When the first interval begins, and when each of them ends. */
  from: z.int(),
  ends: z.array(z.int()),
  /** Each account that ever moved, at the ends, as decimals; null: before the books begin. */
  accounts: z.record(z.string(), z.array(z.string().nullable())),
  /** What happened within each. */
  contributions: z.array(z.int()),
  contributed: decimals,
  wins: z.array(z.int()),
  won: decimals,
});
export type InstanceHistory = z.output<typeof instanceHistoryShape>;
