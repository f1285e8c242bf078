import { type DirectoryEntry, readDirectoryChange } from '../../contracts/directory/directory.ts';
import type { Table } from '../../ports.ts';

/** An address that is sent events. */
export interface Subscription {
  readonly id: string;
  readonly operator: string;
  /** Brand paths; null: all brands of the operator. */
  readonly brands: ReadonlySet<string> | null;
  /** Whose secret signs: its only brand, or the operator. */
  readonly owner: string;
  readonly url: string;
  readonly eventTypes: ReadonlySet<string>;
  readonly createdMs: number;
}

/** The subscriptions of all operators, as they are now. */
export interface Subscriptions {
  all(): Iterable<Subscription>;
  get(id: string): Subscription | undefined;
  /** Calls after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

type Entry = Extract<DirectoryEntry, { kind: 'webhooksubscriptions' }>;

/** Subscriptions as the directory's entries say. */
export class KnownSubscriptions implements Subscriptions {
  readonly #byId = new Map<string, Subscription>();
  readonly #listeners = new Set<() => void>();

  all(): Iterable<Subscription> {
    return this.#byId.values();
  }

  get(id: string): Subscription | undefined {
    return this.#byId.get(id);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** All of an operator. */
  set(operator: string, subscriptions: Entry['subscriptions']): void {
    for (const each of [...this.#byId.values()]) if (each.operator === operator) this.#byId.delete(each.id);
    for (const { id, brands, url, event_types, created_timestamp } of subscriptions)
      this.#byId.set(id, {
        id,
        operator,
        brands: brands === null ? null : new Set(brands),
        owner: brands?.length === 1 ? (brands[0] ?? operator) : operator,
        url,
        eventTypes: new Set(event_types),
        createdMs: created_timestamp,
      });
    for (const listener of this.#listeners) listener();
  }
}

/** Follows the subscriptions; resolves when all of them are read. An unreadable entry stays as it was. */
export async function followSubscriptions(
  directory: Table,
  report: (message: string, error: unknown) => void,
): Promise<Subscriptions & { stop(): Promise<void> }> {
  const known = new KnownSubscriptions();
  let becomeCurrent: () => void = () => {};
  const current = new Promise<void>((resolve) => {
    becomeCurrent = resolve;
  });
  const entry: Parameters<Table['watch']>[0]['entry'] = (key, value, revision) => {
    try {
      const change = readDirectoryChange(key, value, revision);
      if (change?.kind === 'set' && change.entry.kind === 'webhooksubscriptions')
        known.set(change.entry.operator, change.entry.subscriptions);
      else if (change?.kind === 'removed' && change.reference.kind === 'webhooksubscriptions')
        known.set(change.reference.operator, []);
    } catch (error) {
      report(`The directory entry ${key} cannot be read.`, error);
    }
  };
  const watch = await directory.watch({ entry, current: becomeCurrent }, 'webhooksubscriptions');
  await current;
  return {
    all: () => known.all(),
    get: (id) => known.get(id),
    onChange: (listener) => known.onChange(listener),
    stop: () => watch.stop(),
  };
}
