import { type LaneReport, servesReads } from '../contracts/lanes/lane-report.ts';
import type { LaneCondition } from '../messages/bus-messages.ts';

/** A lane whose host has said nothing for this long is silent; its last words no longer count. */
const maxSilenceMs = 5_000;
/** While another host serves the lane, one that says that it stopped there does not count. */
const servedLatelyMs = 2_000;
/** How long a new process waits for lanes that are neither read nor known to have stopped. */
const maxWaitForLanesMs = 30_000;

/** The parts of a heartbeat that show the condition of a lane. */
export interface LaneSignal {
  readonly lane: number;
  readonly host: string;
  readonly condition: LaneCondition;
  readonly code: string;
}

interface Lane {
  isRead: boolean;
  signal: LaneSignal | null;
  signalledMs: number;
  servedBy: string;
  servedMs: number;
  /** Something came that this version does not read. */
  isForeign: boolean;
}

/** The condition of each lane, from its host's heartbeats and from how far it was read. */
export class LaneConditions {
  readonly #lanes: Lane[];
  #nowMs = 0;
  #startedMs: number | null = null;
  #settled = false;
  /** By lane; of nearly all requests only this is asked. */
  #faults: (LaneFault | null)[];

  constructor(lanes: number) {
    this.#lanes = Array.from({ length: lanes }, () => ({
      isRead: false,
      signal: null,
      signalledMs: Number.NEGATIVE_INFINITY,
      servedBy: '',
      servedMs: Number.NEGATIVE_INFINITY,
      isForeign: false,
    }));
    this.#faults = this.#lanes.map(() => 'overloaded');
  }

  observe(signal: LaneSignal, nowMs: number): void {
    const lane = this.#lanes[signal.lane];
    if (lane === undefined) return;
    if (signal.condition !== 'stopped') {
      lane.servedBy = signal.host;
      lane.servedMs = nowMs;
    } else if (lane.servedBy !== signal.host && nowMs - lane.servedMs < servedLatelyMs) return;
    const isNews = lane.signal?.condition !== signal.condition;
    lane.signal = signal;
    lane.signalledMs = nowMs;
    lane.isForeign = false;
    if (isNews) this.timePassed(nowMs);
  }

  /** A heartbeat of the lane that this version does not read. */
  observeForeign(lane: number, nowMs: number): void {
    const found = this.#lanes[lane];
    if (found !== undefined && nowMs - found.signalledMs >= maxSilenceMs) found.isForeign = true;
  }

  /** The lane has been read up to now, from here on it is followed. */
  read(lane: number): void {
    const found = this.#lanes[lane];
    if (found === undefined) return;
    found.isRead = true;
    this.timePassed(this.#nowMs);
  }

  timePassed(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    if (nowMs > 0) this.#startedMs ??= nowMs;
    const reports = this.reports();
    this.#settled ||= reports.every(({ condition }) => condition !== 'starting');
    this.#faults = reports.map(({ condition }, lane) => {
      if (condition === 'stopped') return 'instance_unavailable';
      return this.#lanes[lane]!.isRead ? null : 'overloaded';
    });
  }

  /** False while a lane may still be about to be read for the first time. */
  get settled(): boolean {
    return this.#settled;
  }

  get allRead(): boolean {
    return this.#lanes.every(({ isRead }) => isRead);
  }

  /** Whether anything is served: a silent lane that was read may be about to be taken over. */
  get anyServes(): boolean {
    return this.reports().some((report) => servesReads(report) || this.#faults[report.lane] === null);
  }

  /** Why nothing can be asked of the lane now; null: it can. */
  fault(lane: number): LaneFault | null {
    return this.#faults[lane] ?? null;
  }

  /** Why something unknown may exist all the same, in a lane that was never read; null: it does not. */
  unknownFault(): LaneFault | null {
    let found: LaneFault | null = null;
    for (const [lane, { isRead }] of this.#lanes.entries()) {
      if (isRead) continue;
      if (this.#faults[lane] === 'instance_unavailable') return 'instance_unavailable';
      found = 'overloaded';
    }
    return found;
  }

  /** Lanes that lists can say nothing of, or nothing new. */
  missing(): number[] {
    return this.#faults.flatMap((fault, lane) => (fault === null ? [] : [lane]));
  }

  /** A text for each lane, another one where its report or its host has changed. */
  marks(): string[] {
    return this.reports().map(
      ({ lane, condition, code }) => `${condition} ${code} ${this.#lanes[lane]?.servedBy}`,
    );
  }

  reports(): LaneReport[] {
    return this.#lanes.map((lane, index) => ({ lane: index, ...this.#report(lane) }));
  }

  #report({ isRead, signal, signalledMs, isForeign }: Lane): Omit<LaneReport, 'lane'> {
    const isAlive = signal !== null && this.#nowMs - signalledMs < maxSilenceMs;
    if (isAlive && signal.condition === 'stopped') return { condition: 'stopped', code: signal.code };
    if (isAlive && isRead) return { condition: signal.condition, code: signal.code };
    // A lane that comes back later is read beside those that serve: only the first start waits for it.
    const waits = this.#startedMs === null || this.#nowMs - this.#startedMs < maxWaitForLanesMs;
    if (!isRead && (waits || (isAlive && this.#settled))) return { condition: 'starting', code: 'unread' };
    if (!isRead && isAlive) return { condition: 'silent', code: 'unread' };
    return { condition: 'silent', code: isForeign ? 'foreign_heartbeat' : 'no_heartbeat' };
  }
}

export type LaneFault = 'instance_unavailable' | 'overloaded';
