import { toHex } from './bytes.ts';
import { type CheckId, checks } from './checks.ts';
import type { Disagreement } from './disagreement.ts';
import type { PublicEpoch, PublicGroup, PublicRecord } from './document.ts';
import { type Evaluation, flags } from './draw.ts';
import {
  type CheckResult,
  type Counts,
  maxReportedWins,
  type Report,
  type ReportedDraw,
  type ReportedEvaluation,
  type ReportedWin,
} from './report.ts';
import type { Members } from './shape.ts';

/** Collects what becomes the report. */
export class Progress {
  readonly counts: Counts = {
    messages: 0,
    contributions: 0,
    draws: 0,
    hits: 0,
    wins: 0,
    adjustments: 0,
    rounds: 0,
  };
  readonly #results = new Map<CheckId, CheckResult>();
  readonly #wins: ReportedWin[] = [];
  readonly #watched: number | null;
  #epoch: PublicEpoch | null = null;
  #failure: Disagreement | null = null;
  #draw: (ReportedDraw & { readonly evaluations: ReportedEvaluation[] }) | null = null;
  #head: string | null = null;
  #lastSequence: number | null = null;

  constructor(watched: number | null) {
    this.#watched = watched;
  }

  read(epoch: PublicEpoch): void {
    this.#epoch = epoch;
  }

  /** The chain begins; an epoch without a message ends there. */
  opened(head: string): void {
    this.#head = head;
  }

  /** `detail` null: in words of the counts. */
  pass(check: CheckId, detail: string | null): void {
    this.#note(check, 'verified', detail ?? this.#asText(check));
  }

  skip(check: CheckId, detail: string): void {
    this.#note(check, 'not-checked', detail);
  }

  fail(disagreement: Disagreement): void {
    this.#failure = disagreement;
    this.#note(disagreement.check, 'failed', disagreement.message);
  }

  chained(group: PublicGroup, head: string): void {
    this.#head = head;
    this.#lastSequence = group.records.at(-1)!.sequence;
    const draw = this.#draw;
    if (draw !== null && draw.head === '' && draw.sequence <= this.#lastSequence)
      this.#draw = { ...draw, head };
  }

  isWatched(sequence: number): boolean {
    return sequence === this.#watched;
  }

  watch(
    group: PublicGroup,
    record: PublicRecord,
    input: Uint8Array | null,
    inputsHash: Uint8Array,
    streamKey: Uint8Array | null,
  ): void {
    this.#draw = {
      sequence: record.sequence,
      timestampMs: record.timestampMs,
      contribution: record.contribution.toString(),
      contributionId: input === null ? null : uuid(toHex(input.subarray(0, 16))),
      player: input === null ? null : toHex(input.subarray(24)),
      messageFirstSequence: group.firstSequence,
      inputsHash: toHex(inputsHash),
      streamKey: streamKey === null ? '' : toHex(streamKey),
      evaluations: [],
      win: null,
      head: '',
    };
  }

  evaluated(record: PublicRecord, { entry, kind, lanes, pot }: Evaluation): void {
    if (!this.isWatched(record.sequence)) return;
    this.#draw?.evaluations.push({
      pot: pot.id,
      trigger: kind,
      value: entry.v1.toString(),
      num: entry.num.toString(),
      den: entry.den.toString(),
      u: entry.u.toString(),
      lanes: lanes.map((lane) => lane.toString(16).padStart(16, '0')),
      outcome: outcomeOf(entry.flags, entry.den),
    });
  }

  won(record: PublicRecord, pot: string, trigger: string, amount: bigint, detail: Members): void {
    this.counts.wins += 1;
    if (this.#wins.length < maxReportedWins) {
      const { sequence, timestampMs } = record;
      this.#wins.push({ sequence, timestampMs, pot, amount: amount.toString(), trigger });
    }
    if (this.isWatched(record.sequence) && this.#draw !== null) this.#draw = { ...this.#draw, win: detail };
  }

  /** Returns what goes back to this moment. */
  mark(): () => void {
    const counts = { ...this.counts };
    const wins = this.#wins.length;
    const draw = this.#draw;
    const results = [...this.#results];
    return () => {
      this.#results.clear();
      for (const [check, result] of results) this.#results.set(check, result);
      Object.assign(this.counts, counts);
      this.#wins.length = wins;
      this.#draw = draw;
    };
  }

  report(): Report {
    const header = this.#epoch?.header;
    const failure = this.#failure;
    return {
      verified: failure === null,
      instance: header?.instance ?? null,
      epoch: header?.epoch ?? null,
      currency: header === undefined ? null : String(header.config.currency),
      firstSequence: header?.firstSequence ?? null,
      lastSequence: this.#lastSequence,
      commit: header === undefined ? null : toHex(header.commit),
      head: this.#head,
      checks: checks.map(({ id, title }) => this.#results.get(id) ?? this.#unfinished(id, title)),
      failure:
        failure === null
          ? null
          : { check: failure.check, sequence: failure.sequence, message: failure.message },
      counts: this.counts,
      wins: this.#wins,
      draw: this.#draw,
    };
  }

  /** After a failure nothing is claimed, and the checks of single contributions hold only up to there. */
  #unfinished(id: CheckId, title: string): CheckResult {
    const step = ['document', 'order', 'money', 'draws', 'wins', 'heads'].includes(id);
    const sequence = this.#failure?.sequence ?? null;
    if (step && sequence !== null)
      return { id, title, state: 'not-finished', detail: `held before number ${sequence}` };
    return { id, title, state: 'not-checked', detail: 'not reached' };
  }

  #note(check: CheckId, state: CheckResult['state'], detail: string): void {
    const { title } = checks.find(({ id }) => id === check)!;
    this.#results.set(check, { id: check, title, state, detail });
  }

  #asText(check: CheckId): string {
    const { counts } = this;
    if (check === 'order') return `${counts.contributions} contributions in ${counts.messages} messages`;
    if (check === 'money') return `${counts.contributions} contributions, ${counts.adjustments} adjustments`;
    if (check === 'draws') return `${counts.draws} draws, ${counts.hits} hits`;
    if (check === 'wins') return `${counts.wins} wins, ${counts.rounds} rounds`;
    return this.#head ?? '';
  }
}

function outcomeOf(entry: number, den: bigint): ReportedEvaluation['outcome'] {
  if ((entry & flags.void) !== 0) return 'void';
  if ((entry & flags.hit) !== 0) return 'won';
  if ((entry & flags.blocked) !== 0) return 'blocked';
  if ((entry & flags.unqualified) !== 0) return 'not-qualified';
  return den > 0n ? 'missed' : 'not-drawn';
}

function uuid(hex: string): string {
  return [0, 8, 12, 16, 20].map((from, index) => hex.slice(from, [8, 12, 16, 20, 32][index])).join('-');
}
