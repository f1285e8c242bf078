import { type Hashing, notingKeys } from '../../../lib/hashing.ts';
import { bytesOfEvent, bytesOfWork } from '../../../messages/announced-bytes.ts';
import { DebitBatches } from '../../../messages/debit-batches.ts';
import type { LaneEvent } from '../../../messages/events.ts';
import type { EngineSettings } from '../../../messages/lane-commands.ts';
import type { RowError } from '../../../messages/outcomes.ts';
import type { BulkOptInRow } from '../../../messages/player-commands.ts';
import type { LaneWork } from '../../../messages/settlements.ts';
import { BindingBook } from '../directory/bindings.ts';
import { type Brand, BrandBook, defaultMaxPlayersPerOperator, PlayerCounts } from '../directory/brands.ts';
import { RateBook } from '../directory/rates.ts';
import type { Instance } from '../instance/instance.ts';
import { IdempotencyTable, KeyScopes } from '../keys/idempotency.ts';
import { CandidateWords } from '../players/candidates.ts';
import { OpenCredits, OpenDebits } from '../settlements/open-debits.ts';
import type { Recorder } from './recorder.ts';
import { rulesOf, type VersionRules } from './version-rules.ts';

/** Copies data that is about to change, if it is not copied yet. */
interface RunningSnapshot {
  captureInstance(instance: Instance): void;
  captureSegment(instance: Instance, number: number): void;
}

/** Everything a lane remembers, and what the message at hand needs. */
export class LaneState {
  readonly hashing: Hashing;
  /** The newest owner's; before the first one said its own, those that the lane was made with. */
  settings: EngineSettings;
  readonly instances = new Map<string, Instance>();
  readonly brands = new BrandBook();
  readonly rates = new RateBook();
  readonly bindings = new BindingBook();
  readonly keys: IdempotencyTable;
  readonly keyScopes: KeyScopes;
  /** When an upgrade made keys those of brands; null: there was none, or no key before it. */
  keysOfBrandsSinceMs: number | null = null;
  readonly playerCounts = new PlayerCounts();
  readonly debits = new OpenDebits();
  readonly credits = new OpenCredits();
  /** Number of the last debit or credit that was opened. */
  lastNumber = 0;
  appliedSequence = 0;
  nowMs = 0;
  ownerTerm = 0;
  /** Those of the lane's version of the engine. */
  rules: VersionRules = rulesOf(1);
  /** Sequence of the message that is being applied. */
  messageSequence = 0;
  /** Events of the current message; handed over with its outcome. */
  events: LaneEvent[] = [];
  /** Work of the current message for the wallet and the outbox. */
  work: LaneWork[] = [];
  /** About how many bytes of the message's OUT record events and work take. */
  announcedBytes = 0;
  /** About how many bytes the debits among it take in the message's OUT record. */
  debitBytes = 0;
  readonly debitBatches = new DebitBatches();
  /** Keys of the key streams that the message's draws asked for, in order. */
  readonly streamKeys: Uint8Array[] = [];
  /** Who waits for its answers. */
  origin: { readonly gateway: string; readonly batchId: Uint8Array } = {
    gateway: '',
    batchId: new Uint8Array(0),
  };
  /** Instances that gave sequence numbers in this message, and the first one. */
  readonly moved = new Map<Instance, number>();
  /** Instances to look at when the message ends, those that the last one had no room for first. */
  readonly touched = new Set<Instance>();
  /** Instances whose deadline may have moved since the last query for deadlines. */
  readonly movedDeadlines = new Set<Instance>();
  /** Instances whose owner may have epochs to open or reveal; the others are not looked at. */
  readonly withOwnerTasks = new Set<Instance>();
  /** Instances with work that is cut into steps. */
  readonly working = new Set<Instance>();
  /** Bulk opt-ins by the name of their job, in the order in which they began. */
  readonly bulk = new Map<string, BulkJob>();
  /** Where community payouts look for their players. */
  readonly candidates = new CandidateWords();
  /** Is in `touched`; null: not known. A set costs more to ask. */
  #lastTouched: Instance | null = null;
  recorder: Recorder | null = null;
  snapshot: RunningSnapshot | null = null;
  /** Number of the last snapshot begun. */
  generation = 0;

  #engineVersion = 1;

  constructor(hashing: Hashing, settings: EngineSettings) {
    this.hashing = notingKeys(hashing, this.streamKeys);
    this.keys = new IdempotencyTable(hashing.tableSecret);
    this.keyScopes = new KeyScopes((bytes) => hashing.sha256(bytes));
    this.settings = settings;
  }

  get engineVersion(): number {
    return this.#engineVersion;
  }

  set engineVersion(version: number) {
    this.#engineVersion = version;
    this.rules = rulesOf(version);
  }

  /** To be called before an instance changes: a running snapshot takes its copy first. */
  touch(instance: Instance): void {
    if (instance.captured !== this.generation) this.snapshot?.captureInstance(instance);
    this.recorder?.touched?.(instance);
    if (this.#lastTouched === instance) return;
    this.touched.add(instance);
    this.#lastTouched = instance;
  }

  /** The end of the message has looked at the instance. */
  settle(instance: Instance): void {
    this.touched.delete(instance);
    this.#lastTouched = null;
  }

  /** The same for the players of a row. */
  touchPlayers(instance: Instance, row: number): void {
    const segment = instance.players.segments[row >>> 12];
    if (segment !== undefined && segment.captured !== this.generation) {
      this.snapshot?.captureSegment(instance, row >>> 12);
    }
  }

  /** Whether the operator of the brand may have another row of a player in this lane. */
  mayAddPlayer(brand: Brand): boolean {
    const max = this.settings.maximumPlayersPerOperator ?? defaultMaxPlayersPerOperator;
    return this.playerCounts.of(brand) < max;
  }

  /** `bytes`: about what it takes in the OUT record. */
  announce(event: LaneEvent, bytes = bytesOfEvent(event)): void {
    this.events.push(event);
    this.announcedBytes += bytes;
  }

  /** For the wallet or the outbox. */
  addWork(work: LaneWork): void {
    this.work.push(work);
    this.announcedBytes += bytesOfWork(work);
  }

  /** The message has announced as much as one may: further work waits for another one, or is refused. */
  get isFull(): boolean {
    return this.announcedBytes >= (this.settings.maximumMessageBytes ?? Number.POSITIVE_INFINITY);
  }

  nextNumber(): number {
    this.lastNumber += 1;
    return this.lastNumber;
  }

  /** To be called when an epoch, a seed or the status of an instance has changed. */
  noteOwnerTask(instance: Instance): void {
    this.withOwnerTasks.add(instance);
    this.movedDeadlines.add(instance);
  }

  moveAllDeadlines(): void {
    for (const instance of this.instances.values()) this.movedDeadlines.add(instance);
  }
}

/** A bulk opt-in. Its rows never change, but are forgotten once all are done; errors are only appended. */
export interface BulkJob {
  readonly job: string;
  rows: readonly BulkOptInRow[];
  readonly user: string;
  nextRow: number;
  step: number;
  readonly errors: RowError[];
}
