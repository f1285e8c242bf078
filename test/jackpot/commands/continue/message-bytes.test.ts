import { expect, it } from 'vitest';
import type { MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import { encodeOutcomeRecord } from '../../../../src/messages/codec/codec.ts';
import {
  brand,
  contribution,
  createInstance,
  openEpoch,
  setBrand,
  setRates,
  setStatus,
} from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot, sureHit } from '../../support/scenario.ts';

const maximumMessageBytes = 256 * 1024;
const epochMs = 60_000;

function given(settings: { maximumMessageBytes?: number } = { maximumMessageBytes }): TestLane {
  const lane = new TestLane({ epochMs, ...settings });
  lane.apply(setRates([]), setBrand());
  return lane;
}

function activate(lane: TestLane, instance: string, configuration = onePot()): void {
  lane.apply(createInstance(configuration, { instance }));
  lane.apply(openEpoch(instance, 0, [0, 1, 2]));
  lane.apply(setStatus('Active', instance));
}

/** Every contribution is won by it and shared by all players. */
const shared = onePot({
  pot_types: [sureHit],
  payout_ruleset: {
    main_winner_percentage: '0.5',
    payout_rules: [
      {
        payout_percentage: '0.5',
        rule: { ActivePlayers: { period_before_win: 3_600_000, max_number_of_payouts: 1000 } },
      },
    ],
  },
});

const players = (count: number) => Array.from({ length: count }, (_, i) => `${'ß'.repeat(120)}${i}`);
const id = (number: number) =>
  new Uint8Array(16).fill(1).map((byte, i) => (i < 4 ? number >> (8 * i) : byte) & 0xff);
const bytesOf = (outcome: MessageOutcome) =>
  encodeOutcomeRecord({ laneHead: new Uint8Array(32), ...outcome }).length;

/** A lane whose players have all contributed, a few a message. */
function population(settings?: { maximumMessageBytes?: number }): TestLane {
  const lane = given(settings);
  activate(lane, 'jackpot', {
    ...shared,
    contribution_rules: { contribution_type: { Fixed: '100' }, operator_contribution_percentage: '0' },
  });
  for (const player of players(200)) lane.apply(contribution({ player }));
  return lane;
}

it('refuses the contributions of a message that has told enough, and nothing of them stays', () => {
  const lane = population();
  const commands = players(200).map((player, i) =>
    contribution({ player, contributionId: id(i), idempotencyKey: id(i) }),
  );
  const first = lane.apply(...commands);
  const taken = first.outcomes.filter(({ kind }) => kind === 'Contributed').length;
  const refused = first.outcomes.filter(({ kind }) => kind === 'Refused');
  expect(taken).toBeGreaterThan(1);
  expect(taken + refused.length).toBe(200);
  expect(new Set(refused)).toEqual(new Set([{ kind: 'Refused', code: 'overloaded', message: '' }]));
  expect(first.events.filter(({ kind }) => kind === 'Won')).toHaveLength(taken);
  expect(bytesOf(first)).toBeLessThan(2 * maximumMessageBytes);
  expect(lane.engine.idempotencyKey(id(taken - 1), 'op:main')).not.toBeNull();
  expect(lane.engine.idempotencyKey(id(taken), 'op:main')).toBeNull();
  const described = lane.engine.describe('jackpot')!;
  expect(described.totalContributions).toBe(200 + taken);
  expect(lane.total()).toBe(0n);
  // Sent again they are taken; nobody wins twice.
  const { outcomes } = lane.apply(...commands.slice(taken - 1));
  expect(outcomes.slice(0, 2).map(({ kind }) => kind)).toEqual(['Duplicate', 'Contributed']);
});

it('takes every contribution where no owner has said a bound', () => {
  const { outcomes } = population({}).apply(...players(200).map((player) => contribution({ player })));
  expect(outcomes.every(({ kind }) => kind === 'Contributed')).toBe(true);
});

/** Instances whose headers are large, and whose epochs end in one message. */
function manyInstances(settings?: { maximumMessageBytes?: number }, count = 130): TestLane {
  const lane = given(settings);
  const allowed_brands = Array.from({ length: 300 }, (_, i) => `op:${'b'.repeat(50)}${i}`);
  const configuration = onePot({}, { allowed_brands: [brand, ...allowed_brands] });
  for (let i = 0; i < count; i++) activate(lane, `jackpot-${i}`, configuration);
  lane.nowMs += epochMs;
  return lane;
}

const toAll = (count: number) =>
  Array.from({ length: count }, (_, i) => contribution({ target: { type: 'instance', id: `jackpot-${i}` } }));
const turned = (outcome: MessageOutcome) =>
  outcome.events.flatMap((event) => (event.kind === 'EpochStarted' ? [event.instance] : []));

it('epochs that end together turn one after the other, by ticks that the owner writes', () => {
  const lane = manyInstances();
  const names: string[] = [];
  let outcome = lane.apply(...toAll(130));
  let messages = 0;
  for (; messages < 100; messages++) {
    names.push(...turned(outcome));
    expect(bytesOf(outcome)).toBeLessThan(2 * maximumMessageBytes);
    const due = lane.engine.nextDeadline();
    if (due === null || due.atMs > lane.nowMs) break;
    lane.restart();
    outcome = lane.apply({ kind: 'Tick', instance: due.instance });
  }
  expect(messages).toBeGreaterThan(3);
  expect(names).toEqual(Array.from({ length: 130 }, (_, i) => `jackpot-${i}`));
  expect(new Set([...lane.engine.instances()].map((each) => lane.engine.describe(each)!.status))).toEqual(
    new Set(['Active']),
  );
  const [again] = [lane.replayed()];
  expect(again.liveValues('jackpot-129')).toEqual(lane.engine.liveValues('jackpot-129'));
});

it('without a bound all of them turn at once', () => {
  expect(turned(manyInstances({}).apply(...toAll(130)))).toHaveLength(130);
});

it('work that waits comes before that of the messages behind it', () => {
  const lane = manyInstances();
  const first = turned(lane.apply(...toAll(130).reverse()));
  const second = turned(lane.apply(contribution({ target: { type: 'instance', id: 'jackpot-0' } })));
  const [last] = second.slice(-1);
  expect([...first, ...second]).toEqual(
    Array.from({ length: first.length + second.length }, (_, i) => `jackpot-${129 - i}`),
  );
  expect(last).not.toBe('jackpot-0');
});

it('a debit that a full message cannot apply is applied by the next Tick', () => {
  const lane = population();
  lane.apply(setBrand({ brand: 'op:vault', wallet: true }));
  const pending = lane.apply(
    contribution({ brand: 'op:vault', player: 'v', wallet: true, contributionId: id(7) }),
  );
  const [work] = pending.work;
  if (work?.kind !== 'DebitDue') throw new Error('a debit is due');
  const { transactionId } = work.debit;
  const settled = lane.apply(...players(200).map((player) => contribution({ player })), {
    kind: 'DebitSettled',
    transactionId,
    result: 'debited',
  });
  expect(settled.outcomes.at(-1)).toMatchObject({ kind: 'Done' });
  const due = lane.engine.nextDeadline()!;
  expect(due).toMatchObject({ instance: 'jackpot' });
  expect(due.atMs).toBeLessThanOrEqual(lane.nowMs);
  const { outcomes } = lane.apply({ kind: 'Tick', instance: 'jackpot' });
  expect(outcomes).toMatchObject([{ kind: 'Settled', contributions: [{ result: { kind: 'Contributed' } }] }]);
});

it('a list of bindings and a configuration have a most', () => {
  const lane = given();
  activate(lane, 'last');
  const names = Array.from({ length: 1000 }, (_, i) => `bound-${i}`);
  for (const instance of names) lane.apply(createInstance(onePot(), { instance }));
  const bind = (instance: string) =>
    lane.apply({ kind: 'Bind', of: 'source', owner: 'op', ids: ['slot'], instance, priority: null })
      .outcomes[0];
  for (const instance of names) expect(bind(instance)).toMatchObject({ kind: 'Done' });
  expect(bind('last')).toMatchObject({ code: 'invalid_parameter' });
  expect(bind('bound-3')).toMatchObject({ kind: 'Done' });
  const allowed_brands = Array.from({ length: 1100 }, (_, i) => `${'o'.repeat(64)}:${'b'.repeat(60)}${i}`);
  const configuration = onePot({}, { allowed_brands });
  expect(lane.apply(createInstance(configuration, { instance: 'large' })).outcomes).toMatchObject([
    { kind: 'Refused', code: 'config_invalid' },
  ]);
});
