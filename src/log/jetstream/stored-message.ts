import type { Msg, MsgHdrs } from '@nats-io/nats-core';

/** On the head of an outcome record that is stored in parts: how many they are, and the bytes of all. */
export const partsHeader = 'Potstream-Parts';
/** A head's body is the SHA-256 of the record; nobody looks into the headers of other messages. */
export const headBytes = 32;

/** A message of a stream as its consumers, direct reads and the stream's leader give it. */
export interface StoredMessage {
  readonly subject: string;
  readonly sequence: number;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
  /** True where the message removes a key of a table. */
  readonly removes: boolean;
  /** Of an outcome record's head: what partsHeader says; null: the message is whole. */
  readonly parts: string | null;
  /**
   * True where nats-server stored it for who may not publish there: its answer to a direct read, on a subject that the asker named
   * (docs/decisions/0087). Not looked at where gateways may write what they like anyway.
   */
  readonly relayed: boolean;
}

/** Only nats-server writes it, into its answers to direct reads. */
export const answerHeader = 'Nats-Stream';

export interface Delivery {
  readonly sequence: number;
  /** Position among the consumer's deliveries, gapless from 1. */
  readonly consumerSequence: number;
  readonly timestampMs: number;
}

/**
 * `$JS.ACK.[<domain>.<account hash>.]<stream>.<consumer>.<delivered>.<stream sequence>.<consumer sequence>.<time>.<pending>…`
 */
export function parseDelivery(reply: string): Delivery | null {
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

/** Of an answer to a direct read. The server's headers stand last, behind whatever the message was published with. */
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

export function partsIn(bytes: Uint8Array, headers: MsgHdrs | undefined): string | null {
  return bytes.length === headBytes ? headers?.get(partsHeader) || null : null;
}

/** The same of headers as they are stored. */
export function partsInText(bytes: Uint8Array, headers: string): string | null {
  if (bytes.length !== headBytes) return null;
  return new RegExp(`^${partsHeader}: *(.*?)\\r?$`, 'm').exec(headers)?.[1] ?? null;
}

/** RFC 3339 with up to nine digits of a second; cut to milliseconds, as a delivery's time is. */
export function parseTimestamp(text: string): number {
  const fraction = text[19] === '.' ? text.slice(20).replace(/\D.*$/, '') : '';
  return Date.parse(`${text.slice(0, 19)}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3));
}
