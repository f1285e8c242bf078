import type { AppendResult, AuditLog, StoredAudit, StreamExtent, StreamReader } from '../../ports.ts';
import { auditEntriesSubject, auditStream } from '../base/names.ts';
import { streamExtent } from './api.ts';
import type { LogConnection } from './connection.ts';
import { readMessage, readStoredBatch } from './direct-read.ts';
import { publish } from './publish.ts';
import { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

const appendTimeoutMs = 1_500;

/** A stream that is only read. */
export class JetStreamReader implements StreamReader {
  readonly #requester: Requester;
  readonly #stream: string;

  constructor(requester: Requester, stream: string) {
    this.#requester = requester;
    this.#stream = stream;
  }

  async readFrom(fromSequence: number): Promise<readonly StoredAudit[]> {
    return (await readStoredBatch(this.#requester, this.#stream, fromSequence)).map(stored);
  }

  extent(): Promise<StreamExtent> {
    return streamExtent(this.#requester, this.#stream);
  }
}

/** The stream AUDIT on JetStream. */
export class JetStreamAudit implements AuditLog {
  readonly #requester: Requester;
  readonly #reader: StreamReader;
  readonly #replicas: number;

  constructor(connection: LogConnection, replicas: number) {
    this.#requester = new Requester(connection);
    this.#reader = new JetStreamReader(this.#requester, auditStream);
    this.#replicas = replicas;
  }

  async append(bytes: Uint8Array, expectedLast: number): Promise<AppendResult> {
    const options = { timeoutMs: appendTimeoutMs, expectedLast };
    const result = await publish(this.#requester, auditEntriesSubject, bytes, options);
    if (result.kind === 'stored' || result.last >= 0) return result;
    return { kind: 'wrong_last_sequence', last: (await this.extent()).lastSequence };
  }

  async read(sequence: number): Promise<StoredAudit | null> {
    if (sequence < 1) return null;
    const message = await readMessage(this.#requester, auditStream, { seq: sequence }, this.#replicas);
    return message === null ? null : stored(message);
  }

  readFrom(fromSequence: number): Promise<readonly StoredAudit[]> {
    return this.#reader.readFrom(fromSequence);
  }

  extent(): Promise<StreamExtent> {
    return this.#reader.extent();
  }

  close(): Promise<void> {
    return this.#requester.connection.close();
  }
}

function stored({ sequence, timestampMs, bytes, relayed }: StoredMessage): StoredAudit {
  return { sequence, timestampMs, bytes, relayed };
}
