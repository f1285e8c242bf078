import type { Books, Pot } from './books.ts';
import { atomsOf } from './decimal.ts';
import { Disagreement } from './disagreement.ts';
import { startOf } from './time-windows.ts';

/** Wins if Uniform(den) < num. */
export interface Odds {
  readonly num: bigint;
  readonly den: bigint;
}

/** The odds of one trigger of a pot at one contribution; null: it is not drawn. */
export function oddsOf(
  books: Books,
  pot: Pot,
  trigger: number,
  before: bigint,
  contribution: bigint,
  timestampMs: number,
): Odds | null {
  const { name, parameters } = pot.rules.triggers[trigger]!;
  switch (name) {
    case 'External':
      return null;
    case 'HitRate':
      return {
        num: contribution,
        den: BigInt(parameters.max_magic_number as number) * atoms(parameters.cost_per_attempt),
      };
    case 'Threshold': {
      const min = atoms(parameters.min_value);
      const from = before > min ? before : min;
      return { num: pot.current - from, den: atoms(parameters.max_value) - from };
    }
    case 'Time':
      return timeOdds(books, pot, trigger, timestampMs);
    default:
      throw new Disagreement('config', `pot ${pot.id} has a trigger of kind ${name}`);
  }
}

/**
 * From the last evaluated contribution of the window, or its begin, to its end; by the second rules without the time
 * before the cycle and before the last resume.
 */
function timeOdds(books: Books, pot: Pot, trigger: number, timestampMs: number): Odds | null {
  const state = pot.times.get(trigger);
  if (state === undefined || state.end === null) return null;
  const openSince = books.drawRules === 1 ? 0 : Math.max(pot.cycleStart, books.resumed ?? 0);
  const from = Math.max(startOf(state, state.end), state.lastEvaluated ?? 0, openSince);
  state.lastEvaluated = timestampMs;
  return { num: BigInt(timestampMs - from), den: BigInt(state.end - from) };
}

function atoms(value: unknown): bigint {
  return atomsOf(value) ?? 0n;
}
