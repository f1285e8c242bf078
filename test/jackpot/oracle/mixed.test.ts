import { expect, it } from 'vitest';
import type { Command } from '../../../src/jackpot/commands.ts';
import { MixedRun } from '../mixed/run.ts';
import { compareInstance, compareWins, Hashed, simplified, simplifiedOracle } from './compare.ts';
import { OracleLane } from './lane.ts';

const histories = Number(process.env.POTSTREAM_MIXED_HISTORIES ?? 8);
const commands = Number(process.env.POTSTREAM_MIXED_COMMANDS ?? 1500);
const nothing: Command = { kind: 'Own', epoch: 0, host: '' };
const settings = { epochMs: 10_000_000, epochSequences: 60 };

it('the engine and the oracle agree on long histories of every kind of command', () => {
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
    const { outcomes, events, timestampMs } = run.apply(next);
    at.message = sequence;
    const invalid = outcomes.map((each) => each.kind === 'Refused' && each.code === 'config_invalid');
    const expected = oracle.apply(
      sequence,
      timestampMs,
      next.map((command, index) => (invalid[index] ? nothing : command)),
    );
    hashed.compare(events, oracle.instances.values());
    const found = outcomes.map((each, index) => (invalid[index] ? 'done' : simplified(each)));
    expect(found).toEqual(expected.map(simplifiedOracle));
    compareWins(events, expected);
    for (const instance of oracle.instances.values()) {
      compareInstance(run.lane, oracle, instance, sequence % 50 === 0);
    }
    next = run.next();
  }
}
