import { headers } from '@nats-io/nats-core';
import { type AppendResult, LogError } from '../../ports.ts';
import type { Requester } from './requester.ts';
import { type ServerError, toLogError, wrongLastSequence } from './server-errors.ts';
import { partsHeader, tracesHeader } from './stored-message.ts';

const messageIdHeader = 'Nats-Msg-Id';
const expectedLastSequenceHeader = 'Nats-Expected-Last-Sequence';
const expectedLastSubjectSequenceHeader = 'Nats-Expected-Last-Subject-Sequence';

interface PublishOptions {
  readonly timeoutMs: number;
  readonly messageId?: string;
  readonly expectedLast?: number;
  readonly expectedLastOnSubject?: number;
  /** What the message does to its key in a table: only DEL removes it. */
  readonly operation?: 'DEL';
  /** The message expires after this time. */
  readonly ttlSeconds?: number;
  readonly parts?: string;
  /** Empty where nothing of the message is sampled. */
  readonly traces?: string | undefined;
}

interface PublishAcknowledgement {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: ServerError;
}

/**
 * Stores one message. `wrong_last_sequence` with `last` −1: the server does not say which is the last one.
 * @throws LogError; `unknown` if the message may be stored
 */
export async function publish(
  requester: Requester,
  subject: string,
  bytes: Uint8Array,
  options: PublishOptions,
): Promise<AppendResult> {
  const message = headers();
  if (options.messageId !== undefined) message.set(messageIdHeader, options.messageId);
  if (options.expectedLast !== undefined)
    message.set(expectedLastSequenceHeader, String(options.expectedLast));
  if (options.expectedLastOnSubject !== undefined) {
    message.set(expectedLastSubjectSequenceHeader, String(options.expectedLastOnSubject));
  }
  if (options.operation !== undefined) message.set('KV-Operation', options.operation);
  if (options.ttlSeconds !== undefined) message.set('Nats-TTL', `${options.ttlSeconds}s`);
  if (options.parts !== undefined) message.set(partsHeader, options.parts);
  if (options.traces) message.set(tracesHeader, options.traces);
  const answer = await requester.send(subject, bytes, options.timeoutMs, message);
  const acknowledgement: PublishAcknowledgement = answer.json();
  if (acknowledgement.error !== undefined) {
    const last = wrongLastSequence(acknowledgement.error);
    if (last === null) throw toLogError(acknowledgement.error, `Publishing to ${subject}`);
    return { kind: 'wrong_last_sequence', last };
  }
  if (acknowledgement.seq === undefined) {
    throw new LogError('unknown', `The acknowledgement of ${subject} cannot be read.`);
  }
  return {
    kind: 'stored',
    sequence: acknowledgement.seq,
    duplicate: acknowledgement.duplicate === true,
  };
}
