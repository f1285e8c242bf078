import { rulesOf } from '../../../jackpot/state/lane/version-rules.ts';
import { assert } from '../../../lib/assert.ts';
import { isGatewayName, replySubject } from '../../../log/base/names.ts';
import type { JournalledRecord } from '../../../log/lanes/outcome-journal.ts';
import type { BatchReply } from '../../../messages/bus-messages.ts';
import { encodeBatchReply } from '../../../messages/codec/codec.ts';
import { recordHead } from '../../../messages/codec/record-head.ts';
import type { Bus, Clock, StoredCommand } from '../../../ports.ts';
import type { Journal, OpenJournal } from '../../ports/journal.ts';
import type { AppliedMessage, Replica } from '../../replica/replica.ts';
import { DeferredReplies } from './deferred-replies.ts';
import { lateReplies, replyTo } from './replies.ts';
import { tracedRecord } from './traced-record.ts';

/** Records that a follower keeps in case it becomes the owner; beyond this it asks which are stored. */
const maxUnstoredRecords = 20_000;
const maxUnstoredBytes = 128 * 1024 * 1024;
/** Newest unstored messages that a new owner answers; gateways read older answers from the log. */
const maxUnanswered = 256;

/**
 * The one switch between following silently and emitting. Until `begin` a message leaves nothing but its
 * record, kept in case no host has stored it; from then on every message is answered and journalled.
 */
export class Emitter {
  readonly #replica: Replica;
  readonly #openJournal: OpenJournal;
  readonly #onFailure: (error: Error) => void;
  readonly #onFull: (full: boolean) => void;
  readonly #onStored: () => void;
  readonly #deferredReplies: DeferredReplies;
  readonly #send: (gateway: string, reply: BatchReply) => void;
  #unstored: JournalledRecord[] = [];
  #unstoredBytes = 0;
  /** What a dead owner may not have answered. */
  #unanswered: AppliedMessage[] = [];
  #journal: Journal | null = null;
  /** OUT's last record when the journal was opened. */
  #storedAtBegin = 0;
  #storedAtEnd: number;

  constructor(
    replica: Replica,
    ports: { readonly bus: Bus; readonly clock: Clock; readonly openJournal: OpenJournal },
    storedOutcome: number,
    onFailure: (error: Error) => void,
    onFull: (full: boolean) => void,
    onStored: () => void = () => {},
  ) {
    this.#replica = replica;
    this.#openJournal = ports.openJournal;
    this.#onFailure = onFailure;
    this.#onFull = onFull;
    this.#onStored = onStored;
    this.#storedAtEnd = storedOutcome;
    this.#send = (gateway, reply) => {
      if (isGatewayName(gateway)) ports.bus.publish(replySubject(gateway), encodeBatchReply(reply));
    };
    this.#deferredReplies = new DeferredReplies(ports.clock, this.#send);
  }

  get emitting(): boolean {
    return this.#journal !== null;
  }

  get storedOutcome(): number {
    return this.#journal?.storedSequence ?? this.#storedAtEnd;
  }

  get pendingRecords(): number {
    return this.#journal?.pendingCount ?? this.#unstored.length;
  }

  get pendingBytes(): number {
    return this.#journal?.pendingBytes ?? 0;
  }

  /** Takes an applied message; a returned promise asks to wait before the next one. */
  accept(applied: AppliedMessage, stored?: StoredCommand, seconds = 0): Promise<void> | null {
    if (this.#journal === null) {
      this.#addUnstored(applied);
      this.#deferredReplies.observe(applied);
      return null;
    }
    const traces = stored?.traces === undefined ? undefined : tracedRecord(stored, applied, seconds);
    this.#answer(applied);
    if (applied.sequence > this.#storedAtBegin) this.#journal.append({ ...this.#recordOf(applied), traces });
    return this.#journal.room();
  }

  /** The lane head of a kept record; null: it is not kept any more. */
  recentHead(sequence: number): Uint8Array | null {
    const record = this.#unstored[sequence - (this.#unstored[0]?.sequence ?? 0)];
    return record === undefined ? null : (recordHead(record.bytes)?.laneHead ?? null);
  }

  /** More than a follower may keep: the host has to find out what of it is stored. */
  get hasTooMuchUnstored(): boolean {
    return this.#unstored.length > maxUnstoredRecords || this.#unstoredBytes > maxUnstoredBytes;
  }

  trim(storedOutcome: number): void {
    this.#storedAtEnd = Math.max(this.#storedAtEnd, storedOutcome);
    if ((this.#unstored[0]?.sequence ?? storedOutcome + 1) > storedOutcome) return;
    this.#unstored = this.#unstored.filter((record) => record.sequence > storedOutcome);
    this.#unstoredBytes = this.#unstored.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.#unanswered = this.#unanswered.filter((applied) => applied.sequence > storedOutcome);
  }

  /**
   * Emits from now on: first the kept records after OUT record `lastOutcome`, which is the last one. The
   * owner before sent each reply before the record, so what is not stored may not be answered. A second reply
   * does no harm. OUT may be ahead of this replica: another host has claimed the lane since, or has stored
   * these records.
   */
  begin(lastOutcome: number): void {
    assert(this.#journal === null, 'the lane emits once at a time');
    // While the question for OUT's last record was on its way, a heartbeat may have said more.
    const storedOutcome = Math.max(lastOutcome, this.#storedAtEnd);
    const missing = this.#unstored.filter((record) => record.sequence > storedOutcome);
    const firstMissing = missing[0]?.sequence ?? Math.max(this.#replica.appliedSequence, storedOutcome) + 1;
    assert(firstMissing === storedOutcome + 1, 'every record that OUT misses was kept');
    const unanswered = this.#unanswered.filter((applied) => applied.sequence > storedOutcome);
    this.#unstored = [];
    this.#unstoredBytes = 0;
    this.#unanswered = [];
    for (const applied of unanswered) this.#answer(applied);
    this.#storedAtBegin = storedOutcome;
    const { lane } = this.#replica;
    this.#journal = this.#openJournal(lane, storedOutcome, this.#onFailure, this.#onFull, this.#onStored);
    for (const record of missing) this.#journal.append(record);
  }

  /**
   * Follows silently from now on. Records that were not stored are the next owner's, to the byte; they are
   * kept here too, in case that owner dies before it has stored them. Deferred replies go out when the next
   * owner has done its part.
   */
  async follow(): Promise<void> {
    const journal = this.#journal;
    if (journal === null) return;
    this.#storedAtEnd = journal.storedSequence;
    this.#unstored = [...journal.pending];
    this.#unstoredBytes = journal.pendingBytes;
    this.#journal = null;
    await journal.stop();
  }

  /** The lane halts: what was applied before is on its way to OUT. */
  flush(): void {
    this.#journal?.flush();
  }

  async end(): Promise<void> {
    this.#deferredReplies.releaseAll();
    await this.follow();
  }

  async drained(): Promise<void> {
    await this.#journal?.drained();
  }

  /** The message must be the last one applied: the engine says what form its record has. */
  #recordOf({ sequence, routing, record: bytes }: AppliedMessage): JournalledRecord {
    return {
      sequence,
      routing,
      bytes,
      inBlock: rulesOf(this.#replica.engine.engineVersion).recordsAreInBlocks,
    };
  }

  #answer(applied: AppliedMessage): void {
    if (applied.batch.gateway !== '') {
      this.#deferredReplies.sendWhenReady(applied, replyTo(applied, this.#replica));
    }
    for (const { gateway, reply } of lateReplies(applied, this.#replica)) this.#send(gateway, reply);
    this.#deferredReplies.observe(applied);
  }

  #addUnstored(applied: AppliedMessage): void {
    if (applied.sequence <= this.#storedAtEnd) return;
    this.#unstored.push(this.#recordOf(applied));
    this.#unstoredBytes += applied.record.length;
    this.#unanswered.push(applied);
    if (this.#unanswered.length > 2 * maxUnanswered)
      this.#unanswered = this.#unanswered.slice(-maxUnanswered);
  }
}
