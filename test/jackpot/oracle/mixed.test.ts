import { expect, it } from 'vitest';
import { MixedRun } from '../mixed/run.ts';
import {
  compareInstance,
  compareWins,
  Hashed,
  simplified,
  simplifiedAwards,
  simplifiedOracle,
  simplifiedWork,
} from './compare.ts';
import { OracleLane } from './lane.ts';

const histories = Number(process.env.POTSTREAM_MIXED_HISTORIES ?? 8);
const commands = Number(process.env.POTSTREAM_MIXED_COMMANDS ?? 1500);
const settings = { epochMs: 10_000_000, epochSequences: 60 };

it('the engine and the oracle agree on long histories of every kind of command', {
  timeout: 3_600_000,
}, () => {
  const from = Number(process.env.POTSTREAM_MIXED_SEED ?? 1);
  for (let seed = from; seed < from + histories; seed++) {
    const at = { message: 0 };
    try {
      play(seed, at);
    } catch (error) {
      throw new Error(`history ${seed}, message ${at.message}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
});

function play(seed: number, at: { message: number }): void {
  const run = new MixedRun(seed, { settings });
  const oracle = new OracleLane(settings);
  const hashed = new Hashed(run.lane);
  let next = run.begin();
  for (let sequence = 1; run.commands < commands; sequence++) {
    const { outcomes, events, timestampMs, work } = run.apply(next);
    at.message = sequence;
    const expected = oracle.apply(sequence, timestampMs, next);
    hashed.compare(events, oracle.instances.values());
    expect(outcomes.map(simplified)).toEqual(expected.map(simplifiedOracle));
    compareWins(events, oracle.won);
    expect(simplifiedWork(work)).toEqual(oracle.work);
    expect(simplifiedAwards(events)).toEqual(oracle.awarded);
    for (const instance of oracle.instances.values()) {
      compareInstance(run.lane, oracle, instance, sequence % 50 === 0);
    }
    next = run.next();
  }
}
