import * as z from 'zod';
import { decimalString } from '../../contracts/fields/amount.ts';
import type { WalletCallName } from '../client/brand-client.ts';

/** A finite number, or a decimal string of any number of decimals. */
const amount = z.union([z.number(), decimalString]);
const text = z.string().nullish();

/** What W1 must say: whose session it is. */
export const sessionShape = z.looseObject({
  id: z.string(),
  operator_id: z.string().min(1),
  /** The brand path or the bare brand. */
  brand_id: z.string().min(1),
  currency: z.string().min(1),
  balance: amount,
});

export const playerShape = sessionShape.extend({
  token: text,
  nickname: text,
  gender: text,
  country: text,
  date_of_birth: text,
  max_bet: z.union([z.literal(''), amount]).nullish(),
  jurisdiction: text,
  segments: z.array(z.string()).nullish(),
});

export const balanceShape = z.looseObject({ balance: amount });

export const batchShape = z.looseObject({
  total_amount: amount,
  total_jackpot_amount: amount,
  errors: z.array(z.looseObject({ player_id: z.string(), code: z.string(), msg: z.string() })).nullish(),
});

export const batchCancellationShape = z.looseObject({ success: z.boolean() });

/**
 * The answers of W1 to W5 as the interface documents them, also for `potstream wallet verify`: a 2xx of
 * another shape counts as none (docs/rules/wallets.md "Answers").
 */
const shapes = {
  W1: playerShape,
  W2: balanceShape,
  W3: balanceShape,
  W4: batchShape,
  W5: batchCancellationShape,
} as const satisfies Record<WalletCallName, z.ZodType>;

/** The member of a body that is not as documented, empty for the body itself; null: all are. */
export function undocumentedMember(name: WalletCallName, body: unknown): string | null {
  const { error } = shapes[name].safeParse(body);
  return error === undefined ? null : (error.issues[0]?.path ?? []).join('.');
}
