import type { Msg, MsgHdrs } from '@nats-io/nats-core';
import { tracer } from '../../lib/tracing.ts';

/** Header of the head of a record in parts: `<number of parts> <bytes of the record>`. */
export const partsHeader = 'Potstream-Parts';
/** Header of a message with sampled parts (docs/decisions/0305). */
export const tracesHeader = 'Potstream-Traces';
/** No message without that header has this many bytes of headers; reading headers parses them. */
const minTracedHeaderBytes = 100;
/** The length of a head's body, the SHA-256 of the record. Headers of other messages are not read. */
export const headBytes = 32;

/** A message of a stream, as consumers, direct reads and the leader return it. */
export interface StoredMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
  /** True where the message removes a key of a table. */
  readonly removes: boolean;
  /** On the head of an outcome record, the value of partsHeader; null: the message is whole. */
  readonly parts: string | null;
  /**
   * True if nats-server stored it for a role that may not publish there: its answer to a direct read, on a
   * subject that the caller named (docs/decisions/0086). Not checked for batches, where gateways may write
   * any bytes.
   */
  readonly relayed: boolean;
  /** The value of tracesHeader; of followed messages alone. */
  readonly traces?: string | undefined;
}

/** Header that only nats-server writes, into its answers to direct reads. */
export const answerHeader = 'Nats-Stream';

interface ConsumerDelivery {
  readonly sequence: number;
  /** Position among the consumer's deliveries, gapless from 1. */
  readonly consumerSequence: number;
  readonly timestampMs: number;
}

/**
 * Reads the reply subject of a consumer's delivery; null for any other. `$JS.ACK.[<domain>.<account
 * hash>.]<stream>.<consumer>.<delivered>.<stream sequence>.<consumer sequence>.<time>.<pending>…`
 */
export function parseDelivery(reply: string): ConsumerDelivery | null {
  const tokens = reply.split('.');
  const at = tokens.length > 9 ? 6 : 4;
  const time = tokens[at + 3];
  if (tokens[1] !== 'ACK' || time === undefined) return null;
  return {
    sequence: Number(tokens[at + 1]),
    consumerSequence: Number(tokens[at + 2]),
    timestampMs: Number(time.slice(0, -6)),
  };
}

/**
 * Reads an answer to a direct read. The headers of the server come last, after those of the publisher.
 * @throws TypeError if there are no headers
 */
export function parseDirect(message: Msg): StoredMessage {
  const { headers } = message;
  if (headers === undefined) throw new TypeError('a direct read without headers');
  return {
    subject: headers.last('Nats-Subject'),
    sequence: Number(headers.last('Nats-Sequence')),
    timestampMs: parseTimestamp(headers.last('Nats-Time-Stamp')),
    bytes: message.data,
    removes: headers.has('KV-Operation'),
    parts: partsIn(message.data, headers),
    relayed: headers.values(answerHeader).length > 1,
  };
}

/** The value of tracesHeader, where this process traces and the message has it. */
export function tracesIn(message: Msg): string | undefined {
  if (tracer === null) return undefined;
  const { subject, reply, data } = message;
  // In the library, but not in its types.
  const bytes = (message as Msg & { size?(): number }).size?.() ?? Number.POSITIVE_INFINITY;
  const headerBytes = bytes - subject.length - (reply?.length ?? 0) - data.length;
  return headerBytes < minTracedHeaderBytes ? undefined : message.headers?.get(tracesHeader) || undefined;
}

/** The value of partsHeader if the message is a head; null if it is whole. */
export function partsIn(bytes: Uint8Array, headers: MsgHdrs | undefined): string | null {
  return bytes.length === headBytes ? headers?.get(partsHeader) || null : null;
}

/** As partsIn, of headers in their stored form. */
export function partsInText(bytes: Uint8Array, headers: string): string | null {
  if (bytes.length !== headBytes) return null;
  return new RegExp(`^${partsHeader}: *(.*?)\\r?$`, 'm').exec(headers)?.[1] ?? null;
}

/** Reads an RFC 3339 time in UTC, with up to nine decimals, in milliseconds, cut like a delivery's time. */
export function parseTimestamp(text: string): number {
  const fraction = text[19] === '.' ? text.slice(20).replace(/\D.*$/, '') : '';
  return Date.parse(`${text.slice(0, 19)}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3));
}
