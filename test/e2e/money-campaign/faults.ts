import type { Random } from '../../jackpot/mixed/random.ts';
import type { Fault } from './payers.ts';

type Rule = readonly [operation: string, fault: string, when: 'before' | 'after', part: number, ms?: number];

/** What a wallet does to a few of all calls, all the time. */
const always: readonly Rule[] = [
  ['W1', 'revoke_token', 'after', 0.02],
  ['W1', 'delay', 'before', 0.02, 700],
  ['W1', 'drop', 'before', 0.02],
  ['W2', 'drop', 'after', 0.15],
  ['W2', 'error', 'after', 0.15],
  ['W2', 'garbage', 'before', 0.1],
  ['W5', 'drop', 'after', 0.15],
  ['W5', 'error', 'after', 0.15],
  ['W5', 'garbage', 'before', 0.1],
  ['W4', 'drop', 'after', 0.1],
  ['W4', 'error', 'after', 0.1],
  ['W4', 'garbage', 'after', 0.1],
  ['W4', 'delay', 'after', 0.05, 2_500],
  ['W4', 'duplicate', 'after', 0.05],
  ['W4', 'drop', 'before', 0.05],
  ['W3', 'drop', 'before', 0.02],
  ['W3', 'drop', 'after', 0.02],
  ['W3', 'error', 'before', 0.01],
  ['W3', 'error', 'after', 0.02],
  ['W3', 'garbage', 'after', 0.02],
  ['W3', 'truncated', 'after', 0.02],
  ['W3', 'wrong_shape', 'after', 0.01],
  ['W3', 'oversized', 'after', 0.005],
  ['W3', 'duplicate', 'after', 0.02],
  ['W3', 'redirect', 'after', 0.01],
  ['W3', 'redirect', 'before', 0.01],
  ['W3', 'delay', 'after', 0.01, 2_500],
  ['W3', 'delay', 'before', 0.01, 5_000],
  ['W3', 'slow', 'after', 0.01, 60],
];

/** And to many, for a while. */
const worse: readonly (readonly Rule[])[] = [
  [['W3', 'drop', 'after', 0.6]],
  [['W3', 'error', 'after', 0.8]],
  [['W3', 'drop', 'before', 1]],
  [['W3', 'delay', 'before', 0.3, 5_000]],
  [['any', 'drop', 'after', 0.5]],
  [['W2', 'drop', 'after', 0.9]],
  [
    ['W4', 'drop', 'after', 0.9],
    ['W5', 'drop', 'after', 0.5],
  ],
];

/** Rules for the reference wallet; every third time a kind of fault prevails. */
export function faultsOf(random: Random): readonly Fault[] {
  const rules = random.once(3) ? [...random.pick(...worse), ...always] : always;
  return rules.map(([operation, fault, when, probability, ms]) => ({
    ...{ operation, fault, when, probability, seed: random.below(2 ** 31) },
    ...(ms === undefined ? {} : { ms }),
  }));
}
