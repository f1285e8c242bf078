import { expect, it } from 'vitest';
import { warmUp } from '../../../src/actors/lane/warm-up.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { setV8Flags } from '../../../src/runtime/v8-flags.ts';
import { contribution, running, setStatus } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';
import { minuteMs, raffle } from '../support/raffle.ts';
import { pair, switchModel } from '../support/switching.ts';
import { LongestSteps, memory } from './longest-steps.ts';
import { patienceMs, scaled } from './scale.ts';

/** An eighth of a million fills the tables to the same part as a million. */
const players = scaled(60_000, 1_000_000);
const many = players.toLocaleString('en');
const firstPotAt = 4;
const message = 250;
/** About what one message of the log can carry. */
const bulkRows = 8000;
/** docs/rules/performance.md "Memory of players": 128 bytes and 28 a pot, and the id. */
const maxBytes = 128 + 28 * firstPotAt + idOf(players).length;
/** What is not the players': code, the log's last message, the collector's slack. */
const slackBytes = 24 * 2 ** 20;

const most = { max_number_of_payouts: 100 };
const active = { ActivePlayers: { period_before_win: 86_400_000, ...most } };
const highest = { HighestContributors: most };
const lifetime = { HighestLifetimeContributors: most };
/** Who shares in which pot: the usual pair, and each rule alone. */
const rulesOf: Readonly<Record<string, readonly object[]>> = {
  pair: [active, highest],
  active: [active],
  highest: [highest],
  lifetime: [lifetime],
};
const admin = { brand: 'op:main', source: 'slot', user: 'admin', idempotencyKey: null, reason: 'test' };

// Steps take what they take in a role.
setV8Flags();
warmUp();

/** A pot for each way of sharing; none drops by itself. */
function configuration(): InstanceConfigurationDocument {
  const document = threePots({}, { pot_types: [{ External: {} }], contribution: { Percentage: '0.175' } });
  const pots = Object.entries(rulesOf).map(([id, rules]) => ({
    ...(document.pots[0] as object),
    id,
    payout_ruleset: {
      main_winner_percentage: '0.5',
      payout_rules: rules.map((rule) => ({ payout_percentage: '0.2', rule })),
    },
  }));
  return { ...document, pots };
}

/** Proves: a million players of one instance stay within the stated bytes, on the heap there is nothing of them, and a
 * snapshot needs no second copy. */
it(`${many} players of one instance stay within 128 bytes, 28 a pot and the id, snapshot included`, {
  timeout: patienceMs,
}, () => {
  const lane = new TestLane();
  const steps = new LongestSteps();
  lane.apply(...running(configuration()));
  lane.log.length = 0;
  const before = memory();
  contribute(lane, steps, 'growing', players);
  const grown = memory();
  expect((grown.buffers - before.buffers) / players).toBeLessThanOrEqual(maxBytes);
  expect(grown.heap - before.heap).toBeLessThan(slackBytes);

  contribute(lane, steps, 'repeating', 100_000);
  const repeated = memory();
  expect(repeated.buffers + repeated.heap - grown.buffers - grown.heap).toBeLessThan(slackBytes);

  winEach(lane, steps);

  let held = 0;
  let chunks = 0;
  const snapshot = lane.engine.snapshot()[Symbol.iterator]();
  while (steps.measure('snapshot', () => snapshot.next()).done !== true) {
    if (++chunks % 40 === 0) held = Math.max(held, memory().buffers);
    contribute(lane, steps, 'contributing beside it', message);
  }
  expect(chunks).toBeGreaterThan(players / 4096);
  expect((held - before.buffers) / players).toBeLessThanOrEqual(maxBytes);
  const bytes = ((grown.buffers - before.buffers) / players).toFixed(1);
  console.info(`${bytes} bytes a player (at most ${maxBytes}); longest steps: ${steps}`);
});

/** Proves: who opted in before anybody contributed shares by the order of first contributions, also of a restored lane; and
 * administration of a million players goes on in steps. */
it(`${many} players may opt in first, share wins, and move to another model in steps`, {
  timeout: patienceMs,
}, () => {
  const lane = new TestLane();
  const steps = new LongestSteps();
  pair(lane, configuration());
  for (let from = 0; from < players; from += bulkRows) optIn(lane, steps, from);
  contribute(lane, steps, 'growing', players, 7);
  const restored = new TestLane();
  restored.nowMs = lane.nowMs;
  restored.engine = lane.engine;
  steps.measure('restoring', () => restored.restart());
  const wins = winEach(lane, steps);
  expect(winEach(restored, new LongestSteps())).toEqual(wins);

  steps.apply('pausing', lane, setStatus('Paused'));
  steps.apply('resuming', lane, setStatus('Active'));
  const changed = { ...configuration(), win_selector_strategy: 'Highest' };
  steps.apply('changing parameters', lane, {
    ...admin,
    kind: 'SetParameters',
    instance: 'jackpot',
    configuration: changed,
    expectedVersion: null,
  });
  const rules = Object.keys(rulesOf).map((pot) => ({ source: pot, targets: [[pot, '1']] as const }));
  const moved = steps.apply('switching', lane, switchModel({ rules, transferOptIns: true }));
  expect(moved.outcomes).toMatchObject([{ kind: 'Done' }]);
  work(lane, steps, 'copying opt-ins');
  expect(lane.engine.optInStatus('next', 'op:main', idOf(7))?.optedIn).toBe(true);
  console.info(`longest steps of players who opted in first: ${steps}`);
});

/** Proves: a round of a million players is numbered and drawn in steps, and the next one begins without looking at them. */
it(`a raffle of ${many} players ends its round in steps`, { timeout: patienceMs }, () => {
  const lane = new TestLane();
  const steps = new LongestSteps();
  const prize_distribution = [{ prize_percentage: '0.5', number_of_winners: 500 }];
  lane.apply(...running(raffle({ allocation_mode: 'Deferred', prize_distribution })));
  contribute(lane, steps, 'growing', players);
  lane.nowMs += minuteMs;
  steps.apply('ending the round', lane, { kind: 'Tick', instance: 'jackpot' });
  work(lane, steps, 'numbering, drawing, paying');
  expect(lane.engine.describe('jackpot')).toMatchObject({ status: 'Active' });
  expect(lane.engine.winners('jackpot', '', '', 500)).toHaveLength(500);
  contribute(lane, steps, 'next round', 100_000);
  console.info(`longest steps of a raffle: ${steps}`);
});

/** An administrator lets each pot drop, and again in its next cycle; what came of it. */
function winEach(lane: TestLane, steps: LongestSteps) {
  const wins: unknown[] = [];
  for (const turn of ['first', 'later']) {
    for (const [pot, rules] of Object.entries(rulesOf)) {
      const kinds = rules.map((rule) => Object.keys(rule)[0]).join(' and ');
      const winner = { kind: 'TriggerPot', instance: 'jackpot', player: idOf(7), pot } as const;
      const { outcomes, events, instances } = steps.apply(`${turn} ${kinds}`, lane, { ...admin, ...winner });
      expect(outcomes).toMatchObject([{ kind: 'Triggered' }]);
      wins.push(events, instances);
    }
    contribute(lane, steps, 'next cycle', 10_000);
  }
  return wins;
}

function contribute(lane: TestLane, steps: LongestSteps, kind: string, count: number, factor = 1): void {
  for (let done = 0; done < count; done += message) {
    const commands = Array.from({ length: message }, (_, index) =>
      contribution({ player: playerOf(factor * (done + index)) }),
    );
    steps.apply(kind, lane, ...commands);
  }
}

function optIn(lane: TestLane, steps: LongestSteps, from: number): void {
  const rows = Array.from({ length: bulkRows }, (_, index) => ({
    instance: 'jackpot',
    brand: 'op:main',
    player: playerOf(from + index),
    currency: '',
    optIn: true,
  }));
  steps.apply('bulk opt-in', lane, { kind: 'BulkOptIn', job: `from ${from}`, rows, user: 'admin' });
  work(lane, steps, 'bulk opt-in');
}

/** Goes on with work that is cut into steps until there is none. */
function work(lane: TestLane, steps: LongestSteps, kind: string): void {
  for (let [job] = lane.engine.jobs(); job !== undefined; [job] = lane.engine.jobs()) {
    steps.apply(kind, lane, { kind: 'Continue', job: job.job, step: job.step });
  }
}

/** In an order that is nobody's: ids that follow each other would be kind to caches. */
function playerOf(number: number): string {
  return idOf((number * 611_953) % players);
}

function idOf(number: number): string {
  return `player-${number}`;
}
