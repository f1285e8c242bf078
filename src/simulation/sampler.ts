import type { LaneEngine } from '../jackpot/lane/lane.ts';
import { greaterOf } from '../lib/money.ts';
import { units } from './collector.ts';
import type { Series } from './report.ts';
import { instanceId } from './virtual-lane.ts';

const points = 400;

/** Looks at the accounts now and then. */
export class Sampler {
  readonly #engine: LaneEngine;
  readonly #startMs: number;
  readonly #contributions: number[] = [];
  readonly #seconds: number[] = [];
  readonly #house: number[] = [];
  readonly #deficit: number[] = [];
  readonly #pots: readonly number[][];
  readonly #every: number;
  deepestDeficitAtoms = 0n;
  #nextAt = 0;
  #open = 0;

  constructor(engine: LaneEngine, pots: number, contributions: number, startMs: number) {
    this.#engine = engine;
    this.#startMs = startMs;
    this.#pots = Array.from({ length: pots }, () => []);
    this.#every = Math.max(1, Math.ceil(contributions / points));
  }

  at(accepted: number, atMs: number): void {
    if (accepted < this.#nextAt) return;
    this.#nextAt = accepted + this.#every;
    this.#sample(accepted, atMs);
  }

  end(accepted: number, atMs: number): void {
    if (this.#contributions.at(-1) !== accepted) this.#sample(accepted, atMs);
  }

  get series(): Series {
    return {
      contributions: this.#contributions,
      seconds: this.#seconds,
      house: this.#house,
      deficit: this.#deficit,
      pots: this.#pots,
    };
  }

  /** The operator has just fronted something, which later contributions give back. */
  fronted(): void {
    const { seedDeficitAtoms } = this.#engine.describe(instanceId)!.house;
    this.deepestDeficitAtoms = greaterOf(this.deepestDeficitAtoms, seedDeficitAtoms);
  }

  /** Part of the moments looked at in which some of the operator's advance was out. */
  get deficitOpenShare(): number {
    return this.#open / Math.max(1, this.#contributions.length);
  }

  #sample(accepted: number, atMs: number): void {
    const found = this.#engine.describe(instanceId)!;
    this.#contributions.push(accepted);
    this.#seconds.push((atMs - this.#startMs) / 1000);
    this.#house.push(units(found.house.currentAtoms));
    this.#deficit.push(units(found.house.seedDeficitAtoms));
    if (found.house.seedDeficitAtoms > 0n) this.#open += 1;
    found.pots.forEach(({ currentAtoms }, index) => {
      this.#pots[index]!.push(units(currentAtoms));
    });
  }
}
