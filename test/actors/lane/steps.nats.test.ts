import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decodeCommandBatch, decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import type { LaneEvent } from '../../../src/messages/events.ts';
import type { Log } from '../../../src/ports.ts';
import { brand, contribution, createInstance, setStatus } from '../../jackpot/support/commands.ts';
import { raffle } from '../../jackpot/support/raffle.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { switchModel } from '../../jackpot/support/switching.ts';
import { ActorWorld, lane } from '../actor-world.ts';

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** A raffle whose first round has a contribution of each player: they are of the message that begins it. */
async function runRound(rules: Parameters<typeof raffle>[0], players: number): Promise<void> {
  const contributions = Array.from({ length: players }, (_, i) =>
    contribution({ contributionId: randomBytes(16), player: `player-${i}` }),
  );
  await world.reply(await world.send([createInstance(raffle(rules))]));
  await world.reply(await world.send([setStatus('Active'), ...contributions]));
}

async function events(): Promise<LaneEvent[]> {
  const found: LaneEvent[] = [];
  const last = await world.outcomesStored();
  for (let sequence = 1; sequence <= last; sequence += 1) {
    found.push(...decodeOutcomeRecord((await world.log.readOutcome(lane, sequence))!.bytes).events);
  }
  return found;
}

async function statusOf(instance = 'jackpot'): Promise<string> {
  const answer = await world.query({ kind: 'instances', ids: [instance] }, await world.log.lastCommand(lane));
  return answer.kind === 'instances' ? answer.instances[0]!.status : answer.kind;
}

/** A log that takes the first step of an owner's work and no other, as where the owner is killed between the two. */
function withOneStep(log: Log): Log {
  let steps = 0;
  const append: Log['append'] = (of, channel, bytes, options) => {
    if (decodeCommandBatch(bytes).commands.some(({ kind }) => kind === 'Continue')) steps += 1;
    return steps > 1 ? new Promise(() => {}) : log.append(of, channel, bytes, options);
  };
  return new Proxy(log, {
    get(target, name) {
      if (name === 'append') return append;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

it("a raffle's rounds follow each other by the owner's ticks and steps", async () => {
  await world.owned(await world.startHost('one'));
  await runRound({ duration: { Seconds: 1 } }, 20);
  const wins = async () => (await events()).filter((event) => event.kind === 'RaffleWon');
  await world.until(async () => (await wins()).length > 0, 'a round is drawn');
  expect(await wins()).toMatchObject([{ round: 1, tickets: 20, winners: [{ brand }] }]);
  await world.until(async () => (await statusOf()) === 'Active', 'the next round begins');
});

it('steps that an owner leaves are done by the next one', async () => {
  const first = await world.startHost('one', {}, withOneStep);
  await world.owned(first);
  const prize_distribution = [{ prize_percentage: '0.5', number_of_winners: 700 }];
  await runRound({ allocation_mode: 'Deferred', duration: { Seconds: 1 }, prize_distribution }, 1500);
  await world.until(async () => (await statusOf()) === 'Resolving', 'the round ends');
  await first.abort();
  await world.owned(await world.startHost('two'));
  await world.until(async () => (await statusOf()) === 'Active', 'the round is over');
  const announced = await events();
  const tickets = announced.filter((event) => event.kind === 'TicketsAwarded');
  expect(tickets.map((event) => event.first)).toEqual(Array.from({ length: 1500 }, (_, i) => i + 1));
  const won = announced.filter((event) => event.kind === 'RaffleWon');
  expect(won.flatMap((event) => event.winners)).toHaveLength(700);
});

it('a bulk opt-in and a switch of many players go on by themselves', async () => {
  await world.owned(await world.startHost('one'));
  await world.activeInstance('jackpot', onePot());
  await world.reply(await world.send([createInstance(onePot(), { instance: 'next' })]));
  const rows = Array.from({ length: 1500 }, (_, i) => ({
    instance: 'jackpot',
    brand,
    player: `player-${i}`,
    currency: '',
    optIn: true,
  }));
  const reply = await world.reply(await world.send([{ kind: 'BulkOptIn', job: 'a', rows, user: 'admin' }]));
  expect(reply.outcomes).toMatchObject([{ kind: 'BulkOptedIn' }]);
  await world.until(async () => {
    const answer = await world.query({ kind: 'bulk_opt_in', job: 'a', offset: 0 });
    return answer.kind === 'bulk_opt_in' && answer.remaining === 0;
  }, 'every row is done');
  const switched = await world.reply(await world.send([switchModel({ transferOptIns: true })]));
  expect(switched.outcomes).toMatchObject([{ kind: 'Done' }]);
  await world.until(async () => {
    const activated = await world.reply(await world.send([setStatus('Active', 'next')]));
    return activated.outcomes[0]?.kind === 'Done';
  }, 'the target has every opt-in');
  const optIns = await world.query({
    kind: 'opt_ins',
    instance: 'next',
    optedIn: true,
    owners: [],
    offset: 1499,
    limit: 500,
  });
  expect(optIns).toMatchObject({ statuses: [{ player: 'player-1499' }] });
});
