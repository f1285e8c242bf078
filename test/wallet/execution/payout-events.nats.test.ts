import { afterEach, beforeEach, expect, it } from 'vitest';
import { frameOf } from '../../../src/directory/events/feed-event.ts';
import { feedEventOf } from '../../../src/directory/events/index.ts';
import { decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { lane } from '../../actors/actor-world.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ExecutionWorld } from './execution-world.ts';

let world: ExecutionWorld;

beforeEach(async () => {
  world = await ExecutionWorld.open();
  await world.actors.owned(await world.actors.startHost('one'));
});
afterEach(() => world.close());

const shared = onePot(
  {
    payout_ruleset: {
      main_winner_percentage: '0.5',
      payout_rules: [
        { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 3 } } },
      ],
    },
  },
  { operator_contribution_percentage: '0' },
);

/** What the service feed shows of payouts, in the order of the log. */
async function shown() {
  const { log } = world.actors;
  const last = await log.lastOutcome(lane);
  const frames: { type: string; player: string; kind: string; state: string; reason: string | null }[] = [];
  for (let sequence = 1; sequence <= last; sequence += 1) {
    const record = decodeOutcomeRecord((await log.readOutcome(lane, sequence))!.bytes);
    for (const event of record.events) {
      if (event.kind !== 'PayoutChanged') continue;
      const made = feedEventOf(event, record.timestampMs);
      if (made === null) continue;
      // The same for every service that may name the player.
      const frame = frameOf(made.encode(undefined as never, {} as never)!, 1);
      const { event_type, player_id, data } = JSON.parse(frame.toString('utf8'));
      frames.push({
        type: event_type,
        player: player_id,
        kind: data.kind,
        state: data.state,
        reason: data.reason,
      });
    }
  }
  return frames;
}

it('the service feed says which shares the wallet did not credit, with its code and text, and when they are paid', async () => {
  world.wallet.batchErrors.set('p2', { code: 'player_locked', msg: 'Until Monday.' });
  await world.actors.activeInstance('jackpot', shared);
  await world.startRole();
  for (const player of ['p1', 'p2']) await world.late(await world.contribute({ player }));
  const trigger = {
    kind: 'TriggerPot',
    instance: 'jackpot',
    pot: 'main',
    brand: 'op:main',
    player: 'p1',
  } as const;
  await world.actors.send([{ ...trigger, source: '', user: 'ada', idempotencyKey: null }]);
  const isPaid = async (): Promise<boolean> => {
    const frames = await shown();
    return ['p1', 'p2'].every((player) =>
      frames.some((each) => each.player === player && each.kind === 'community' && each.state === 'settled'),
    );
  };
  await world.until(isPaid, 'both shares are paid');
  const community = (await shown()).filter(({ kind }) => kind === 'community');
  expect(community.filter(({ player }) => player === 'p1')).toEqual([
    { type: 'PayoutEvent', player: 'p1', kind: 'community', state: 'settled', reason: null },
  ]);
  expect(community.filter(({ player }) => player === 'p2')).toEqual([
    {
      type: 'CommunityPayoutErrorEvent',
      ...{ player: 'p2', kind: 'community', state: 'unknown', reason: 'player_locked: Until Monday.' },
    },
    { type: 'PayoutEvent', player: 'p2', kind: 'community', state: 'settled', reason: null },
  ]);
});

it('the service feed says that a win waits for a person, with the code and text of the refusal', async () => {
  world.wallet.fault = ({ body }) => (body.transaction_type === 'Credit' ? 'refuse' : 'answer');
  await world.actors.activeInstance('jackpot', shared);
  await world.startRole();
  await world.late(await world.contribute({ player: 'p1' }));
  const trigger = {
    kind: 'TriggerPot',
    instance: 'jackpot',
    pot: 'main',
    brand: 'op:main',
    player: 'p1',
  } as const;
  await world.actors.send([{ ...trigger, source: '', user: 'ada', idempotencyKey: null }]);
  await world.until(async () => (await shown()).length === 2, 'both are refused');
  expect(new Set(await shown())).toEqual(
    new Set([
      { type: 'PayoutEvent', player: 'p1', kind: 'main', state: 'dead', reason: 'insufficient_funds: No.' },
      {
        type: 'CommunityPayoutErrorEvent',
        ...{ player: 'p1', kind: 'community', state: 'dead', reason: 'insufficient_funds: No.' },
      },
    ]),
  );
});
