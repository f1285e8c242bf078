import { formatAmount, parseAmount } from '../../src/lib/money.ts';

/** What came of the lines so far, as the journal keeps it. */
export interface StoredTally {
  readonly applied: number;
  readonly repeated: number;
  readonly refused: Readonly<
    Record<string, { readonly count: number; readonly firstLines: readonly number[] }>
  >;
  /** Decimals by currency: of what was applied, and of repeats. */
  readonly contributed: Readonly<Record<string, { readonly applied: string; readonly repeated: string }>>;
  readonly elapsedMs: number;
}

interface Contributed {
  readonly contribution_currency: string;
  readonly contribution_amount: string;
}

const shownLines = 5;

/** Counts results. Refusals have few codes, and contributions few currencies. */
export class Tally {
  applied = 0;
  repeated = 0;
  elapsedMs = 0;
  readonly #refused = new Map<string, { count: number; firstLines: number[] }>();
  readonly #contributed = new Map<string, { applied: bigint; repeated: bigint }>();

  constructor(stored: StoredTally | null = null) {
    if (stored === null) return;
    this.applied = stored.applied;
    this.repeated = stored.repeated;
    this.elapsedMs = stored.elapsedMs;
    for (const [code, { count, firstLines }] of Object.entries(stored.refused))
      this.#refused.set(code, { count, firstLines: [...firstLines] });
    for (const [currency, { applied, repeated }] of Object.entries(stored.contributed))
      this.#contributed.set(currency, { applied: atomsOf(applied), repeated: atomsOf(repeated) });
  }

  get refused(): number {
    return [...this.#refused.values()].reduce((sum, { count }) => sum + count, 0);
  }

  get answered(): number {
    return this.applied + this.repeated + this.refused;
  }

  accept(results: readonly Contributed[], isRepeat: boolean): void {
    if (isRepeat) this.repeated += 1;
    else this.applied += 1;
    for (const { contribution_currency, contribution_amount } of results) {
      const sums = this.#contributed.get(contribution_currency) ?? { applied: 0n, repeated: 0n };
      sums[isRepeat ? 'repeated' : 'applied'] += atomsOf(contribution_amount);
      this.#contributed.set(contribution_currency, sums);
    }
  }

  refuse(code: string, line: number): void {
    const known = this.#refused.get(code) ?? { count: 0, firstLines: [] };
    known.count += 1;
    // Results come in any order.
    known.firstLines = [...known.firstLines, line].sort((a, b) => a - b).slice(0, shownLines);
    this.#refused.set(code, known);
  }

  stored(): StoredTally {
    const contributed = [...this.#contributed].map(([currency, { applied, repeated }]) => [
      currency,
      { applied: formatAmount(applied), repeated: formatAmount(repeated) },
    ]);
    const refused = [...this.#refused].map(([code, { count, firstLines }]) => [code, { count, firstLines }]);
    const { applied, repeated, elapsedMs } = this;
    return {
      applied,
      repeated,
      refused: Object.fromEntries(refused),
      contributed: Object.fromEntries(contributed),
      elapsedMs: Math.round(elapsedMs),
    };
  }
}

/** Atoms of a sum, which may exceed the largest amount. */
export function atomsOf(decimal: string): bigint {
  const parsed = parseAmount(decimal);
  if (parsed.ok) return parsed.atoms;
  const [units = '', decimals = ''] = decimal.split('.');
  return BigInt(`${units}${decimals.padEnd(8, '0')}`);
}
