import { z } from 'zod';
import { maskedWinnerView } from '../../../src/contracts/jackpots/winner.ts';
import { convertAtoms } from '../../../src/directory/rates.ts';
import {
  defineOperation,
  type GatewayContext,
  type Operation,
} from '../../../src/gateway/api/operation/operation.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { LaneQueryAnswer } from '../../../src/messages/queries.ts';
import type { InstanceDescription, WinnerRecord } from '../../../src/messages/records.ts';
import {
  type DemoPlayer,
  demoBrands,
  demoOperator,
  demoPlayers,
  demoServiceUser,
  demoSources,
} from '../fixtures.ts';
import { jackpotView } from './jackpot-view.ts';
import type { DemoToken } from './player-tokens.ts';

/** Winners shown for each jackpot. */
const winnersShown = 8;

/**
 * What the page needs to begin: who plays and what there is to play with. The players' sessions with the
 * demo's wallet are in it, because the page is their frontend: it opens their feeds and joins jackpots for
 * them.
 */
export const readDemoSession = (tokenOf: DemoToken): Operation =>
  defineOperation({
    id: 'demo.session',
    name: 'Session of the demo page',
    route: 'GET /demo/session',
    surface: 'public',
    authentication: { kind: 'none' },
    input: {},
    output: z.unknown(),
    async handle(_request, context) {
      const account = context.access.accounts.find('service', demoServiceUser);
      if (account === undefined) throw new PublicError('shutting_down', 'The demo is starting.');
      const lane = await demoLane(context);
      return {
        status: 200,
        headers: ['cache-control', 'no-store'],
        body: {
          operator_id: demoOperator,
          brands: demoBrands.filter(hasPlayers).map(({ brand, name }) => ({ brand_id: brand, name })),
          players: demoPlayers.map(({ player, brand, country, currency }) => ({
            player_id: player,
            brand_id: brand,
            country,
            currency,
            token: tokenOf(player),
          })),
          sources: demoSources
            .filter(({ id }) => lane.bindings.some((list) => list.id === id && list.bindings.length > 0))
            .map(({ id, name }) => ({ source_id: id, name })),
          ...(await jackpotsOf(lane, context)),
        },
      };
    },
  });

const hasPlayers = ({ brand }: { readonly brand: string }): boolean =>
  demoPlayers.some((player) => player.brand === brand);

type LaneState = Extract<LaneQueryAnswer, { kind: 'state' }>;

/** The demo operator's part of its lane, oldest instance first. */
async function demoLane(context: GatewayContext): Promise<Pick<LaneState, 'instances' | 'bindings'>> {
  const lane = context.lanes.laneOf(demoOperator);
  const instances: LaneState['instances'][number][] = [];
  const bindings: LaneState['bindings'][number][] = [];
  for (let offset = 0; ; ) {
    const answer = await context.lanes.query(lane, { kind: 'state', offset });
    if (answer.kind !== 'state') throw new PublicError('overloaded');
    instances.push(...answer.instances);
    bindings.push(...answer.bindings);
    offset = answer.next;
    if (offset >= answer.total) break;
  }
  return {
    instances: instances
      .filter(({ description }) => description.owner.split(':')[0] === demoOperator)
      .sort((first, second) => first.description.createdMs - second.description.createdMs),
    bindings: bindings.filter((list) => list.of === 'source' && list.owner.split(':')[0] === demoOperator),
  };
}

async function jackpotsOf(lane: Pick<LaneState, 'instances' | 'bindings'>, context: GatewayContext) {
  const all = await Promise.all(
    lane.instances.map(async ({ description }) => {
      const winners = await winnersOf(description, context);
      const roundEndMs = await roundEnd(description, context);
      return { jackpot: jackpotView(description, lane.bindings, roundEndMs, winners), winners };
    }),
  );
  return { jackpots: all.map(({ jackpot }) => jackpot), winners: all.flatMap(({ winners }) => winners) };
}

/** When the running round of a raffle ends, by its tickets; null: no ticket yet, or no raffle. */
async function roundEnd({ instance, configuration }: InstanceDescription, context: GatewayContext) {
  if ((configuration as { jackpot_type?: unknown }).jackpot_type !== 'Raffle') return null;
  const query = {
    kind: 'tickets',
    instance,
    brand: '',
    player: '',
    newestFirst: true,
    offset: 0,
    limit: 1,
  } as const;
  const answer = await context.lanes.query(context.lanes.laneOf(demoOperator), query);
  return answer.kind === 'tickets' ? (answer.tickets[0]?.endMs ?? null) : null;
}

/** The newest winners, masked: the page is open to everyone. */
async function winnersOf({ instance }: InstanceDescription, context: GatewayContext) {
  const query = { kind: 'winners', instance, pot: '', brand: '', limit: winnersShown } as const;
  const answer = await context.lanes.query(context.lanes.laneOf(demoOperator), query);
  if (answer.kind !== 'winners') return [];
  return answer.winners.map((winner) => ({
    instance_id: instance,
    ...maskedWinnerView(winner),
    shown: demoPlayers.map((player) => shownTo(player, winner, context)),
  }));
}

/** As the player's feed says it: in the player's currency, where the brand has a rate. */
function shownTo(
  { player, brand, currency }: DemoPlayer,
  { amountAtoms, currency: of }: WinnerRecord,
  { directory }: GatewayContext,
) {
  const rates = directory.rates(brand);
  const converted = of === currency ? amountAtoms : rates && convertAtoms(rates, amountAtoms, of, currency);
  return typeof converted === 'bigint'
    ? { player_id: player, amount: converted, currency }
    : { player_id: player, amount: amountAtoms, currency: of };
}
