import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  FeedWorld,
  type Frame,
  optedIn,
  raffleWon,
  share,
  statusChanged,
  type TestSocket,
  ticketsAwarded,
  until,
  won,
} from '../feed-world.ts';

/** Two operators of two brands each; instances of operators, of brands, and open to brands of both. */
const brands = ['demo:one', 'demo:two', 'rival:one', 'rival:two'];
const instances: Readonly<
  Record<string, { readonly owner: string; readonly open: readonly string[] | null }>
> = {
  'demo-all': { owner: 'demo', open: null },
  'demo-one': { owner: 'demo:one', open: null },
  'demo-some': { owner: 'demo', open: ['demo:two'] },
  'rival-all': { owner: 'rival', open: null },
  'rival-two': { owner: 'rival:two', open: null },
  network: { owner: 'demo', open: ['demo:one', 'rival:one'] },
};
/** Beginnings differ, so that even two characters of a player tell whose it is. */
const players = ['a-player', 'b-player'];

let feed: FeedWorld;
beforeEach(async () => {
  feed = new FeedWorld();
  for (const brand of brands) feed.addBrand(brand);
  feed.setRates('', { EUR: '1', USD: '1.1' });
  for (const [id, { owner, open }] of Object.entries(instances)) {
    const rules = open === null ? {} : { allowed_brands: open };
    const configuration = {
      currency: 'EUR',
      jackpot_type: 'Jackpot',
      contribution_rules: rules,
      pots: [{ id: 'main' }],
    };
    feed.addInstance(id, { owner, configuration });
  }
  await feed.start();
});
afterEach(() => feed.stop());

interface Listener {
  readonly socket: TestSocket;
  readonly brands: readonly string[];
  readonly player: string | null;
}

const step = fc.record({
  kind: fc.constantFrom('win', 'opt-in', 'tickets', 'raffle', 'status', 'campaign', 'tick'),
  instance: fc.constantFrom(...Object.keys(instances)),
  brand: fc.constantFrom(...brands),
  player: fc.constantFrom(...players),
  toOne: fc.boolean(),
});

/** One of each, which somebody hears, so that each is looked at in every run. */
const oneOfEach = (['win', 'opt-in', 'tickets', 'raffle', 'status', 'campaign', 'tick'] as const).map(
  (kind) => ({
    kind,
    instance: 'demo-all',
    brand: 'demo:one',
    player: 'a-player',
    toOne: false,
  }),
);

it('nobody hears of an instance, a player or a campaign that is not its own', async () => {
  const listeners: Listener[] = [];
  for (const brand of brands) {
    for (const player of players) {
      const socket = await feed.connectPlayer(player, player === 'a-player' ? 'EUR' : 'USD', brand);
      listeners.push({ socket, brands: [brand], player });
    }
    const [operator = ''] = brand.split(':');
    const service = await feed.connect(await feed.token(operator, [brand]));
    listeners.push({ socket: service, brands: [brand], player: null });
  }
  for (const operator of ['demo', 'rival']) {
    const socket = await feed.connect(await feed.token(operator));
    listeners.push({ socket, brands: brands.filter((brand) => brand.startsWith(operator)), player: null });
  }
  for (const { socket } of listeners)
    socket.say({
      SubscribeRequest: {
        events: ['jackpot', 'campaign', 'drop'].map((source) => ({ source, event_type: '*' })),
      },
    });
  await feed.settled();

  const counters = new Map<string, number>();
  let sequence = 1;
  let marks = 0;
  const heard = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      for (const { kind, instance, brand, player, toOne } of steps) {
        const isOpen = maySee([brand], instance);
        const count = (): number => {
          const counter = (counters.get(instance) ?? 0) + 1;
          counters.set(instance, counter);
          return counter;
        };
        if (kind === 'tick') feed.tick(instance, ++sequence, BigInt(sequence) * 1_00000000n);
        else if (kind === 'status') feed.store([statusChanged(instance, count(), 'Active')]);
        else if (kind === 'campaign')
          feed.bring({
            source: 'campaign',
            event_type: 'Any',
            brand,
            player: toOne ? player : null,
            timestamp: 1,
            data: '{}',
          });
        else if (!isOpen) continue;
        else if (kind === 'win')
          feed.store([won(instance, count(), { winner: share(brand, player, 1_00000000n), community: [] })]);
        else if (kind === 'raffle') feed.store([raffleWon(instance, count(), brand, player)]);
        else if (kind === 'opt-in') feed.store([optedIn(instance, brand, player)]);
        else feed.store([ticketsAwarded(instance, brand, player)]);
      }
      marks += 1;
      for (const brand of brands)
        feed.bring({
          source: 'drop',
          event_type: `mark-${marks}`,
          brand,
          player: null,
          timestamp: 1,
          data: '{}',
        });
      await until(() =>
        listeners.every(({ socket }) =>
          socket.frames.some(({ event_type }) => event_type === `mark-${marks}`),
        ),
      );
      for (const listener of listeners) {
        for (const frame of listener.socket.frames.splice(0)) {
          heard.add(`${listener.player === null ? 'service' : 'player'} ${frame.event_type}`);
          expect(isOwn(listener, frame), JSON.stringify(frame)).toBe(true);
        }
      }
    }),
    { numRuns: 40, examples: [[oneOfEach]], interruptAfterTimeLimit: 90_000 },
  );
  const kinds = [
    'JackpotUpdate',
    'WinEvent',
    'RaffleWinEvent',
    'InstanceStatusEvent',
    'OptInEvent',
    'RaffleTicketEvent',
    'Any',
  ];
  for (const kind of kinds)
    for (const who of ['player', 'service']) expect([...heard]).toContain(`${who} ${kind}`);
});

function maySee(of: readonly string[], instance: string): boolean {
  const { owner = '', open = null } = instances[instance] ?? {};
  return of.some((brand) => open?.includes(brand) ?? (brand === owner || brand.startsWith(`${owner}:`)));
}

/** Stated again, from docs/rules/feeds.md "Who sees what": what this listener may get. */
function isOwn({ brands: own, player }: Listener, frame: Frame): boolean {
  const isService = player === null;
  const operator = own[0]?.split(':')[0] ?? '';
  if (frame.source !== 'jackpot') {
    if (!own.includes(frame.brand_id)) return false;
    return isService || frame.player_id === null || frame.player_id === player;
  }
  const { owner = '' } = instances[frame.instance_id] ?? {};
  // A service also sees its operator's own instances, of brands: those that it names.
  const isOwners = isService && (owner === operator || own.includes(owner));
  if (!isOwners && !maySee(own, frame.instance_id)) return false;
  const isMine = (brand: string, who: string): boolean =>
    own.includes(brand) && (isService || who === player);
  if (frame.event_type === 'OptInEvent' || frame.event_type === 'RaffleTicketEvent')
    return isMine(frame.brand_id, frame.player_id);
  if (frame.event_type === 'WinEvent')
    return frame.data.player_id === frame.player_id && isNamedRightly(frame.brand_id, frame.player_id);
  if (frame.event_type === 'RaffleWinEvent')
    return frame.data.winners.every((one: Frame) => isNamedRightly(one.brand_id, one.player_id));
  return frame.event_type === 'JackpotUpdate' || frame.event_type === 'InstanceStatusEvent';

  function isNamedRightly(brand: string, shown: string): boolean {
    if (shown.endsWith('***')) return shown.length === 5 && !(isService && own.includes(brand));
    return isMine(brand, shown);
  }
}
