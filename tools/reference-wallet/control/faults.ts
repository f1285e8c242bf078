import * as z from 'zod';
import { faultKinds } from '../faults/rules.ts';
import { maxFaultDelayMs, maxFaultRules } from '../wallet/limits.ts';
import type { WalletOperation } from '../wallet/operation.ts';
import { invalid } from '../wallet/refusals.ts';

const rules = z
  .array(
    z.strictObject({
      operation: z.enum(['W1', 'W2', 'W3', 'W4', 'W5', 'any']).default('any'),
      brand_id: z.string().max(512).optional(),
      player_id: z.string().max(512).optional(),
      /** Begin of the id of a transaction or batch. */
      transaction_prefix: z.string().max(512).optional(),
      probability: z.number().min(0).max(1).default(1),
      seed: z.int().min(0).max(0xffff_ffff).default(0),
      fault: z.enum(faultKinds),
      /** Before: nothing is executed. After: it is executed and stored, then the answer goes wrong. */
      when: z.enum(['before', 'after']).default('after'),
      ms: z.int().min(0).max(maxFaultDelayMs).default(100),
      /** null: for ever. */
      times: z.int().min(1).nullable().default(null),
    }),
  )
  .max(maxFaultRules);

/**
 * Replaces the rules by which requests go wrong; the first that holds decides. They are forgotten when the
 * wallet stops.
 */
export const putFaults: WalletOperation = {
  method: 'PUT',
  path: '/control/faults',
  changes: false,
  handle({ body }, { faults }) {
    const parsed = rules.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    faults.replace(parsed.data);
    return { status: 200, body: faults.list() };
  },
};

/** The rules, and how often each was followed. */
export const listFaults: WalletOperation = {
  method: 'GET',
  path: '/control/faults',
  changes: false,
  handle: (_, { faults }) => ({ status: 200, body: faults.list() }),
};

/** No request goes wrong any more. */
export const clearFaults: WalletOperation = {
  method: 'DELETE',
  path: '/control/faults',
  changes: false,
  handle(_, { faults }) {
    faults.replace([]);
    return { status: 204 };
  },
};
