import { readTraces, type TraceParent } from '../../lib/tracing.ts';
import type { Clock } from '../../ports.ts';
import type { UnknownReason } from '../client/answer.ts';

import type { LaneQuestions } from './lane-questions.ts';
import type { BrandQueues } from './queues.ts';
import type { SettlementWriter } from './settlement-writer.ts';

/** What an operator may want to know of the execution. Implemented over prom-client and the log lines. */
export interface ExecutionMonitor {
  /** The lane knows the result of a debit, or of some credits. */
  debitSettled(result: 'debited' | 'refused' | 'cancelled'): void;
  creditsSettled(result: 'accepted' | 'refused' | 'unknown' | 'exhausted', credits: number): void;
  /** From the win's record to the wallet's answer. */
  credited(seconds: number): void;
  /** A person has to look; repeated at most every five minutes for a brand and code. */
  alarm(code: ExecutionAlarm, brand: string, message: string): void;
}

export type ExecutionAlarm =
  | 'wallet_cancel_unanswered'
  | 'wallet_credit_unanswered'
  | 'wallet_credit_refused'
  | 'wallet_credit_exhausted'
  | 'wallet_settings_missing';

/** What debits and credits of one lane share. */
export interface LaneContext {
  readonly lane: number;
  readonly clock: Clock;
  readonly questions: LaneQuestions;
  readonly writer: SettlementWriter;
  readonly queues: BrandQueues;
  readonly monitor: ExecutionMonitor;
  readonly traces: TracedWork;
  /** The later of this host's clock and the newest record of the lane that was seen. */
  readonly timeMs: () => number;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

/** Reasons for which a call was not sent: it cannot have changed anything. */
const notSent: ReadonlySet<UnknownReason> = new Set([
  'name_not_resolved',
  'address_not_allowed',
  'breaker_open',
  'too_many_calls',
]);

/** Whether a call with this unknown answer may have reached the wallet. */
export function mayHaveArrived(reason: UnknownReason): boolean {
  return !notSent.has(reason);
}

/** Contributions whose trace is remembered; the oldest are forgotten. */
const maxTraced = 1_024;

/** The traces of sampled contributions with debits or credits, by the contribution's id. */
export class TracedWork {
  readonly #traces = new Map<string, TraceParent>();

  /** From the header of an outcome record. */
  take(header: string): void {
    for (const [id, parent] of readTraces(header)) {
      this.#traces.delete(id);
      this.#traces.set(id, parent);
    }
    for (const id of this.#traces.keys()) {
      if (this.#traces.size <= maxTraced) return;
      this.#traces.delete(id);
    }
  }

  of(contributionId: string): TraceParent | undefined {
    return this.#traces.size === 0 ? undefined : this.#traces.get(contributionId);
  }
}
