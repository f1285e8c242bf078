import { column } from './columns.ts';

const { flag, integer, json, optional, text, time } = column;

/**
 * What the log of the lanes does not have. These tables reach back as far as their streams: books that are
 * made anew have what is there then.
 */

const triesWay =
  'TRIES, best effort: what was too much, or told while nats-server was away, is missing; it keeps 35 days and 512 MiB';
/** A try that is written again takes its own place. */
const ofTry = {
  process: text('The process that made it: random, of one life of it'),
  number: integer('Counts the tries of the process from 1: one that is missing was lost'),
  time: time('When it ended, by the clock of the process'),
  took_ms: integer('How long it took, in milliseconds'),
};
const tryKey = ['process', 'number'] as const;
const status = optional(integer('Status of HTTP; empty: no answer'));

export const sideTables = {
  wallet_tries: {
    way: 'state',
    meaning:
      "Each try of a call to a brand's wallet that moved money, or was to; calls that were not sent are none",
    source: triesWay,
    key: tryKey,
    indexes: [['transaction_id'], ['batch_id'], ['brand', 'time'], ['operator', 'time'], ['time']],
    columns: {
      ...ofTry,
      call: text('`W2` (cancel), `W3` (debit or credit), `W4` (batch), `W5` (cancel a batch)'),
      operator: text("The brand's operator"),
      brand: text('`operator:brand` whose wallet it is'),
      transaction_id: optional(text('The payment; empty: a batch')),
      batch_id: optional(text('The batch, as `payments` has it')),
      records: integer('Transactions that it was about'),
      result: text('`accepted`, `refused`, or `unknown`: it may have happened'),
      code: optional(text("The wallet's error code; of `unknown` why: `no_answer`, `status`, `garbage`, …")),
      status,
    },
  },
  callback_tries: {
    way: 'state',
    meaning: 'Each try of a callback or flush; while a receiver is down only probes are tries',
    source: triesWay,
    key: tryKey,
    indexes: [['event_id'], ['operator', 'time'], ['time']],
    columns: {
      ...ofTry,
      kind: text('`ContributionResult`, `DiversionFlush`'),
      event_id: text('`event_id` of a callback, the same for each try; `transaction_id` of a flush'),
      operator: text('The operator that receives it'),
      owner: text('`operator` or `operator:brand` whose secret signs'),
      lane: integer('Lane of the event'),
      sequence: integer('Message of the lane that brought it'),
      origin: text('`https://host`: nothing else of an address is here'),
      result: text('`delivered` or `failed`'),
      error: optional(text('Why it failed: `no_answer`, `status_500`, …')),
      status,
      is_final: flag('It is not tried again by itself'),
    },
  },
  audit: {
    way: 'state',
    meaning:
      'Who changed what, and why: each entry of the audit trail. An intent and its outcome have the same `id`',
    source:
      'AUDIT, from its oldest message on; without addresses, inputs and ids of players, which the trail has',
    key: ['sequence', 'part'],
    indexes: [['id'], ['request_id'], ['user_name', 'time'], ['operation', 'time'], ['time']],
    columns: {
      sequence: integer('Message of the trail'),
      part: integer('Place of the entry in it, from 0'),
      time: time('When the entry was made'),
      id: text('The change'),
      kind: text('`intent` before it, `outcome` after it, or `event`: complete by itself'),
      request_id: text('`X-Request-Id` of the request'),
      operation: text('`A22`, `login`'),
      method: text('Of HTTP, or of the command'),
      path: text('The path with its parameters'),
      user_name: text('Who made it'),
      owners: json('Operators and brands that it concerns; the empty text is the whole system'),
      reason: optional(text('The reason that was given')),
      approval_id: optional(text('The approval, where two persons made it')),
      approved_by: optional(text('The second person')),
      outcome: optional(text('`applied`, `proposed`, `refused`, `unknown`; empty: an intent')),
      status,
      code: optional(text('The error code of a refusal')),
      changes: optional(
        json(
          'What changed, before and after: `[{"object", "before", "after"}]`, without secrets and ids of players',
        ),
      ),
    },
  },
  stream_positions: {
    way: 'state',
    meaning: 'How far these tables are',
    source: 'the writer, with the rows of the same transaction',
    key: ['stream'],
    indexes: [],
    columns: {
      stream: text('`TRIES` or `AUDIT`'),
      sequence: integer('Last message whose rows are here'),
      time: time('When it was stored'),
      system_id: text('The system whose stream it is'),
    },
  },
} as const;

/** Tables whose rows come from a stream beside the lanes. */
export type SideTable = Exclude<keyof typeof sideTables, 'stream_positions'>;
export type SideStream = 'TRIES' | 'AUDIT';
