import { crash } from '../../lib/crash.ts';
import { LogError, type Table, type TableEntry, type TableName } from '../../ports.ts';
import { isTableKey, tableStream, tableSubject, tableSubjects } from '../base/names.ts';
import { storedSubjects } from './api.ts';
import type { LogConnection } from './connection.ts';
import { readMessage } from './direct-read.ts';
import { publish } from './publish.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';
import { TableWatch } from './table-watch.ts';

const writeTimeoutMs = 5_000;
/** Keys of a damaged table that a log line names. */
const maxNamedKeys = 20;
/** Tables whose keys are used once: what marks a removed key expires, when everybody has seen it. */
const markerSeconds: Partial<Record<TableName, number>> = { DELIVERIES: 3_600 };

/** A KV bucket, used through its stream, which keeps the last message of each key. */
export class JetStreamTable implements Table {
  readonly #connection: LogConnection;
  readonly #requester: Requester;
  readonly #name: TableName;
  readonly #replicas: number;

  constructor(connection: LogConnection, requester: Requester, name: TableName, replicas: number) {
    this.#connection = connection;
    this.#requester = requester;
    this.#name = name;
    this.#replicas = replicas;
  }

  async get(key: string): Promise<TableEntry | null> {
    const stored = await this.#read(key);
    return stored === null || stored.removes
      ? null
      : { key, value: new Uint8Array(stored.bytes), revision: stored.sequence };
  }

  async put(key: string, value: Uint8Array, expectedRevision: number): Promise<number | null> {
    const revision = await this.#write(key, value, expectedRevision);
    if (revision !== null || expectedRevision !== 0) return revision;
    // A removed key still has a last message; only it may be overwritten.
    const stored = await this.#read(key);
    return stored?.removes === true ? this.#write(key, value, stored.sequence) : null;
  }

  async remove(key: string, expectedRevision: number): Promise<boolean> {
    return (await this.#write(key, new Uint8Array(0), expectedRevision, 'DEL')) !== null;
  }

  async keys(prefix = ''): Promise<string[]> {
    const present = new Set<string>();
    const watch = this.#startWatch((key, value) => {
      if (!key.startsWith(prefix)) return;
      if (value === null) present.delete(key);
      else present.add(key);
    });
    await watch.whenCurrent;
    await watch.stop();
    return [...present].sort();
  }

  async everHad(under: string): Promise<boolean> {
    const subjects = tableSubject(this.#name, `${under}.>`);
    return (await storedSubjects(this.#requester, tableStream(this.#name), subjects)).length > 0;
  }

  async watch(handlers: Parameters<Table['watch']>[0], under?: string): Promise<{ stop(): Promise<void> }> {
    return this.#startWatch(
      (key, value, revision) => handlers.entry(key, value, revision),
      () => handlers.current?.(),
      under === undefined ? tableSubjects(this.#name) : tableSubject(this.#name, `${under}.>`),
    );
  }

  #startWatch(
    entry: (key: string, value: Uint8Array | null, revision: number) => void,
    current: () => void = () => {},
    filter = tableSubjects(this.#name),
  ): TableWatch {
    const prefix = tableSubject(this.#name, '');
    const deliver = (message: StoredMessage): void => {
      // Not written by a role that may write the table: the earlier value stays.
      if (message.relayed || !message.subject.startsWith(prefix)) return;
      const value = message.removes ? null : new Uint8Array(message.bytes);
      entry(message.subject.slice(prefix.length), value, message.sequence);
    };
    return new TableWatch(
      this.#connection,
      this.#requester,
      {
        stream: tableStream(this.#name),
        filter,
        isWhole: filter === tableSubjects(this.#name),
        replicas: this.#replicas,
      },
      { message: deliver, current, incomplete: (subjects) => this.#tellMissing(filter, subjects) },
    );
  }

  /** `received`: what could be read. The other keys are damaged, or were removed meanwhile. */
  #tellMissing(filter: string, received: ReadonlySet<string>): void {
    const prefix = tableSubject(this.#name, '');
    storedSubjects(this.#requester, tableStream(this.#name), filter)
      .then((stored) => {
        const damaged = stored.filter((subject) => !received.has(subject));
        const keys = damaged.map((subject) => subject.slice(prefix.length));
        if (keys.length > 0) warnOfDamage(this.#name, keys);
      })
      .catch((error: unknown) => {
        if (!(error instanceof LogError)) crash(error);
        else warnOfDamage(this.#name, []);
      });
  }

  async #read(key: string): Promise<StoredMessage | null> {
    checkKey(key);
    const request = { last_by_subj: tableSubject(this.#name, key) };
    const stored = await readMessage(this.#requester, tableStream(this.#name), request, this.#replicas);
    // Like a removed entry, it has no value and may be overwritten.
    return stored?.relayed === true ? { ...stored, removes: true } : stored;
  }

  #markerLife(): { readonly ttlSeconds?: number } {
    const ttlSeconds = markerSeconds[this.#name];
    return ttlSeconds === undefined ? {} : { ttlSeconds };
  }

  async #write(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    operation?: 'DEL',
  ): Promise<number | null> {
    checkKey(key);
    const result = await publish(this.#requester, tableSubject(this.#name, key), value, {
      timeoutMs: writeTimeoutMs,
      expectedLastOnSubject: expectedRevision,
      ...(operation === undefined ? {} : { operation, ...this.#markerLife() }),
    });
    return result.kind === 'stored' ? result.sequence : null;
  }
}

function warnOfDamage(table: TableName, keys: readonly string[]): void {
  const named = keys.slice(0, maxNamedKeys).join(', ');
  const which = keys.length === 0 ? 'some entries' : `${keys.length} of its entries (${named})`;
  process.emitWarning(
    `KV ${table} is damaged in the files of nats-server: ${which} cannot be read, and count as if they were not there. Runbook: docs/operate.md#damaged-tables`,
    { code: 'POTSTREAM_TABLE_DAMAGED' },
  );
}

function checkKey(key: string): void {
  if (!isTableKey(key)) throw new LogError('misconfigured', `"${key}" cannot be a key of a table.`);
}
