import { entryBytes, flagHit, recordBytes } from '../jackpot/rules/keystreams/names.ts';
import type { DrawGroup } from '../jackpot/state/lane/recorder.ts';
import { formatFraction } from '../lib/fraction.ts';
import type { SimulationChoices, Template } from './choices.ts';
import { ratesOf, Visitors } from './simulate.ts';
import { VirtualLane } from './virtual-lane.ts';

/** An exact chance, not reduced. */
interface Odds {
  readonly num: bigint;
  readonly den: bigint;
}

const never: Odds = { num: 0n, den: 1n };
const sure: Odds = { num: 1n, den: 1n };
const scale = 10n ** 20n;

/**
 * The chance of each pot to be won by the very first contribution, made at the moment of the activation with a
 * wager of the mix: from the odds that the engine draws with, and exact but for the rounding of its twentieth
 * decimal. null: there is no such number, because it depends on when the contribution comes, or the jackpot is
 * a raffle.
 */
export function firstContributionChances(
  template: Template,
  choices: SimulationChoices,
): readonly (string | null)[] {
  const { pots, jackpot_type: type } = template.configuration;
  if (type === 'Raffle') return pots.map(() => null);
  const weighed = choices.stakes.map((stake) => ({
    weight: BigInt(Math.round(stake.weight * 1_000_000)),
    chances: chancesOf(template, { ...choices, stakes: [stake] }),
  }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0n);
  return pots.map((pot, index) => {
    if (dependsOnTime(pot)) return null;
    const parts = weighed.map(({ weight, chances }) => {
      const { num, den } = chances[index]!;
      return { num: num * weight, den: den * total };
    });
    return textOf(parts.reduce(plus, never));
  });
}

/** Of one wager. */
function chancesOf(template: Template, choices: SimulationChoices): readonly Odds[] {
  const { configuration } = template;
  const visitors = new Visitors(template, choices);
  const drawn = new DrawnPots(configuration.pots.length);
  const lane = new VirtualLane(choices.seed, drawn);
  lane.open(configuration, visitors.brand, ratesOf(configuration.currency, choices), choices.startMs);
  drawn.clear();
  const { optIn, contribution } = visitors.next();
  if (optIn.length > 0) lane.send(optIn, choices.startMs);
  lane.send([contribution], choices.startMs);
  const strategy = String(configuration.win_selector_strategy ?? 'Lowest');
  return drawn.pots.map((pot, index) => {
    // Of pots that are hit together one is paid (docs/rules/wins-and-reseeding.md "Selection").
    const earlier = drawn.pots.filter((other, at) => isBefore(strategy, [other, at], [pot, index]));
    return earlier.reduce((odds, { hit }) => times(odds, complement(hit)), pot.hit);
  });
}

interface DrawnPot {
  readonly hit: Odds;
  readonly value: bigint;
}

function isBefore(strategy: string, [a, at]: [DrawnPot, number], [b, index]: [DrawnPot, number]): boolean {
  if (strategy === 'First' || a.value === b.value) return at < index;
  return strategy === 'Lowest' ? a.value < b.value : a.value > b.value;
}

/** Reads the entries of draws: the odds of each trigger, and the values of the pots. */
class DrawnPots {
  pots: DrawnPot[];

  constructor(count: number) {
    this.pots = Array.from({ length: count }, () => ({ hit: never, value: 0n }));
  }

  clear(): void {
    this.pots = this.pots.map(() => ({ hit: never, value: 0n }));
  }

  events(): void {}

  group({ bytes, records }: DrawGroup): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const { offset } of records) {
      const entries = view.getUint8(offset + recordBytes - 1);
      for (let entry = 0; entry < entries; entry += 1)
        this.#entry(view, offset + recordBytes + entry * entryBytes);
    }
  }

  #entry(view: DataView, at: number): void {
    const pot = this.pots[view.getUint8(at)];
    if (pot === undefined) return;
    const [num, den] = [view.getBigUint64(at + 18), view.getBigUint64(at + 26)];
    const isHit = (view.getUint8(at + entryBytes - 1) & flagHit) !== 0;
    const odds = den === 0n || num >= den ? (isHit ? sure : never) : { num, den };
    const hit = complement(times(complement(pot.hit), complement(odds)));
    this.pots[view.getUint8(at)] = { hit, value: view.getBigUint64(at + 10) };
  }
}

function dependsOnTime(pot: Readonly<Record<string, unknown>>): boolean {
  const has = (list: unknown, kind: string) =>
    Array.isArray(list) && list.some((each: object) => Object.hasOwn(each, kind));
  return has(pot.pot_types, 'Time') || has(pot.win_constraints, 'MinInterval');
}

function plus(a: Odds, b: Odds): Odds {
  return { num: a.num * b.den + b.num * a.den, den: a.den * b.den };
}

function times(a: Odds, b: Odds): Odds {
  return { num: a.num * b.num, den: a.den * b.den };
}

function complement({ num, den }: Odds): Odds {
  return { num: den - num, den };
}

function textOf({ num, den }: Odds): string {
  return formatFraction({ scaled: (2n * num * scale + den) / (2n * den), scale });
}
