import type { StoredAudit } from '../ports.ts';
import { decodeMessage, hashOf } from './chain.ts';
import { type Beginning, otherMessage, type SeenTrail } from './witnessed.ts';

/** What a verification of the trail finds. */
export interface TrailReport {
  readonly verified: boolean;
  /** Why a trail without a fault is not verified: it is empty, or its beginning is gone; null: it is. */
  readonly incomplete: string | null;
  readonly messages: number;
  readonly entries: number;
  /** null: the trail is empty. */
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  /** SHA-256 of the last message: note it, and a later verification can show that it is still there. */
  readonly head: string | null;
  readonly faults: readonly AuditFault[];
  /** Intents without an outcome, oldest first: a gateway ended in between, or the change is under way. */
  readonly open: readonly { readonly id: string; readonly sequence: number }[];
}

interface AuditFault {
  readonly sequence: number;
  readonly kind: 'changed' | 'removed' | 'reordered' | 'foreign' | 'head_missing';
  readonly message: string;
}

const maxFaults = 100;
const maxOpen = 100_000;

/** Checks the messages of a trail, handed in one by one in the order in which they are stored. */
export class AuditVerification {
  readonly #expectedHead: string | null;
  readonly #seen: readonly SeenTrail[];
  readonly #faults: AuditFault[] = [];
  readonly #open = new Map<string, number>();
  #previous: { readonly sequence: number; readonly hash: string } | null = null;
  #first: number | null = null;
  #messages = 0;
  #entries = 0;
  #sawHead = false;

  /** `seen`: its messages must be these ones. */
  constructor(options: { readonly expectedHead?: string | null; readonly seen?: readonly SeenTrail[] } = {}) {
    this.#expectedHead = options.expectedHead ?? null;
    this.#seen = options.seen ?? [];
  }

  take({ sequence, bytes, relayed }: Pick<StoredAudit, 'sequence' | 'bytes' | 'relayed'>): void {
    const hash = hashOf(bytes);
    this.#checkPlace(sequence);
    this.#first ??= sequence;
    this.#messages += 1;
    this.#sawHead ||= hash === this.#expectedHead;
    const other = this.#seen.find(({ last, head }) => last === sequence && head !== hash);
    if (other !== undefined) this.#add(sequence, 'changed', otherMessage(other));
    const message = relayed ? null : decodeMessage(bytes);
    if (relayed) this.#fault(sequence, 'foreign', 'was stored for a party that may not write the trail');
    else if (message === null) this.#fault(sequence, 'changed', 'is not what was written');
    else {
      if (message.sequence !== sequence)
        this.#fault(sequence, 'reordered', `was written as message ${message.sequence}`);
      if (this.#previous !== null && message.previous !== this.#previous.hash)
        this.#fault(sequence, 'changed', 'does not continue the message before it');
      this.#takeEntries(sequence, message.entries);
    }
    this.#previous = { sequence, hash };
  }

  /** `lastSequence` of the stream, if known; `beginning` and the end as they were judged. */
  report(
    lastSequence: number | null = null,
    beginning: Beginning = this.#beginning(),
    lostEnd: string | null = null,
  ): TrailReport {
    const end = this.#previous?.sequence ?? 0;
    if (beginning.kind === 'lost') this.#add(beginning.sequence, 'removed', beginning.message);
    if (lastSequence !== null && end < lastSequence)
      this.#fault(lastSequence, 'removed', `is missing, with those behind ${end}`);
    if (lostEnd !== null) this.#add(end, 'removed', lostEnd);
    if (this.#expectedHead !== null && !this.#sawHead)
      this.#fault(end, 'head_missing', 'is the last one, and none has the head that was expected');
    const incomplete = beginning.kind === 'unproven' ? beginning.message : null;
    return {
      verified: this.#faults.length === 0 && incomplete === null,
      incomplete,
      messages: this.#messages,
      entries: this.#entries,
      firstSequence: this.#first,
      lastSequence: this.#previous?.sequence ?? null,
      head: this.#previous?.hash ?? null,
      faults: this.#faults,
      open: [...this.#open].map(([id, sequence]) => ({ id, sequence })),
    };
  }

  #checkPlace(sequence: number): void {
    if (this.#previous === null) return;
    const expected = this.#previous.sequence + 1;
    if (sequence > expected) this.#fault(sequence, 'removed', `follows ${expected - 1}`);
    if (sequence < expected) this.#fault(sequence, 'reordered', `follows ${expected - 1}`);
  }

  /** What is known of a trail that was never seen. */
  #beginning(): Beginning {
    if (this.#first === 1) return { kind: 'whole' };
    const sequence = this.#first ?? 0;
    const message =
      this.#first === null
        ? 'It is empty.'
        : `It begins with message ${sequence}: those before it are not here.`;
    return { kind: 'unproven', sequence, message };
  }

  #takeEntries(sequence: number, entries: readonly { readonly id: string; readonly kind: string }[]): void {
    for (const { id, kind } of entries) {
      this.#entries += 1;
      if (kind === 'outcome') this.#open.delete(id);
      if (kind === 'intent' && this.#open.size < maxOpen) this.#open.set(id, sequence);
    }
  }

  #fault(sequence: number, kind: AuditFault['kind'], what: string): void {
    this.#add(sequence, kind, `Message ${sequence} ${what}.`);
  }

  #add(sequence: number, kind: AuditFault['kind'], message: string): void {
    if (this.#faults.length < maxFaults) this.#faults.push({ sequence, kind, message });
  }
}
