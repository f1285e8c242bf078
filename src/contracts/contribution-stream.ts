import * as z from 'zod';
import { contributionResult, refField } from './contribution.ts';

/** A line of the answer of the contribution stream (docs/rules/streams.md "Results"). */
export const streamedResult = z.strictObject({
  /** null: the line has no good one; then `line` is its number. */
  ref: refField.nullable(),
  results: z.array(contributionResult).optional(),
  replayed: z.literal(true).optional(),
  /** An accepted contribution with a callback has these two, and no results. */
  contribution_id: z.string().optional(),
  timestamp: z.int().optional(),
  line: z.int().optional(),
  error: z.strictObject({ status_code: z.int(), code: z.string(), message: z.string() }).optional(),
  /** Seconds. */
  retry_after: z.int().optional(),
  /** The last message of a stream that ended before its input: lines from `line` on were not taken. */
  end: z.literal(true).optional(),
});
