import * as z from 'zod';
import { condition } from './conditions.ts';
import { exportedTableNames, exportFormats } from './exports.ts';

/**
 * Questions about the books: core NATS requests to the role that keeps them. An answer is a line of JSON and
 * behind it the body as its caller gets it, so that a gateway need not read it.
 */

export const bookedLists = ['contributions', 'wins', 'payments', 'callback_tries'] as const;
export const dailyGroups = ['day', 'operator', 'brand', 'instance', 'pot'] as const;

/** Wins; payments that ended without money, or want a person; changes by administrators. */
export const significantKinds = ['win', 'void', 'failure', 'parameters', 'status', 'adjustment'] as const;

/** Rows of one list, or of one part of an export. */
const maxListed = 500;
export const maxExported = 1_000;

const where = z.array(condition).readonly();

const cursor = z.string().nullable();
const paged = { where, cursor, limit: z.int().min(1).max(maxListed) };

const question = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('list'),
    of: z.enum(bookedLists),
    ...paged,
    direction: z.literal([1, -1]),
    /** Whether the rows are counted, too. */
    counts: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('contribution'), id: z.string(), where }),
  z.strictObject({ kind: z.literal('player'), brand: z.string(), player: z.string() }),
  z.strictObject({
    kind: z.literal('daily'),
    from: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    to: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    groupBy: z.array(z.enum(dailyGroups)),
    countsPlayers: z.boolean(),
    ...paged,
  }),
  z.strictObject({
    kind: z.literal('significant'),
    from: z.int().nullable(),
    to: z.int().nullable(),
    /** One kind; null: all. */
    of: z.enum(significantKinds).nullable(),
    /** Wins below these atoms are left out. */
    minWin: z
      .string()
      .regex(/^\d{1,38}$/)
      .nullable(),
    ...paged,
  }),
  z.strictObject({ kind: z.literal('search'), text: z.string(), where }),
  /** What a request changed, by its id. Who may see it is decided by its owners, at the gateway. */
  z.strictObject({ kind: z.literal('changes'), requestId: z.string() }),
  z.strictObject({
    kind: z.literal('export'),
    table: z.enum(exportedTableNames),
    format: z.enum(exportFormats),
    where,
    cursor,
    limit: z.int().min(1).max(maxExported),
  }),
  /** Whether the books have the contribution: its rows, or its debit. */
  z.strictObject({ kind: z.literal('has'), id: z.string(), where }),
]);
export type BooksQuestion = z.output<typeof question>;

/** A draw whose numbers the archive of epochs has once they are revealed. */
const draw = z.strictObject({ instance_id: z.string(), epoch: z.int(), sequence: z.int() });
export type BookedDraw = z.output<typeof draw>;

const asOf = z.array(z.strictObject({ lane: z.int(), sequence: z.int(), timestamp: z.int() }));
export type BooksAsOf = z.output<typeof asOf>;

const answerHead = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('found'),
    asOf,
    /** null: there are no more rows. */
    cursor,
    /** Above `maxCounted`: more than that; null: they were not counted. */
    total: z.int().nullable(),
    draws: z.array(draw),
  }),
  /** The books have no such thing. */
  z.strictObject({ kind: z.literal('missing'), asOf }),
  /** The cursor is none of this list. */
  z.strictObject({ kind: z.literal('bad_cursor') }),
  /** A larger body than an answer may have. */
  z.strictObject({ kind: z.literal('too_large') }),
  /** The database does not answer, or others have asked for too much. */
  z.strictObject({ kind: z.literal('unavailable') }),
]);
/** `body`: JSON or lines, as the caller gets it; empty where nothing was found. */
export type BooksAnswer = z.output<typeof answerHead> & { readonly body: string };

/** Totals are exact up to this number. */
export const maxCounted = 10_000;

/** nats-server passes a megabyte. */
export const maxAnswerBytes = 1_000_000;

/** As it travels on the bus. */
export function encodeBooksQuestion(value: BooksQuestion): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** null: the message is no question. */
export function decodeBooksQuestion(bytes: Uint8Array): BooksQuestion | null {
  return parsed(question, Buffer.from(bytes).toString('utf8'));
}

/** The same of an answer; one that would be too large says so. */
export function encodeBooksAnswer({ body, ...head }: BooksAnswer): Uint8Array {
  const bytes = Buffer.from(`${JSON.stringify(head)}\n${body}`, 'utf8');
  return bytes.length <= maxAnswerBytes ? bytes : encodeBooksAnswer({ kind: 'too_large', body: '' });
}

/** null: the message is no answer. */
export function decodeBooksAnswer(bytes: Uint8Array): BooksAnswer | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = text.indexOf('\n');
  const head = parsed(answerHead, text.slice(0, Math.max(end, 0)));
  return head === null ? null : { ...head, body: text.slice(end + 1) };
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
