import { beforeEach, expect, it } from 'vitest';
import {
  decodeSimulationAnswer,
  encodeSimulationMessage,
  type SimulationAnswer,
  type SimulationPlan,
  type SimulationQuestion,
} from '../../../src/contracts/reports/simulations.ts';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import type { FromPlay } from '../../../src/reporting/simulations/play.ts';
import { Simulations } from '../../../src/reporting/simulations/simulations.ts';

/** The line of simulations of one process, which are played by hand here. */

interface Played {
  readonly plan: SimulationPlan;
  readonly tell: (message: FromPlay) => void;
  ended: boolean;
}

let simulations: Simulations;
let games: Played[];
let nowMs: number;
let timers: { readonly atMs: number; readonly task: () => void; cancelled: boolean }[];
let ending: Promise<void>;

beforeEach(() => {
  games = [];
  timers = [];
  nowMs = 1_000;
  ending = Promise.resolve();
  let drawn = 0;
  simulations = new Simulations({
    clock: {
      nowMs: () => nowMs,
      elapsedMs: () => nowMs,
      after(delayMs, task) {
        const timer = { atMs: nowMs + delayMs, task, cancelled: false };
        timers.push(timer);
        return () => {
          timer.cancelled = true;
        };
      },
    },
    random: {
      bytes(count) {
        drawn += 1;
        return new Uint8Array(count).fill(drawn);
      },
    },
    play(plan, tell) {
      const game = { plan, tell, ended: false };
      games.push(game);
      return () => {
        game.ended = true;
        return ending;
      };
    },
    report: (error) => {
      throw error;
    },
  });
});

const plan: SimulationPlan = {
  ...{
    configuration: {},
    exponent: null,
    contributions: 100,
    players: 1,
    perSecond: 1,
    wager: null,
    seed: '1',
  },
};
const report = { currency: 'EUR' } as never;

function ask(question: SimulationQuestion | null): SimulationAnswer {
  let answer: SimulationAnswer | null = null;
  simulations.answer({
    bytes: question === null ? new Uint8Array() : encodeSimulationMessage(question),
    respond(bytes) {
      // A report is checked where it is made.
      answer = decodeSimulationAnswer(bytes) ?? JSON.parse(Buffer.from(bytes).toString('utf8'));
    },
  });
  return answer!;
}

const begin = (account: string, owner = account, seed = '1') =>
  ask({ kind: 'begin', account, owner, plan: { ...plan, seed } });
const idOf = (answer: SimulationAnswer) => (answer.kind === 'simulation' ? answer.simulation.id : '');
const read = (account: string, id: string) => {
  const answer = ask({ kind: 'read', account, id });
  return answer.kind === 'simulation' ? answer.simulation : answer.kind;
};
/** Until the thread of what has ended is gone. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
function pass(ms: number): void {
  nowMs += ms;
  for (const timer of timers) if (!timer.cancelled && timer.atMs <= nowMs) timer.task();
}

it('plays one after the other, in their order, and says how far each is', async () => {
  const [a, b] = [begin('ada'), begin('bea')];
  expect([a, b]).toMatchObject([
    { owner: 'ada', simulation: { state: 'running', progress: 0, report: null } },
    { owner: 'bea', simulation: { state: 'waiting' } },
  ]);
  expect(idOf(a)).toMatch(/^[0-9a-f]{16}-[0-9a-f]{32}$/);
  expect(idOf(a).startsWith(simulations.process)).toBe(true);
  games[0]!.tell({ progress: 0.5 });
  expect(read('ada', idOf(a))).toMatchObject({ state: 'running', progress: 0.5 });
  games[0]!.tell({ report });
  expect(read('ada', idOf(a))).toMatchObject({ state: 'done', progress: 1, message: null, report });
  expect(games).toHaveLength(1);
  await settled();
  expect(games).toHaveLength(2);
  expect(read('bea', idOf(b))).toMatchObject({ state: 'running' });
});

it('begins the next one once the thread of the last one is gone', async () => {
  let gone = () => {};
  ending = new Promise((resolve) => {
    gone = resolve;
  });
  begin('ada');
  begin('bea');
  games[0]!.tell({ report });
  await settled();
  expect(games.map(({ ended }) => ended)).toEqual([true]);
  gone();
  await settled();
  expect(games).toHaveLength(2);
});

it('ends what the account has begun before, whether it runs or waits', async () => {
  const ids = [begin('ada'), begin('bea'), begin('ada', 'ada', '2'), begin('ada', 'ada', '3')].map(idOf);
  await settled();
  expect(games.map(({ plan: { seed }, ended }) => [seed, ended])).toEqual([
    ['1', true],
    ['1', false],
  ]);
  for (const id of [ids[0]!, ids[2]!])
    expect(read('ada', id)).toMatchObject({ state: 'failed', message: expect.stringContaining('followed') });
  expect(read('ada', ids[3]!)).toMatchObject({ state: 'waiting' });
  // It has ended: what its thread still says counts no more.
  games[0]!.tell({ report });
  expect(read('ada', ids[0]!)).toMatchObject({ state: 'failed', report: null });
});

it('refuses what is too much for one operator, and for all, but not what replaces an own one', () => {
  const { simulations: most, simulationsOfOperator: ofOperator } = reportingLimits;
  const brands = Array.from({ length: ofOperator }, (_, index) => begin(`user-${index}`, `acme:${index}`));
  expect(brands.every(({ kind }) => kind === 'simulation')).toBe(true);
  expect(begin('another', 'acme')).toEqual({ kind: 'full' });
  expect(begin('user-0', 'acme:0').kind).toBe('simulation');
  for (let index = ofOperator; index < most; index += 1)
    expect(begin(`user-${index}`, `operator-${index}`).kind).toBe('simulation');
  expect(begin('late', 'late')).toEqual({ kind: 'full' });
  expect(begin('user-1', 'acme:1').kind).toBe('simulation');
});

it('fails what takes too long, and what breaks off', async () => {
  const [a, b, c] = [begin('ada'), begin('bea'), begin('cid')].map(idOf) as [string, string, string];
  pass(reportingLimits.simulationWithinMs);
  await settled();
  expect(read('ada', a)).toMatchObject({ state: 'failed', message: expect.stringContaining('5 minutes') });
  expect(games[0]!.ended).toBe(true);
  games[1]!.tell({ failed: 'It broke off.' });
  await settled();
  expect(read('bea', b)).toMatchObject({ state: 'failed', message: 'It broke off.' });
  games[2]!.tell({ report });
  pass(reportingLimits.simulationWithinMs);
  expect(read('cid', c)).toMatchObject({ state: 'done' });
});

it('shows and ends nothing of another account', () => {
  const id = idOf(begin('ada', 'acme'));
  expect(read('bea', id)).toBe('missing');
  expect(ask({ kind: 'end', account: 'bea', id })).toEqual({ kind: 'missing' });
  expect(games[0]!.ended).toBe(false);
  expect(read('ada', id)).toMatchObject({ state: 'running' });
});

it('forgets what is ended, and goes on with the next', async () => {
  const [a, b] = [begin('ada'), begin('bea')].map(idOf) as [string, string];
  expect(ask({ kind: 'end', account: 'ada', id: a })).toMatchObject({ kind: 'simulation' });
  expect(read('ada', a)).toBe('missing');
  await settled();
  expect(read('bea', b)).toMatchObject({ state: 'running' });
  expect(ask({ kind: 'end', account: 'bea', id: b })).toMatchObject({ owner: 'bea' });
  expect(games.every(({ ended }) => ended)).toBe(true);
});

it('keeps reports for an hour, and not more than so many', async () => {
  const kept: string[] = [];
  for (let index = 0; index <= reportingLimits.simulationsKept; index += 1) {
    kept.push(idOf(begin(`user-${index}`)));
    games.at(-1)!.tell({ report });
    await settled();
  }
  expect(read('user-0', kept[0]!)).toBe('missing');
  expect(read('user-1', kept[1]!)).toMatchObject({ state: 'done' });
  nowMs += reportingLimits.simulationKeptMs;
  expect(read('user-1', kept[1]!)).toMatchObject({ state: 'done' });
  nowMs += 1;
  expect(read('user-1', kept[1]!)).toBe('missing');
});

it('answers to what is no question, by which gateways see that it is there', () => {
  expect(ask(null)).toEqual({ kind: 'missing' });
});

it('stops with what it plays, and begins nothing more', async () => {
  begin('ada');
  begin('bea');
  const stopped = simulations.stop();
  games[0]!.tell({ failed: 'It broke off.' });
  await stopped;
  await settled();
  expect(games.map(({ ended }) => ended)).toEqual([true]);
});
