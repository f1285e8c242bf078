import type { CheckId } from './checks.ts';

/** The first check that fails. The caller who knows `sequence` fills it in. */
export class Disagreement extends Error {
  readonly check: CheckId;
  sequence: number | null;

  constructor(check: CheckId, message: string, sequence: number | null = null) {
    super(message);
    this.check = check;
    this.sequence = sequence;
  }
}

type Comparable = string | number | bigint | boolean | null;

export function expectSame(check: CheckId, what: string, found: Comparable, computed: Comparable): void {
  if (found !== computed) {
    throw new Disagreement(check, `${what} is ${String(found)} in the file; computed: ${String(computed)}`);
  }
}

export function expectThat(check: CheckId, holds: boolean, message: string): void {
  if (!holds) throw new Disagreement(check, message);
}
