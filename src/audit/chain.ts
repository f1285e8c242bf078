import { createHash } from 'node:crypto';
import * as z from 'zod';
import { fromUtf8 } from '../lib/bytes.ts';
import { type JsonText, writeJson } from '../lib/json.ts';
import { type AuditEntry, auditOutcomes } from './entry.ts';

/**
 * The messages of the trail (docs/rules/audit.md "The chain"): JSON with `v`, the message's own `sequence`,
 * `previous` (SHA-256 of all bytes of the message before), its entries, and last `hash`, the SHA-256 of the
 * text before it.
 */
interface AuditMessage {
  readonly sequence: number;
  readonly previous: string;
  readonly entries: readonly AuditEntry[];
}

/** Its entries may be JSON already. */
type WritableMessage = Omit<AuditMessage, 'entries'> & {
  readonly entries: readonly (AuditEntry | JsonText)[];
};

/** `previous` of the first message. */
export const noPrevious = '0'.repeat(64);

/** SHA-256 of a message as it is stored, in hexadecimal. */
export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function encodeMessage({ sequence, previous, entries }: WritableMessage): Uint8Array {
  const text = writeJson({ v: 1, sequence, previous, entries });
  const body = text.slice(0, -1);
  return Buffer.from(`${body},"hash":"${hashOf(body)}"}`, 'utf8');
}

/** null if the bytes are no message of the trail, or not those that were written. */
export function decodeMessage(bytes: Uint8Array): AuditMessage | null {
  const text = fromUtf8(bytes);
  const at = text.lastIndexOf(',"hash":"');
  if (at < 0 || text.slice(at) !== `,"hash":"${hashOf(text.slice(0, at))}"}`) return null;
  try {
    return messageShape.parse(JSON.parse(text)) as AuditMessage;
  } catch {
    return null;
  }
}

const entryShape = z.looseObject({
  kind: z.enum(['intent', 'outcome', 'event']),
  id: z.string(),
  timestamp: z.int(),
  request_id: z.string(),
  operation: z.string(),
  method: z.string(),
  path: z.string(),
  user: z.string(),
  address: z.string(),
  owners: z.array(z.string()),
  reason: z.string().nullable(),
  approval: z.object({ id: z.string(), approved_by: z.string() }).nullable(),
  outcome: z.enum(auditOutcomes).optional(),
});

const messageShape = z.object({
  v: z.literal(1),
  sequence: z.int(),
  previous: z.string(),
  entries: z.array(entryShape),
});
