import type { Msg } from '@nats-io/nats-core';
import { LogError } from '../../ports.ts';
import { apiSubject } from '../base/names.ts';
import { asking, askServer } from './api.ts';
import type { Requester } from './requester.ts';
import { isMessageMissing, toLogError } from './server-errors.ts';
import {
  answerHeader,
  parseDirect,
  parseTimestamp,
  partsInText,
  type StoredMessage,
} from './stored-message.ts';

const readTimeoutMs = 2_000;
const batchSilenceMs = 2_000;
/** Live messages of the connection wait for a batch: 8 MiB took 40 ms. */
const largeBatch: BatchLimit = { messages: 128, bytes: 1024 * 1024 };

/** What one answer brings at most: it is parsed in one turn, and 128 messages take milliseconds. */
export interface BatchLimit {
  readonly messages: number;
  readonly bytes: number;
}

type ReadRequest =
  | { readonly seq: number; readonly next_by_subj?: string }
  | { readonly last_by_subj: string };

/**
 * Reads one message; null if the stream does not have it. With several replicas only the leader may say so,
 * and only the leader knows the last message.
 * @throws LogError
 */
export async function readMessage(
  requester: Requester,
  stream: string,
  request: ReadRequest,
  replicas: number,
): Promise<StoredMessage | null> {
  if (replicas > 1 && 'last_by_subj' in request) return readFromLeader(requester, stream, request);
  const answer = await asking(() =>
    requester.send(apiSubject(`DIRECT.GET.${stream}`), JSON.stringify(request), readTimeoutMs),
  );
  const status = answer.data.length === 0 ? (answer.headers?.code ?? 0) : 0;
  if (status === 0) return parseDirect(answer);
  if (status !== 404) {
    throw new LogError('unavailable', `${stream} cannot be read: ${answer.headers?.description}`);
  }
  return replicas === 1 ? null : readFromLeader(requester, stream, request);
}

interface LeaderAnswer {
  readonly message: {
    readonly subject: string;
    readonly seq: number;
    readonly hdrs?: string;
    readonly data?: string;
    readonly time: string;
  };
}

async function readFromLeader(
  requester: Requester,
  stream: string,
  request: ReadRequest,
): Promise<StoredMessage | null> {
  const answer = await asking(() =>
    askServer<LeaderAnswer>(requester, `STREAM.MSG.GET.${stream}`, request, readTimeoutMs),
  );
  if (answer.error !== undefined) {
    if (isMessageMissing(answer.error)) return null;
    throw toLogError(answer.error, `Reading ${stream}`);
  }
  const { message } = answer.ok;
  const bytes = Buffer.from(message.data ?? '', 'base64');
  const headers = Buffer.from(message.hdrs ?? '', 'base64').toString('latin1');
  return {
    subject: message.subject,
    sequence: message.seq,
    timestampMs: parseTimestamp(message.time),
    bytes,
    removes: headers.includes('KV-Operation:'),
    relayed: headers.includes(`${answerHeader}:`),
    parts: partsInText(bytes, headers),
  };
}

/**
 * Reads messages from sequence `from` on in order, by default at most 128 or 1 MiB, with `subject` only
 * those. Fewer if the batch breaks off.
 * @throws LogError `unavailable` if it breaks off before the first message
 */
export function readStoredBatch(
  { connection }: Requester,
  stream: string,
  from: number,
  subject: string | null = null,
  limit: BatchLimit = largeBatch,
): Promise<readonly StoredMessage[]> {
  if (!connection.up) return Promise.reject(new LogError('unavailable', 'The connection is down.'));
  return new Promise((resolve, reject) => {
    const messages: StoredMessage[] = [];
    const inbox = connection.newInbox();
    const finish = (error?: LogError): void => {
      clearTimeout(timer);
      stopListening();
      subscription.unsubscribe();
      if (messages.length === 0 && error !== undefined) reject(error);
      else resolve(messages);
    };
    const silence = (): void => finish(new LogError('unavailable', `A batch of ${stream} did not arrive.`));
    const timer = setTimeout(silence, batchSilenceMs);
    const stopListening = connection.onDown(silence);
    const subscription = connection.nats.subscribe(inbox, {
      callback: (_error: Error | null, message: Msg) => {
        const code = message.data.length === 0 ? (message.headers?.code ?? 0) : 0;
        if (code === 204 || code === 404) return finish();
        if (code !== 0) {
          return finish(new LogError('unavailable', `${stream}: ${message.headers?.description}`));
        }
        const parsed = parseDirect(message);
        // A batch skips only missing messages; the follower looks for the gap.
        messages.push(parsed);
        timer.refresh();
      },
    });
    const batch = { seq: from, batch: limit.messages, max_bytes: limit.bytes };
    connection.nats.publish(
      apiSubject(`DIRECT.GET.${stream}`),
      JSON.stringify(subject === null ? batch : { ...batch, next_by_subj: subject }),
      { reply: inbox },
    );
  });
}
