import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { maximumMessageBytes } from '../../../../src/actors/ports/actor-ports.ts';
import { decodeOutcomeRecord } from '../../../../src/messages/codec/codec.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import type { OutcomeRecord } from '../../../../src/messages/outcomes.ts';
import type { Log } from '../../../../src/ports.ts';
import { brand, contribution, createInstance, setStatus } from '../../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../../jackpot/support/scenario.ts';
import { ActorWorld, lane } from '../../actor-world.ts';

const older = { epochMs: 86_400_000, epochSequences: 2 ** 20 };
const bounded = { ...older, maximumMessageBytes };

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

const id = () => randomBytes(16);
const idOf = (letter: string, number: number) => `${letter.repeat(124)}${String(number).padStart(4, '0')}`;

function sharedBy(rule: Readonly<Record<string, unknown>>, pot: Readonly<Record<string, unknown>> = {}) {
  const payout_rules = [{ payout_percentage: '0.5', rule }];
  const payout_ruleset = { main_winner_percentage: '0.5', payout_rules };
  return onePot({ payout_ruleset, ...pot }, { contribution_type: { Fixed: '100' } });
}

const highest = sharedBy({ HighestContributors: { max_number_of_payouts: 1000 } });
const trigger: Command = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand,
  player: 'main winner',
  source: '',
  user: '',
  idempotencyKey: null,
};

async function contributionsOf(players: readonly string[], perBatch = 100): Promise<void> {
  for (let at = 0; at < players.length; at += perBatch) {
    const commands = players
      .slice(at, at + perBatch)
      .map((player) => contribution({ player, contributionId: id(), baseWagerAtoms: 10_000_000_000n }));
    await world.reply(await world.send(commands));
  }
}

async function record(sequence: number): Promise<OutcomeRecord> {
  await world.until(async () => (await world.log.lastOutcome(lane)) >= sequence, 'the record is stored');
  return decodeOutcomeRecord((await world.log.readOutcome(lane, sequence))!.bytes);
}

async function goesOn(): Promise<void> {
  const sent = await world.send([contribution({ contributionId: id() })]);
  expect((await world.reply(sent)).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  await record(sent.sequence);
}

it.each([
  ['two-byte', 'ß'],
  ['four-byte', String.fromCodePoint(0x1f600)],
])(
  'a win shared by 1,000 players with the longest ids of %s letters is stored and told',
  async (_, letter) => {
    const first = await world.startHost('one', { engine: bounded });
    await world.owned(first);
    await world.activeInstance('jackpot', highest);
    await contributionsOf(Array.from({ length: 1001 }, (_each, number) => idOf(letter, number)));
    const sent = await world.send([trigger]);
    const { outcomes, events } = await record(sent.sequence);
    expect(outcomes).toMatchObject([{ kind: 'Triggered' }]);
    expect(events).toMatchObject([{ kind: 'Won', community: { length: 1000 } }]);
    await world.reply(sent);
    await goesOn();
    // What is restored from the log goes on too.
    await first.abort();
    await world.owned(await world.startHost('two', { engine: bounded }));
    await goesOn();
    expect(world.alarms).toEqual([]);
  },
);

const sure = sharedBy(
  { ActivePlayers: { period_before_win: 3_600_000, max_number_of_payouts: 1000 } },
  { pot_types: [sureHit] },
);

async function crowd(letter: string): Promise<readonly string[]> {
  const players = Array.from({ length: 300 }, (_each, number) => idOf(letter, number));
  await contributionsOf(players, 1);
  return players;
}

const winsOf = (players: readonly string[]) =>
  players.map((player) => contribution({ player, contributionId: id(), baseWagerAtoms: 10_000_000_000n }));

it('a batch of contributions that each win for hundreds takes what a message may tell, and refuses the rest', async () => {
  await world.owned(await world.startHost('one', { engine: bounded }));
  await world.activeInstance('jackpot', sure);
  const players = await crowd('ß');
  const sent = await world.send(winsOf(players.slice(0, 200)));
  const { outcomes, events } = await record(sent.sequence);
  const taken = outcomes.filter(({ kind }) => kind === 'Contributed');
  expect(taken.length).toBeGreaterThan(3);
  expect(events.filter(({ kind }) => kind === 'Won')).toHaveLength(taken.length);
  expect(outcomes.slice(taken.length)).toEqual(
    Array(200 - taken.length).fill({ kind: 'Refused', code: 'overloaded', message: '' }),
  );
  // The answer is in the log: it would not pass the bus.
  expect(await world.reply(sent)).toMatchObject({ outcomes: [], events: [] });
  await goesOn();
  expect(world.alarms).toEqual([]);
});

/** The log of an older version: records that OUT does not take are never stored. */
function withoutParts(log: Log): Log {
  const appendOutcome: Log['appendOutcome'] = (of, sequence, routing, bytes) =>
    bytes.length > 262_144 ? new Promise(() => {}) : log.appendOutcome(of, sequence, routing, bytes);
  return new Proxy(log, {
    get(target, name) {
      if (name === 'appendOutcome') return appendOutcome;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

it('a lane that an older version left at such a record comes back to life, with every outcome it had given', async () => {
  // As before there was a bound: the owner says none, and nothing that is larger than OUT takes is stored.
  const poisoned = await world.startHost('old', { engine: older }, withoutParts);
  await world.owned(poisoned);
  await world.activeInstance('jackpot', sure);
  const players = await crowd('ß');
  const sent = await world.send(winsOf(players.slice(0, 60)));
  const behind = await world.send([contribution({ contributionId: id() })]);
  await world.until(() => poisoned.statuses()[0]!.appliedSequence >= behind.sequence, 'both are applied');
  await world.until(
    async () => (await world.log.lastOutcome(lane)) >= sent.sequence - 1,
    'all before are stored',
  );
  await poisoned.abort();
  expect(await world.log.lastOutcome(lane)).toBe(sent.sequence - 1);
  await world.owned(await world.startHost('new', { engine: bounded }));
  const { outcomes, events } = await record(sent.sequence);
  expect(outcomes.every(({ kind }) => kind === 'Contributed')).toBe(true);
  expect(events).toHaveLength(60);
  expect((await world.log.readOutcome(lane, sent.sequence))!.bytes.length).toBeGreaterThan(1_000_000);
  await goesOn();
  expect(world.alarms).toEqual([]);
});

it('a small change of a template as large as one may be is stored', async () => {
  await world.owned(await world.startHost('one', { engine: bounded }));
  const allowed_brands = [
    brand,
    ...Array.from({ length: 1000 }, (_each, number) => `op:${'b'.repeat(54)}${number}`),
  ];
  const configuration = onePot({}, { allowed_brands });
  expect(JSON.stringify(configuration).length).toBeGreaterThan(61_000);
  await world.activeInstance('jackpot', configuration);
  for (let change = 0; change < 3; change++) {
    const changed = onePot({ maximum_pot_value: String(1_000 + change) }, { allowed_brands });
    const sent = await world.send([
      {
        kind: 'SetParameters',
        instance: 'jackpot',
        configuration: changed,
        reason: '',
        user: '',
        expectedVersion: null,
      },
    ]);
    expect((await world.reply(sent)).outcomes).toMatchObject([{ kind: 'Done' }]);
    await record(sent.sequence);
  }
  await goesOn();
  const answer = await world.query({ kind: 'epochs', instance: 'jackpot', after: -1 });
  expect(answer.kind).toBe('epochs');
  expect(world.alarms).toEqual([]);
});

it('epochs of 130 instances that end in one message turn by themselves', async () => {
  const engine = { ...bounded, epochMs: 20_000 };
  await world.owned(await world.startHost('one', { engine }));
  const allowed_brands = [
    brand,
    ...Array.from({ length: 300 }, (_each, number) => `op:${'b'.repeat(54)}${number}`),
  ];
  const names = Array.from({ length: 130 }, (_each, number) => `jackpot-${number}`);
  const configuration = onePot({}, { allowed_brands });
  for (const instance of names) await world.send([createInstance(configuration, { instance })]);
  const settled = await world.send(names.map((instance) => setStatus('Pending', instance)));
  await world.reply(settled);
  await world.until(async () => {
    const answer = await world.query({ kind: 'epochs', instance: names.at(-1)!, after: -1 });
    return answer.kind === 'epochs' && answer.epochs.length > 1;
  }, 'every seed is committed');
  for (const instance of names) await world.send([setStatus('Active', instance)]);
  await world.reply(
    await world.send([contribution({ target: { type: 'instance', id: names[0]! }, contributionId: id() })]),
  );
  const last = await world.log.lastCommand(lane);
  const applied = await record(last);
  const isOverAtMs = applied.timestampMs + engine.epochMs;
  await world.until(() => Date.now() > isOverAtMs, 'the epochs are over');
  const all = names.map((instance) =>
    contribution({ target: { type: 'instance', id: instance }, contributionId: id() }),
  );
  const sent = await world.send(all);
  expect((await record(sent.sequence)).outcomes.every(({ kind }) => kind === 'Contributed')).toBe(true);
  await world.until(async () => {
    const answer = await world.query({ kind: 'epochs', instance: names[64]!, after: 0 });
    return answer.kind === 'epochs' && answer.epochs.some(({ state }) => state === 'running');
  }, 'the epochs turn');
  expect(world.alarms).toEqual([]);
});
