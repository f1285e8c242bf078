import type { ScannedMessage } from './scan.ts';

/** A change of the trail: what lists filter by, and where its entries are. */
export interface IndexedChange {
  readonly id: string;
  readonly sequence: number;
  readonly timestamp: number;
  readonly user: string;
  readonly operation: string;
  readonly owners: readonly string[];
  /** The message that has its outcome; 0: none has. Of an event its own. */
  outcomeSequence: number;
}

/** Changes in memory: about 25 MB. The oldest go, a twentieth at a time. */
export const maxIndexedChanges = 200_000;
const droppedPart = 0.05;
/** Intents that wait for their outcome; the oldest go. */
const maxOpen = 20_000;

/** The newest changes in the order of their intents, made from the messages of the trail. */
export class TrailIndex {
  readonly changes: IndexedChange[] = [];
  readonly #open = new Map<string, IndexedChange>();
  /** Equal texts and lists of owners once. */
  readonly #texts = new Map<string, string>();
  readonly #owners = new Map<string, readonly string[]>();
  readonly #maxChanges: number;
  /** The first and the last message that it has; 0: none yet. */
  firstSequence = 0;
  lastSequence = 0;
  /** When the first one was stored. */
  firstMs = 0;

  constructor(maxChanges = maxIndexedChanges) {
    this.#maxChanges = maxChanges;
  }

  /** The message behind the last one. */
  take({ sequence, timestampMs, entries }: ScannedMessage): void {
    if (this.firstSequence === 0) {
      this.firstSequence = sequence;
      this.firstMs = timestampMs;
    }
    this.lastSequence = sequence;
    for (const { kind, id, timestamp, user, operation, owners } of entries) {
      if (kind === 'outcome') {
        const change = this.#open.get(id);
        if (change !== undefined) change.outcomeSequence = sequence;
        this.#open.delete(id);
        continue;
      }
      const change: IndexedChange = {
        id,
        sequence,
        timestamp,
        user: this.#text(user),
        operation: this.#text(operation),
        owners: this.#ownersOf(owners),
        outcomeSequence: kind === 'event' ? sequence : 0,
      };
      this.changes.push(change);
      if (kind === 'intent') this.#wait(change);
    }
    if (this.changes.length >= this.#maxChanges * (1 + droppedPart)) this.#dropOldest();
  }

  #wait(change: IndexedChange): void {
    this.#open.set(change.id, change);
    if (this.#open.size > maxOpen) this.#open.delete(this.#open.keys().next().value as string);
  }

  #dropOldest(): void {
    this.changes.splice(0, this.changes.length - this.#maxChanges);
    const oldest = this.changes[0]!;
    this.firstSequence = oldest.sequence;
    this.firstMs = oldest.timestamp;
    this.#texts.clear();
    this.#owners.clear();
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }

  #ownersOf(owners: readonly string[]): readonly string[] {
    const key = owners.join(' ');
    const known = this.#owners.get(key);
    if (known !== undefined) return known;
    this.#owners.set(key, owners);
    return owners;
  }
}
