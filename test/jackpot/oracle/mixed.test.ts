import { expect, it } from 'vitest';
import type { LaneEvent } from '../../../src/messages/events.ts';
import { saw } from '../checks/scale.ts';
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
import { drawnFrom, hex } from './jpd1.ts';
import { OracleLane } from './lane.ts';

const histories = Number(process.env.POTSTREAM_MIXED_HISTORIES ?? 5);
const commands = Number(process.env.POTSTREAM_MIXED_COMMANDS ?? 1000);
const unbounded = { epochMs: 10_000_000, epochSequences: 60 };
/** What waits for the end of the next message is in a snapshot too. */
const restartedEvery = 7;
/** From never to what a win or two tell: refusals, debits that wait, and ends of messages that go on in the next. */
const bounds = [undefined, 60_000, 12_000, 1_500] as const;

it('the engine and the oracle agree on long histories of every kind of command', {
  timeout: 3_600_000,
}, () => {
  const from = Number(process.env.POTSTREAM_MIXED_SEED ?? 1);
  const seen = {
    commands: 0,
    histories,
    messages: 0,
    refusedByBound: 0,
    carriedOver: 0,
    ofBrands: 0,
    disagreed: 0,
    expired: 0,
    optedOut: 0,
    pausedWithoutPots: 0,
    enabledAgain: 0,
    switching: 0,
    streamKeys: 0,
    switches: { debits: 0, flushes: 0, done: 0, refused: 0, cancelled: 0 },
  };
  for (let seed = from; seed < from + histories; seed++) {
    const at = { message: 0 };
    try {
      seen.commands += play(seed, at, seen);
      seen.messages += at.message;
    } catch (error) {
      throw new Error(`history ${seed}, message ${at.message}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  expect(seen.refusedByBound).toBeGreaterThan(0);
  expect(seen.carriedOver).toBeGreaterThan(0);
  expect(seen.ofBrands).toBeGreaterThan(0);
  expect(seen.disagreed).toBeGreaterThan(0);
  expect(seen.expired).toBeGreaterThan(0);
  expect(seen.optedOut).toBeGreaterThan(0);
  expect(seen.pausedWithoutPots).toBeGreaterThan(0);
  expect(seen.enabledAgain).toBeGreaterThan(0);
  expect(seen.streamKeys).toBeGreaterThan(0);
  const { switches, ...others } = seen;
  saw('the oracle, every kind of command,', { ...others, ...switches });
  expect(seen.switching).toBeGreaterThan(0);
  for (const name of ['debits', 'done', 'cancelled'] as const)
    expect(switches[name], name).toBeGreaterThan(0);
  // One of hundreds of switches leaves a flush behind that fails; test/jackpot/commands/switch/payments.test.ts has it in any run.
  if (histories >= 50) expect(switches.flushes).toBeGreaterThan(0);
});

interface Seen {
  refusedByBound: number;
  carriedOver: number;
  ofBrands: number;
  disagreed: number;
  expired: number;
  optedOut: number;
  pausedWithoutPots: number;
  enabledAgain: number;
  switching: number;
  streamKeys: number;
  readonly switches: OracleLane['switches'];
}

function isPauseWithoutPots(event: LaneEvent): boolean {
  return event.kind === 'StatusChanged' && event.reason === 'every pot is disabled';
}

function play(seed: number, at: { message: number }, seen: Seen): number {
  const maximumMessageBytes = bounds[seed % bounds.length];
  const settings = { ...unbounded, ...(maximumMessageBytes === undefined ? {} : { maximumMessageBytes }) };
  const run = new MixedRun(seed, { settings, fenced: seed % 2 === 1 });
  const oracle = new OracleLane(settings);
  const hashed = new Hashed(run.lane);
  let next = run.begin();
  for (let sequence = 1; run.commands < commands; sequence++) {
    const { outcomes, events, timestampMs, work, streamKeys = [] } = run.apply(next);
    at.message = sequence;
    const expected = oracle.apply(sequence, timestampMs, next);
    expect(streamKeys.map(hex)).toEqual(drawnFrom.splice(0).map(hex));
    seen.streamKeys += streamKeys.length;
    hashed.compare(events, oracle.instances.values());
    expect(outcomes.map(simplified)).toEqual(expected.map(simplifiedOracle));
    compareWins(events, oracle.won);
    expect(simplifiedWork(work)).toEqual(oracle.work);
    expect(simplifiedAwards(events)).toEqual(oracle.awarded);
    for (const instance of oracle.instances.values()) {
      compareInstance(run.lane, oracle, instance, sequence % 50 === 0);
    }
    seen.refusedByBound += next.filter(
      ({ kind }, index) => kind === 'Contribute' && expected[index] === 'overloaded',
    ).length;
    seen.disagreed += expected.filter((outcome) => outcome === 'wallet_unavailable').length;
    seen.expired += next.filter(
      (command) => command.kind === 'DebitSettled' && timestampMs > (command.expiresMs ?? timestampMs),
    ).length;
    seen.optedOut += expected.filter((outcome) => outcome === 'player_opted_out').length;
    seen.pausedWithoutPots += events.filter(isPauseWithoutPots).length;
    seen.enabledAgain += oracle.enabledAgain;
    seen.carriedOver += oracle.touched.size;
    seen.switching += [...oracle.instances.values()].some(({ order }) => order !== null) ? 1 : 0;
    if (sequence % restartedEvery === 0 && seed % 2 === 0) run.lane.restart();
    next = run.next();
  }
  const { instances } = oracle;
  for (const [name, count] of Object.entries(oracle.switches) as [keyof OracleLane['switches'], number][])
    seen.switches[name] += count;
  seen.ofBrands += [...instances.values()].filter(({ owner }) => owner.includes(':')).length;
  return run.commands;
}
