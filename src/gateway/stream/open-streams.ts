import { PublicError } from '../base/errors.ts';
import { streamLimits } from './limits.ts';

interface Share {
  open: number;
  /** Streams with lines under way. */
  busy: number;
}

/** A stream as those who end it see it. */
interface Drained {
  drain(): void;
}

/**
 * The open streams of this gateway, and the lines that each may have under way: operators share alike, and so
 * do an operator's streams (docs/decisions/0273).
 */
export class OpenStreams {
  readonly #streams = new Set<Drained>();
  readonly #shares = new Map<string, Share>();
  #busyOperators = 0;

  get open(): number {
    return this.#streams.size;
  }

  /** An operator may have as many as are free: one is always left. @throws PublicError */
  enter(operator: string, stream: Drained): void {
    const share = this.#shares.get(operator) ?? { open: 0, busy: 0 };
    const free = streamLimits.streams - this.#streams.size;
    if (share.open >= free) throw new PublicError('too_many_connections');
    share.open += 1;
    this.#shares.set(operator, share);
    this.#streams.add(stream);
  }

  leave(operator: string, stream: Drained): void {
    if (!this.#streams.delete(stream)) return;
    const share = this.#shareOf(operator);
    share.open -= 1;
    if (share.open === 0) this.#shares.delete(operator);
  }

  becameBusy(operator: string): void {
    const share = this.#shareOf(operator);
    share.busy += 1;
    if (share.busy === 1) this.#busyOperators += 1;
  }

  becameIdle(operator: string): void {
    const share = this.#shareOf(operator);
    share.busy -= 1;
    if (share.busy === 0) this.#busyOperators -= 1;
  }

  /** How many lines a stream of the operator may have under way now. */
  linesOf(operator: string): number {
    const { busy } = this.#shareOf(operator);
    const operators = this.#busyOperators + (busy === 0 ? 1 : 0);
    const ofOperator = streamLimits.lines / operators;
    return Math.max(streamLimits.minLines, Math.floor(ofOperator / Math.max(1, busy)));
  }

  /** No stream takes another line: each ends once those it took have their results. */
  drain(): void {
    for (const stream of [...this.#streams]) stream.drain();
  }

  #shareOf(operator: string): Share {
    const share = this.#shares.get(operator);
    if (share === undefined) throw new Error('A stream is not open.');
    return share;
  }
}
