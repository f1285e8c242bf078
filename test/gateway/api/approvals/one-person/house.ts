import { atoms } from '../../../../jackpot/support/commands.ts';
import {
  type Answer,
  createInstance,
  furnish,
  goldPot,
  registerOrigin,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';
import { authenticated } from '../../../support/players.ts';
import { answer, laneOf, setWallet, win } from '../../../support/settlements.ts';

/** Two operators under the rule, each with three administrators who have every role, and with services. */
export interface House {
  readonly world: World;
  readonly administrators: Readonly<Record<'acme' | 'rival', readonly string[]>>;
  readonly systemAdministrators: readonly string[];
  readonly things: Things;
}

/** Ids of acme's things. */
export interface Things {
  /** Active, bound to slot-1 and to the segment vips; its pot `silver` is disabled. */
  readonly instance: string;
  /** Active. */
  readonly other: string;
  /** Pending, without a clock. */
  readonly pending: string;
  /** Pending, a target for `instance`. */
  readonly target: string;
  /** Resolving, with money. */
  readonly over: string;
  /** A dead flush above the limit, and a dead callback. */
  readonly flush: string;
  readonly callback: string;
  /** Payments above the limit. */
  readonly withheld: string;
  readonly dead: string;
  /** To the registered origin. */
  readonly subscription: string;
  /** A proposal of acme's first administrator. */
  readonly proposal: string;
}

const lifeMs = 60_000;
const external = { ...goldPot, pot_types: [{ External: {} }] };
export const wallet = {
  base_url: 'https://wallet.example.com',
  bearer_key: 'a-bearer-key',
  hmac_secret: 'a secret that signs the calls',
  provider_id: 'potstream',
};

export const identityProvider = {
  issuer: 'https://id.example',
  client_id: 'potstream',
  client_secret: 'a secret of the client',
};

/** `nowMs` as in `WorldOptions`. */
export async function furnishHouse(nowMs?: () => number): Promise<House> {
  const world = await startWorld(nowMs === undefined ? {} : { nowMs });
  await furnish(world);
  await registerOrigin(world, 'https://bank.example');
  const subscribed = await must(world, 'POST', '/v1/webhooks/subscriptions', {
    operator_id: 'acme',
    url: 'https://bank.example/events',
    event_types: ['WinEvent'],
  });
  const pots = [external, { ...external, id: 'silver', enabled: false }];
  await must(world, 'POST', '/config/templates', template('two', { pots }));
  const create = (changes = {}) => createInstance(world, { template_id: 'two', ...changes });
  const over = await create({ timestamp_end: Date.now() + lifeMs });
  const listed = { contribution_rules: { allowed_brands: ['main'] } };
  const other = await create({ overrides: listed });
  const [instance, pending, target] = [await create(), await create(), await create()];
  for (const id of [over, instance, other])
    await must(world, 'POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  world.apply(laneOf(world, over), { kind: 'Tick', instance: over }, lifeMs);
  await must(world, 'POST', '/config/sources/assign', {
    owner_id: 'acme',
    source_id: ['slot-1'],
    instance_id: instance,
  });
  const jackpots = [{ priority: 1, owner_id: 'acme', instance_id: instance }];
  await must(world, 'POST', '/config/segments', [
    { owner_id: 'acme', id: 'vips', name: 'Vips', priority: 5, jackpots },
    { owner_id: 'acme', id: 'empty', name: 'Empty', priority: 6 },
  ]);
  await must(world, 'PUT', '/config/operators/acme/brands/vip/wallet', wallet);
  await must(world, 'PUT', '/config/operators/acme/identity-provider', identityProvider);
  const limit = { verificationLimitAtoms: atoms('500'), verificationCurrency: 'EUR' };
  setWallet(world, other, 'acme:main', limit);
  const dead = await win(world, other);
  const withheld = await win(world, other, { amount: '501', player: 'p2' });
  answer(world, other, dead, 'refused');
  setWallet(world, other, 'acme:main', { wallet: false });
  const [flush, callback] = [idOf(1), idOf(2)];
  const flushed = {
    flushId: flush,
    instance,
    endpoint: 'https://bank.example/in',
    accountId: 'a',
    currency: 'EUR',
  };
  await world.deliveries.add(1, flush, 'acme', {
    ...flushed,
    amountAtoms: atoms('51'),
    openedMs: Date.now(),
  });
  await world.deliveries.add(1, callback, 'acme:main');
  world.players.answer = ({ brand }) =>
    authenticated({ brand, operator: brand.split(':')[0]!, player: 'ada' });
  const three = (owner: string) => Promise.all([0, 1, 2].map(() => world.token(undefined, [owner])));
  const administrators = { acme: await three('acme'), rival: await three('rival') };
  for (const operator of ['acme', 'rival']) {
    await world.serviceToken(operator);
    await must(world, 'PATCH', `/config/operators/${operator}`, {
      four_eyes: { enabled: true, limit: '50' },
    });
  }
  const asked = await world.call('PUT', `/config/instances/${other}/pots/gold/seed-value`, proposed, {
    token: administrators.acme[0]!,
  });
  const subscription: string = subscribed.json.id;
  const things = { instance, other, pending, target, over, flush, callback, withheld, dead, subscription };
  const systemAdministrators = [await world.token(), await world.token()];
  return {
    world,
    administrators,
    systemAdministrators,
    things: { ...things, proposal: asked.json.id },
  };
}

const proposed = { adjustment: 77, reason: 'why' };

const idOf = (index: number) => `00000000-0000-5000-8000-${String(index).padStart(12, '0')}`;

async function must(world: World, method: string, path: string, body: object): Promise<Answer> {
  const answered = await world.call(method, path, body);
  if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
  return answered;
}

/** Of an instance, what is not its name and does not follow from the time. */
const shownOnly = new Set(['name', 'description', 'version', 'last_updated', 'switch']);

/**
 * All that is money, odds, a price, an address or a right: what runs with its configuration and its accounts, where contributions go,
 * who may contribute, to what addresses we call, at what rates, who has what account, and what the wallets and receivers were told.
 */
export async function everythingThatCounts({ world }: House): Promise<unknown> {
  const list = (await world.call('GET', '/config/instances?limit=500')).json as Record<string, unknown>[];
  // One that is Pending without a clock is nothing yet, and moves nothing before it is approved.
  const running = list.filter((each) => each.status !== 'Pending' || each.timestamp_start !== each.created);
  const instances = running.map((each) => [
    Object.entries(each).filter(([name]) => !shownOnly.has(name)),
    world.lanes.map((lane) => lane.describe(String(each.id))?.pendingConfiguration),
  ]);
  const accounts = world.lanes.flatMap((lane) =>
    [...lane.instances()].map((id) => [id, (lane.accounts(id) ?? []).filter(([, sum]) => sum !== 0n)]),
  );
  const optIns = world.lanes.flatMap((lane) =>
    [...lane.instances()].map((id) => [id, lane.optIns(id, true, 0, 100)!.length]),
  );
  const { entries, lanes } = world.readModel;
  const bindings = list.map(({ id }) => lanes.sourcesOf(String(id)));
  const segments = [...entries.segments.values()].map(({ owner, id, priority }) => [
    owner,
    id,
    priority,
    lanes.bindings('segment', owner, id),
  ]);
  const sources = [...entries.sources.values()].map(({ owner, id }) => lanes.bindings('source', owner, id));
  const operators = ['acme', 'rival'].map((id) => entries.operators.get(id));
  const owners = [...operators, ...[...entries.brands.values()]].map((each) => ({
    ...each,
    name: '',
    quota: null,
  }));
  const rates = ['', 'acme:main', 'rival:main'].map((brand) => {
    const table = entries.rates.get(brand);
    return [table?.multipliers, table?.exponents];
  });
  const wallets = [...entries.brands.values()].map(({ path }) => world.access.wallets.find(path) ?? null);
  const origins = [...entries.webhookOrigins.values()];
  const deliveries = (await world.call('GET', '/config/deliveries')).json.map(
    (each: Record<string, unknown>) => [each.id, each.state],
  );
  const payments = (await world.call('GET', '/config/settlements?limit=500')).json.map(
    (each: Record<string, unknown>) => [each.id, each.state],
  );
  return {
    instances,
    accounts: accounts.filter(([, sums]) => (sums as unknown[]).length > 0),
    optIns: optIns.filter(([, players]) => players !== 0),
    bindings: bindings.filter((bound) => bound.length > 0),
    segments: segments.filter(([, , , bound]) => (bound as unknown[]).length > 0),
    sources: sources.filter((bound) => bound.length > 0),
    owners,
    rates,
    wallets,
    identityProviders: ['acme', 'rival'].map((id) => world.access.identityProviders.find(id) ?? null),
    origins,
    deliveries,
    payments,
    forgotten: await world.stored('forgotten'),
  };
}
