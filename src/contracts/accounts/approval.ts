import * as z from 'zod';
import { ownerField } from '../fields/identifier-fields.ts';
import { cursorQuery } from '../fields/lists.ts';
import { reasonField } from '../jackpots/instance.ts';

/** Changes that wait for a second administrator (docs/rules/approvals.md "Approving"). */
const approvalStates = ['open', 'approved', 'executed', 'refused', 'rejected', 'expired'] as const;

export const approvalId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'invalid_identifier');

export const approvalShape = z.strictObject({
  id: z.string(),
  state: z.enum(approvalStates),
  /** Empty: the whole system. */
  owner_id: z.string(),
  operation: z.string(),
  name: z.string(),
  method: z.string(),
  path: z.string(),
  /** Without secrets. */
  body: z.unknown(),
  /** SHA-256 of the body's exact bytes; null: they hold a secret, which the hash would help to guess. */
  body_sha256: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  if_match: z.string().nullable(),
  /** The version of the template that its body names: it is made of no other. null: the body names none. */
  template_version: z.int().nullable(),
  reason: z.string().nullable(),
  proposed_by: z.string(),
  created_timestamp: z.int(),
  expires_timestamp: z.int(),
  decided_by: z.string().nullable(),
  decided_timestamp: z.int().nullable(),
  decision_reason: z.string().nullable(),
  /** The operation's own answer, once it was executed. */
  result: z.strictObject({ status_code: z.int(), code: z.string().nullable(), body: z.unknown() }).nullable(),
});

/** A list of approvals; without a state, of the open ones. */
export const approvalQuery = cursorQuery(['created_timestamp', 'expires_timestamp'], {
  owner_id: ownerField.optional(),
  state: z.enum(approvalStates).optional(),
});

/** The body of a rejection. */
export const rejection = z.strictObject({ reason: reasonField.nullish() }).nullish();
