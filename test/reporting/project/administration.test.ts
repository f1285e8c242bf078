import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { sha256 } from '../../../src/lib/hashes.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { atoms, contribution, running, setStatus } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { optIn, pair, switchModel } from '../../jackpot/support/switching.ts';
import { ProjectedLane } from '../support/booked-lane.ts';

const asAdmin = { user: 'admin', expectedVersion: null };

it('an adjustment says who, why, and what it moved', () => {
  const lane = new ProjectedLane();
  lane.apply(...running(onePot()));
  const { rows, dailyTotals } = lane.apply({
    ...{ kind: 'AdjustPot', instance: 'jackpot', pot: 'main', account: 'current_value', ...asAdmin },
    ...{ targetAtoms: atoms('5'), reason: 'a gift', mayDecrease: false, idempotencyKey: null },
  });
  expect(rows.entries).toMatchObject([
    {
      ...{ kind: 'AdjustPot', phase: 'command', changed_by: 'admin', reason: 'a gift' },
      split: { adjustment: '-5', 'main.current': '5' },
    },
  ]);
  expect(dailyTotals).toMatchObject([
    { pot: '', brand: '', operator: 'op', measures: { adjusted: atoms('5') } },
    { pot: 'main', measures: { adjusted: atoms('5') } },
  ]);
});

it('a change of parameters is a row with the hash of what is configured since', () => {
  const lane = new ProjectedLane();
  const configuration = onePot();
  const made = lane.apply(...running(configuration));
  expect(made.rows.parameter_changes).toMatchObject([
    { kind: 'CreateInstance', version: 1, changed_by: 'admin', reason: null },
  ]);
  expect(made.rows.instances?.at(-1)).toMatchObject({
    instance: 'jackpot',
    status: 'Active',
    pots: ['main'],
  });
  const changed = onePot({ contribution: { Percentage: '0.5' } });
  const set = { kind: 'SetParameters', instance: 'jackpot', configuration: changed, ...asAdmin } as const;
  const { rows } = lane.apply(
    { ...set, reason: 'less' },
    { ...set, expectedVersion: 999, reason: 'outdated' },
  );
  const configuration_hash = Buffer.from(sha256(canonicalJson(changed))).toString('hex');
  expect(rows.parameter_changes).toMatchObject([
    { command_index: 0, kind: 'SetParameters', reason: 'less', configuration_hash, configuration: changed },
  ]);
  expect(rows.parameter_changes).toHaveLength(1);
});

it('a status says who asked for it, or that nobody did', () => {
  const lane = new ProjectedLane();
  const started = lane.apply(...running(onePot({}, {}, { max_instantiation_count: 1 })));
  expect(started.rows.statuses).toMatchObject([
    { command_index: 3, status: 'Active', changed_by: 'admin', reason: 'test' },
  ]);
  lane.apply(contribution());
  const trigger = { kind: 'TriggerPot', instance: 'jackpot', pot: 'main', brand: 'op:main' } as const;
  const over = lane.apply({ ...trigger, player: 'p', source: '', user: 'admin', idempotencyKey: null });
  expect(over.rows.statuses).toMatchObject([{ command_index: -1, status: 'Resolving', changed_by: null }]);
});

it('an opt-in is a state and a change', () => {
  const lane = new ProjectedLane();
  lane.apply(...running(onePot()));
  lane.apply(optIn('p1', { user: 'support' }));
  const { rows } = lane.apply(optIn('p1', { optIn: false }));
  expect(rows.opt_ins).toMatchObject([{ player: 'p1', is_opted_in: false, sequence: 3 }]);
  expect(lane.rows('opt_in_changes')).toMatchObject([
    { command_index: 0, is_opted_in: true, changed_by: 'support' },
    { command_index: 0, is_opted_in: false, changed_by: null },
  ]);
});

it('a switch moves balances from one instance to the other', () => {
  const lane = new ProjectedLane();
  pair({ apply: (...commands: Command[]) => lane.apply(...commands) } as never, onePot());
  lane.apply(contribution());
  lane.apply(switchModel());
  for (let steps = 0; steps < 10; steps += 1) {
    const [job] = lane.engine.jobs();
    if (job === undefined) break;
    lane.apply({ kind: 'Continue', job: job.job, step: job.step });
  }
  expect(lane.engine.describe('jackpot')?.status).toBe('Switched');
  const moved = lane.rows('entries').map(({ instance, split }) => [instance, split]);
  expect(moved).toEqual([
    ['jackpot', { transfer: '1', 'main.current': '-1' }],
    ['next', { transfer: '-1', 'main.current': '1' }],
  ]);
  const totals = lane.batches.flatMap(({ dailyTotals }) => dailyTotals);
  const transferred = totals.flatMap(({ instance, pot, measures }) =>
    measures.transferred === undefined ? [] : [[instance, pot, measures.transferred]],
  );
  expect(transferred).toEqual([
    ['jackpot', '', -atoms('1')],
    ['jackpot', 'main', -atoms('1')],
    ['next', '', atoms('1')],
    ['next', 'main', atoms('1')],
  ]);
  expect(lane.rows('parameter_changes').at(-1)).toMatchObject({ kind: 'SwitchModel', changed_by: 'admin' });
  expect(lane.rows('instances').findLast(({ instance }) => instance === 'jackpot')).toMatchObject({
    status: 'Switched',
    switched_to: 'next',
  });
});

it('a diversion is a payment, which ends as its receiver says', () => {
  const lane = new ProjectedLane();
  const target = { External: { endpoint: 'https://bank.example/in', account_id: 'a-1' } };
  const diversion_rules = { diversion_percentage: '1', flush_threshold: '0.5', target };
  const house_pot = { contribution_type: { Percentage: '0.5' }, diversion_rules };
  lane.apply(...running(onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot })));
  const { rows } = lane.apply(contribution());
  expect(rows.payments).toMatchObject([
    { kind: 'flush', state: 'pending', amount: atoms('0.5'), source: 'a-1', operator: 'op', player: null },
  ]);
  const flushId = rows.payments![0]!.transaction_id;
  const ended = lane.apply(
    { kind: 'FlushSettled', instance: 'jackpot', flushId, result: 'confirmed' },
    { kind: 'FlushSettled', instance: 'jackpot', flushId, result: 'confirmed' },
  );
  expect(ended.rows.payments).toMatchObject([
    { transaction_id: flushId, state: 'confirmed', closed: lane.nowMs },
  ]);
  expect(ended.rows.entries).toMatchObject([{ split: { diversion_pending: '-0.5', external: '0.5' } }]);
});

it('a message that is refused as a whole brings no row', () => {
  const lane = new ProjectedLane();
  lane.apply(...running(onePot()));
  const commands = [contribution(), setStatus('Paused')];
  const { rows, dailyTotals, movements } = lane.take(
    lane.booked.refuse({ sequence: 2, timestampMs: lane.nowMs, commands }),
  );
  expect(Object.values(rows).flat()).toEqual([]);
  expect([...dailyTotals, ...movements]).toEqual([]);
});
