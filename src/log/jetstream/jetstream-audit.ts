import type { AppendResult, AuditLog, StoredAudit, StreamExtent } from '../../ports.ts';
import { auditEntriesSubject, auditStream } from '../base/names.ts';
import { streamExtent } from './api.ts';
import type { LogConnection } from './connection.ts';
import { readMessage, readStoredBatch } from './direct-read.ts';
import { publish } from './publish.ts';
import { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

const appendTimeoutMs = 1_500;

/** The stream AUDIT on JetStream. */
export class JetStreamAudit implements AuditLog {
  readonly #requester: Requester;
  readonly #replicas: number;

  constructor(connection: LogConnection, replicas: number) {
    this.#requester = new Requester(connection);
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

  async readFrom(fromSequence: number): Promise<readonly StoredAudit[]> {
    return (await readStoredBatch(this.#requester, auditStream, fromSequence)).map(stored);
  }

  extent(): Promise<StreamExtent> {
    return streamExtent(this.#requester, auditStream);
  }

  close(): Promise<void> {
    return this.#requester.connection.close();
  }
}

function stored({ sequence, timestampMs, bytes, relayed }: StoredMessage): StoredAudit {
  return { sequence, timestampMs, bytes, relayed };
}
