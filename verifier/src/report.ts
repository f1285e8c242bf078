import type { CheckId } from './checks.ts';

export interface CheckResult {
  readonly id: CheckId;
  readonly title: string;
  /** `not-finished`: it held as far as the verifier came. `not-checked`: what it needs is not at hand. */
  readonly state: 'verified' | 'failed' | 'not-finished' | 'not-checked';
  readonly detail: string;
}

export interface Counts {
  messages: number;
  contributions: number;
  draws: number;
  hits: number;
  wins: number;
  adjustments: number;
  rounds: number;
}

/** A paid win. Amounts are decimal texts of atoms, as everywhere in the report. */
export interface ReportedWin {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly pot: string;
  readonly amount: string;
  readonly trigger: string;
}

/** One trigger at the contribution that was asked for. */
export interface ReportedEvaluation {
  readonly pot: string;
  readonly trigger: string;
  readonly value: string;
  readonly num: string;
  readonly den: string;
  readonly u: string;
  readonly lanes: readonly string[];
  readonly outcome: 'won' | 'void' | 'missed' | 'blocked' | 'not-qualified' | 'not-drawn';
}

/** One contribution, followed from its input to its outcome. */
export interface ReportedDraw {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly contribution: string;
  readonly contributionId: string | null;
  readonly player: string | null;
  readonly messageFirstSequence: number;
  readonly inputsHash: string;
  readonly streamKey: string;
  readonly evaluations: readonly ReportedEvaluation[];
  /** The win as it is in the file. */
  readonly win: Readonly<Record<string, unknown>> | null;
  readonly head: string;
}

export interface Report {
  readonly verified: boolean;
  readonly instance: string | null;
  readonly epoch: number | null;
  readonly currency: string | null;
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  readonly commit: string | null;
  readonly head: string | null;
  readonly checks: readonly CheckResult[];
  readonly failure: {
    readonly check: CheckId;
    readonly sequence: number | null;
    readonly message: string;
  } | null;
  readonly counts: Readonly<Counts>;
  /** The first of them, at most `maxReportedWins`. */
  readonly wins: readonly ReportedWin[];
  readonly draw: ReportedDraw | null;
}

export const maxReportedWins = 1000;
