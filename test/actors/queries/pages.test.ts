import { describe, expect, it } from 'vitest';
import { answerQuery } from '../../../src/actors/queries/answers.ts';
import { pageLimits } from '../../../src/actors/queries/pages.ts';
import { decodeConfiguration, encodeLaneQueryAnswer } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { LaneQueryAnswer } from '../../../src/messages/queries.ts';
import type { InstanceDescription } from '../../../src/messages/records.ts';
import {
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
} from '../../jackpot/support/commands.ts';
import { TestLane } from '../../jackpot/support/lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

const instanceCount = 450;
const potCount = 16;

/** Hundreds of instances of many pots, each bound to sources: far more than one message of the bus may hold. */
function largeLane(): TestLane {
  const pots = Array.from({ length: potCount }, (_, index) => ({
    id: `pot-${'x'.repeat(40)}-${index}`,
    contribution: { Percentage: '0.06' },
    pot_types: [{ HitRate: { max_magic_number: 1_000_000, cost_per_attempt: '0.1' } }],
  }));
  const lane = new TestLane();
  lane.apply(setBrand());
  for (let number = 0; number < instanceCount; number += 1) {
    const instance = `instance-${number}`;
    const bind: Command = {
      kind: 'Bind',
      of: 'source',
      owner: 'op',
      ids: Array.from({ length: 3 }, (_, source) => `source-${number}-${source}`),
      instance,
      priority: null,
    };
    const { outcomes } = lane.apply(createInstance(onePot({}, {}, { pots }), { instance }), bind);
    expect(outcomes).toMatchObject([{ kind: 'Done' }, { kind: 'Done' }]);
  }
  return lane;
}

function sizeOf(answer: LaneQueryAnswer): number {
  return encodeLaneQueryAnswer(answer).length;
}

describe('pages of a large lane', () => {
  const lane = largeLane();

  it('hold together every instance and binding list once, and each fits a message', () => {
    const instances: string[] = [];
    const lists: string[] = [];
    let pages = 0;
    for (let offset = 0; ; pages += 1) {
      const page = answerQuery(lane.engine, { kind: 'state', offset });
      if (page.kind !== 'state') throw new Error(page.kind);
      expect(sizeOf(page)).toBeLessThan(2 * pageLimits.bytes);
      instances.push(...page.instances.map(({ description }) => description.instance));
      lists.push(...page.bindings.map(({ id }) => id));
      expect(page.next).toBeGreaterThan(offset);
      offset = page.next;
      if (offset >= page.total) break;
    }
    expect(pages).toBeGreaterThan(2);
    expect(new Set(instances).size).toBe(instanceCount);
    expect(instances).toHaveLength(instanceCount);
    expect(new Set(lists).size).toBe(3 * instanceCount);
    expect(lists).toHaveLength(3 * instanceCount);
  });

  it('of instances by id say how far they go', () => {
    const ids = Array.from({ length: instanceCount }, (_, number) => `instance-${number}`);
    const found: string[] = [];
    for (let at = 0; at < ids.length; ) {
      const answer = answerQuery(lane.engine, { kind: 'instances', ids: ['unknown', ...ids.slice(at)] });
      if (answer.kind !== 'instances') throw new Error(answer.kind);
      expect(sizeOf(answer)).toBeLessThan(2 * pageLimits.bytes);
      expect(answer.answered).toBeGreaterThan(1);
      found.push(...answer.instances.map(({ instance }) => instance));
      at += answer.answered - 1;
    }
    expect(found).toEqual(ids);
  });

  it('of instances by id can have each configuration once, and say the same', () => {
    const ids = Array.from({ length: instanceCount }, (_, number) => `instance-${number}`);
    const found: InstanceDescription[] = [];
    for (let at = 0; at < ids.length; ) {
      const query = { kind: 'instances', ids: ['unknown', ...ids.slice(at)], packed: true } as const;
      const answer = answerQuery(lane.engine, query);
      if (answer.kind !== 'packed_instances') throw new Error(answer.kind);
      expect(sizeOf(answer)).toBeLessThan(2 * pageLimits.bytes);
      expect(answer.configurations).toHaveLength(1);
      const configurations = answer.configurations.map((bytes) => decodeConfiguration(bytes));
      for (const instance of answer.instances)
        found.push({
          ...instance,
          configuration: configurations[instance.configuration],
          pendingConfiguration: null,
        });
      at += answer.answered - 1;
    }
    expect(found).toEqual(ids.map((id) => lane.engine.describe(id)));
  });

  it('of instances with configurations of their own fit, too', () => {
    const rich = new TestLane();
    rich.apply(setBrand());
    const ids = Array.from({ length: 60 }, (_, number) => `instance-${number}`);
    for (const instance of ids) {
      const brands = Array.from({ length: 1000 }, (_, n) => `op:${instance}-${'b'.repeat(40)}${n}`);
      const document = onePot({}, { allowed_brands: ['op:main', ...brands] });
      expect(rich.apply(createInstance(document, { instance })).outcomes).toMatchObject([{ kind: 'Done' }]);
    }
    const found: string[] = [];
    for (let at = 0; at < ids.length; ) {
      const query = { kind: 'instances', ids: ids.slice(at), packed: true } as const;
      const answer = answerQuery(rich.engine, query);
      if (answer.kind !== 'packed_instances') throw new Error(answer.kind);
      expect(sizeOf(answer)).toBeLessThan(1.2 * pageLimits.bytes);
      expect(answer.configurations).toHaveLength(answer.instances.length);
      found.push(...answer.instances.map(({ instance }) => instance));
      at += answer.answered;
    }
    expect(found).toEqual(ids);
  });

  it('describe a configuration as the same object until it changes', () => {
    const before = lane.engine.describe('instance-0')!.configuration;
    lane.apply(contribution({ target: { type: 'instance', id: 'instance-0' } }));
    expect(lane.engine.describe('instance-0')!.configuration).toBe(before);
    expect(lane.engine.describe('instance-1')!.configuration).not.toBe(before);
    const { version } = lane.engine.describe('instance-0')!;
    const change: Command = {
      kind: 'SetParameters',
      instance: 'instance-0',
      configuration: { ...(before as InstanceConfigurationDocument), max_instantiation_count: 7 },
      reason: 'test',
      user: 'admin',
      expectedVersion: version,
    };
    expect(lane.apply(change).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.engine.describe('instance-0')!.configuration).toMatchObject({ max_instantiation_count: 7 });
  });
});

describe('what is open', () => {
  it('is told in pages by number', () => {
    const lane = new TestLane();
    const rules = { operator_contribution_percentage: '0' };
    lane.apply(setBrand({ wallet: true }), ...running(onePot({}, rules)).slice(1));
    const commands = Array.from({ length: 5 }, (_, index) => {
      return contribution({ wallet: true, contributionId: new Uint8Array(16).fill(index) });
    });
    const { sequence } = lane.apply(...commands);
    const numbers: number[] = [];
    for (let after = 0; ; ) {
      const answer = answerQuery(lane.engine, { kind: 'open_debits', after, limit: 2 });
      if (answer.kind !== 'open_debits' || answer.debits.length === 0) break;
      numbers.push(...answer.debits.map((debit) => debit.number));
      after = numbers.at(-1)!;
    }
    expect(numbers).toEqual([1, 2, 3, 4, 5]);
    expect(answerQuery(lane.engine, { kind: 'pending_answer', sequence, index: 4 })).toMatchObject({
      position: null,
      open: true,
    });
    expect(answerQuery(lane.engine, { kind: 'pending_answer', sequence, index: 5 })).toMatchObject({
      position: null,
      open: false,
    });
  });
});

const widest = String.fromCodePoint(0x1f600).repeat(128);

describe('answers of the largest records', () => {
  it('open debits with the longest texts come in pages that fit', () => {
    const lane = new TestLane();
    const rules = { operator_contribution_percentage: '0' };
    lane.apply(setBrand({ wallet: true }), ...running(onePot({}, rules)).slice(1));
    lane.apply({
      kind: 'Bind',
      of: 'source',
      owner: 'op',
      ids: [widest],
      instance: 'jackpot',
      priority: null,
    });
    for (let message = 0; message < 10; message++) {
      const commands = Array.from({ length: 50 }, (_, index) =>
        contribution({
          wallet: true,
          contributionId: new Uint8Array(16).fill(message).fill(index, 8),
          target: { type: 'source', id: widest },
          player: widest,
          gameround: widest,
          provider: widest,
        }),
      );
      expect(lane.apply(...commands).outcomes[0]).toMatchObject({ kind: 'Pending' });
    }
    const numbers: number[] = [];
    for (let after = 0; ; after = numbers.at(-1)!) {
      const answer = answerQuery(lane.engine, { kind: 'open_debits', after, limit: 500 });
      if (answer.kind !== 'open_debits') throw new Error(answer.kind);
      expect(sizeOf(answer)).toBeLessThan(1.2 * pageLimits.bytes);
      if (answer.debits.length === 0) break;
      numbers.push(...answer.debits.map(({ number }) => number));
    }
    expect(numbers.length).toBeGreaterThan(300);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  it('epochs with large headers come in pages, each epoch once', () => {
    const lane = new TestLane({ epochMs: 1 });
    const allowed_brands = Array.from({ length: 1000 }, (_, i) => `op:${'b'.repeat(57)}${i}`);
    lane.apply(
      setBrand(),
      ...running(onePot({}, { allowed_brands: ['op:main', ...allowed_brands] })).slice(1),
    );
    for (let epoch = 0; epoch < 14; epoch++) {
      lane.apply(openEpoch('jackpot', epoch, [epoch + 3]), contribution());
    }
    const all = lane.engine.epochs('jackpot')!;
    const found: number[] = [];
    let pages = 0;
    for (let after = -1; ; pages += 1) {
      const answer = answerQuery(lane.engine, { kind: 'epochs', instance: 'jackpot', after });
      if (answer.kind !== 'epochs') throw new Error(answer.kind);
      expect(sizeOf(answer)).toBeLessThan(1.2 * pageLimits.bytes);
      found.push(...answer.epochs.map(({ epoch }) => epoch));
      after = found.at(-1)!;
      if (!answer.more) break;
    }
    expect(pages).toBeGreaterThan(0);
    expect(found).toEqual(all.map(({ epoch }) => epoch));
  });

  it('faults of a configuration that is nothing but faults fit', () => {
    const pots = Array.from({ length: 64 }, (_, index) => ({
      id: `pot-${index}`,
      pot_types: Array.from({ length: 300 }, () => ({ [`Unknown${'x'.repeat(60)}`]: {} })),
    }));
    const answer = answerQuery(new TestLane().engine, {
      kind: 'check_configuration',
      configuration: { ...onePot(), pots },
    });
    if (answer.kind !== 'check_configuration') throw new Error(answer.kind);
    expect(sizeOf(answer)).toBeLessThan(pageLimits.bytes);
    expect(answer.faults.at(-1)).toMatch(/^and \d+ more$/);
  });
});
