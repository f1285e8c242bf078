import { createHash } from 'node:crypto';
import { JsonText, writeJson } from '../lib/json.ts';

/**
 * What the trail says of one change (docs/rules/audit.md "Entries"). An intent is stored before anything
 * changes and has the input; an outcome with the same `id` is stored before the answer. An event is complete
 * in one entry: a log-in. Members are those of the stored JSON.
 */
export interface AuditEntry extends AuditHead {
  readonly kind: 'intent' | 'outcome' | 'event';
  /** Parameters and body of an intent, without secrets. */
  readonly input?: unknown;
  readonly outcome?: AuditOutcome;
  readonly status?: number;
  /** The error code of a refusal; null: it was no refusal. */
  readonly code?: string | null;
  readonly changes?: readonly AuditChange[];
  /** How many refused log-ins this entry stands for, where it is more than one. */
  readonly count?: number;
}

/** Who wants what. */
export interface AuditHead {
  readonly id: string;
  readonly timestamp: number;
  readonly request_id: string;
  /** The id of the operation: `A22`, `login`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly address: string;
  /** Operators and brands that it concerns; the empty text is the whole system. */
  readonly owners: readonly string[];
  readonly reason: string | null;
  /** Where two administrators made the change: the approval, and who approved it. */
  readonly approval: { readonly id: string; readonly approved_by: string } | null;
}

export const auditOutcomes = ['applied', 'proposed', 'refused', 'unknown'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** One thing that changed, without secrets; null: it did not exist. */
export interface AuditChange {
  readonly object: string;
  readonly before: unknown;
  readonly after: unknown;
}

const maxPartBytes = 24 * 1024;
const shownCharacters = 2_000;
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*/g;

/** What is recorded of bytes that are too large: nothing of a secret in them. */
export function summaryOf(bytes: Uint8Array): object {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { truncated: true, bytes: bytes.length, sha256 };
}

/** The value if it is small enough for an entry, otherwise its size, its hash and how it begins. */
export function bounded(value: unknown, maxBytes = maxPartBytes): unknown {
  if (value === undefined) return null;
  const text = writeJson(value).replace(textOrNumber, exactNumber);
  const bytes = Buffer.byteLength(text);
  // The text is a part of the entry's own.
  if (bytes <= maxBytes) return new JsonText(text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { truncated: true, bytes, sha256, begins: text.slice(0, shownCharacters) };
}

/** A number that a double writes in another way is shown as its text: nothing of it is lost. */
function exactNumber(token: string): string {
  return token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`;
}
