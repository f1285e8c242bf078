import { z } from 'zod';
import type { LaneQueryAnswer } from '../../../contracts/log/messages.ts';
import type { InstanceDescription } from '../../../contracts/log/outcomes.ts';
import { PublicError } from '../../errors.ts';
import { defineOperation, type GatewayContext } from '../../operation.ts';
import { demoBrands, demoOperator, demoPlayers, demoRates, demoServiceUser, demoSources } from './cast.ts';

/** Of each jackpot. */
const winnersShown = 8;

/** What the page needs to begin: a token that opens the feed and nothing else, and who and what there is to play with. */
export const readDemoSession = defineOperation({
  id: 'demo.session',
  name: 'Session of the demo page',
  method: 'GET',
  path: '/demo/session',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {},
  output: z.unknown(),
  async handle(_request, context) {
    const account = context.access.accounts.find('service', demoServiceUser);
    if (account === undefined) throw new PublicError('shutting_down', 'The demo is being set up.');
    const [token, lane] = await Promise.all([context.access.tokens.issueFeed(account), demoLane(context)]);
    return {
      status: 200,
      headers: ['cache-control', 'no-store'],
      body: {
        feed_token: token,
        operator_id: demoOperator,
        brands: demoBrands.map(({ brand, name }) => ({ brand_id: brand, name })),
        players: demoPlayers.map(({ player, brand, currency }) => ({
          player_id: player,
          brand_id: brand,
          currency,
        })),
        sources: demoSources
          .filter(({ id }) => lane.bindings.some((list) => list.id === id && list.bindings.length > 0))
          .map(({ id, name }) => ({ source_id: id, name })),
        jackpots: lane.instances.map(({ description }) => jackpotView(description, lane.bindings)),
        currencies: Object.keys(demoRates),
        winners: (
          await Promise.all(lane.instances.map(({ description }) => winnersOf(description, context)))
        ).flat(),
      },
    };
  },
});

type LaneState = Extract<LaneQueryAnswer, { kind: 'state' }>;

/** The demo operator's part of its lane, oldest instance first. */
async function demoLane(context: GatewayContext): Promise<Pick<LaneState, 'instances' | 'bindings'>> {
  const answer = await context.lanes.query(context.lanes.laneOf(demoOperator), { kind: 'state', offset: 0 });
  if (answer.kind !== 'state') throw new PublicError('overloaded');
  const instances = answer.instances
    .filter(({ description }) => description.owner === demoOperator)
    .sort((first, second) => first.description.createdMs - second.description.createdMs);
  return {
    instances,
    bindings: answer.bindings.filter((list) => list.of === 'source' && list.owner === demoOperator),
  };
}

/** The newest winners, masked: the page is open to everyone. */
async function winnersOf({ instance }: InstanceDescription, context: GatewayContext) {
  const query = { kind: 'winners', instance, pot: '', brand: '', limit: winnersShown } as const;
  const answer = await context.lanes.query(context.lanes.laneOf(demoOperator), query);
  if (answer.kind !== 'winners') return [];
  return answer.winners.map((winner) => ({
    instance_id: instance,
    win_pot_id: winner.pot,
    win_amount: winner.amountAtoms,
    jackpot_currency: winner.currency,
    player_id: `${[...winner.player].slice(0, 2).join('')}***`,
    timestamp: winner.timestampMs,
    brand_id: winner.brand,
  }));
}

function jackpotView(description: InstanceDescription, bindings: LaneState['bindings']) {
  const configuration = description.configuration as {
    readonly currency: string;
    readonly contribution_rules?: { readonly opt_in_required?: boolean };
  };
  return {
    instance_id: description.instance,
    name: description.name,
    description: description.description,
    currency: configuration.currency,
    opt_in_required: configuration.contribution_rules?.opt_in_required === true,
    sources: bindings
      .filter((list) => list.bindings.some((binding) => binding.instance === description.instance))
      .map((list) => list.id),
  };
}
