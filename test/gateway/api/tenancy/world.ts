import type { AdministratorRole } from '../../../../src/contracts/accounts/users.ts';
import type { Table } from '../../../../src/ports.ts';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  template,
  type World,
} from '../../support/administration.ts';
import { authenticated } from '../../support/players.ts';
import { fillBooks } from './booked.ts';
import { type Holder, holders, markOf } from './holders.ts';
import { everyRole, type Ids, type Named } from './row.ts';

/** Whom a credential is for: everything, one operator, one brand of it. */
export const scopes = ['*', 'acme', 'acme:main'] as const;
export type Scope = (typeof scopes)[number];

export interface Credential {
  readonly name: string;
  readonly username: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TenancyWorld extends World {
  /** What each holder has of what a request can name. */
  readonly things: Readonly<Record<Holder, Partial<Record<Named, string>>>>;
  readonly administrator: (role: AdministratorRole, scope: Scope) => Credential;
  readonly service: (scope: Exclude<Scope, '*'>) => Credential;
  /** A service with the right to reports. */
  readonly reporter: (scope: Exclude<Scope, '*'>) => Credential;
  readonly player: Credential;
  /** A text that the holder's things have in their names. */
  readonly markOf: (holder: Holder) => string;
  /** Round trips to lanes, buckets and wallets since the start. */
  readonly roundTrips: () => number;
}

const awardPot = { ...goldPot, pot_types: [{ External: {} }] };
const password = 'a long password';

export async function startTenancyWorld(): Promise<TenancyWorld> {
  const count = { roundTrips: 0 };
  const trip = () => {
    count.roundTrips += 1;
  };
  const world = await startWorld({ asking: trip, sending: trip });
  await furnish(world);
  const things = {} as Record<Holder, Partial<Record<Named, string>>>;
  for (const holder of holders) things[holder] = await furnishHolder(world, holder);
  for (const brand of ['acme:main', 'rival:main']) await setWallet(world, brand);
  await fillBooks(await world.books.store(), things);
  world.players.answer = ({ brand }) =>
    authenticated({ brand, operator: brand.split(':')[0]!, player: 'player' });
  const credentials = await makeCredentials(world);
  for (const table of [world.table, world.accounts, world.epochIndex]) counted(table, trip);
  const { asked } = world.players;
  return {
    ...world,
    ...credentials,
    things,
    markOf,
    roundTrips: () => count.roundTrips + asked.length + world.books.asked(),
  };
}

async function must(world: World, method: string, path: string, body: unknown): Promise<void> {
  const answer = await world.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}

async function furnishHolder(world: World, owner: Holder): Promise<Partial<Record<Named, string>>> {
  const mark = markOf(owner);
  const name = owner.replace(':', '-');
  const pots = [awardPot, { ...goldPot, id: 'silver' }];
  if (owner !== 'acme')
    await must(world, 'POST', '/config/templates', template('three', { owner_id: owner, name: mark, pots }));
  const instance = () => createInstance(world, { owner_id: owner, template_owner_id: owner, name: mark });
  const [active, pending] = [await instance(), await instance()];
  await must(world, 'POST', `/config/instances/${active}/status`, { status: 'Active', reason: mark });
  await must(world, 'POST', '/config/sources', [
    {
      owner_id: owner,
      source_id: `slot-${name}`,
      source_name: mark,
      jackpots: [{ priority: 1, owner_id: owner, instance_id: active }],
    },
  ]);
  const jackpots = [{ priority: 1, owner_id: owner, instance_id: active }];
  await must(world, 'POST', '/config/segments', [
    { owner_id: owner, id: `segment-${name}`, name: mark, priority: 1, jackpots },
  ]);
  await must(world, 'POST', '/config/users', {
    username: `admin-of-${name}`,
    password,
    roles: ['security'],
    owners: [owner],
  });
  const operator = owner.split(':')[0] as string;
  const common = {
    owner,
    instance: active,
    otherInstance: pending,
    source: `slot-${name}`,
    segment: `segment-${name}`,
    templateOwner: owner,
    administrator: `admin-of-${name}`,
  };
  if (owner === 'acme') {
    await must(world, 'POST', '/config/service-users', {
      username: `of-${name}`,
      password,
      operator_id: operator,
    });
    return { ...common, operator, serviceUser: `of-${name}` };
  }
  if (operator === 'acme') return { ...common, brand: owner };
  await must(world, 'POST', '/config/service-users', {
    username: `of-${operator}`,
    password,
    operator_id: operator,
  });
  return { ...common, brand: owner, operator, serviceUser: `of-${operator}` };
}

async function setWallet(world: World, brand: string): Promise<void> {
  const [operator, id] = brand.split(':');
  await must(world, 'PUT', `/config/operators/${operator}/brands/${id}/wallet`, {
    base_url: 'http://127.0.0.1:9',
    bearer_key: 'key',
    hmac_secret: 'a long enough secret',
    provider_id: 'potstream',
  });
}

async function makeCredentials(world: World) {
  const administrators = new Map<string, Credential>();
  const services = new Map<string, Credential>();
  const reporters = new Map<string, Credential>();
  for (const scope of scopes) {
    for (const role of everyRole) {
      const token = await world.token([role], [scope]);
      administrators.set(`${role} ${scope}`, credentialOf(`${role} of ${scope}`, token));
    }
    if (scope === '*') continue;
    const token = await world.serviceToken('acme', scope === 'acme' ? null : [scope]);
    services.set(scope, credentialOf(`service of ${scope}`, token));
    const reporting = await world.serviceToken('acme', scope === 'acme' ? null : [scope], ['reports']);
    reporters.set(scope, credentialOf(`reporter of ${scope}`, reporting));
  }
  return {
    administrator: (role: AdministratorRole, scope: Scope) => administrators.get(`${role} ${scope}`)!,
    service: (scope: Exclude<Scope, '*'>) => services.get(scope)!,
    reporter: (scope: Exclude<Scope, '*'>) => reporters.get(scope)!,
    player: { name: 'player of acme:main', username: 'player', headers: { 'x-player-token': 'a-token' } },
  };
}

/** Another account with the same rights, for what ends its tokens. */
export async function copyOf(world: World, { name, headers }: Credential): Promise<Credential> {
  const claims = claimsOf((headers.authorization as string).slice('Bearer '.length));
  return credentialOf(name, await world.token(claims.roles, claims.owners));
}

function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
}

function credentialOf(name: string, token: string): Credential {
  return { name, username: claimsOf(token).sub, headers: { authorization: `Bearer ${token}` } };
}

/** Counts what a gateway asks of a bucket. */
function counted(table: Table, trip: () => void): void {
  const { get, put, remove, keys } = table;
  table.get = (...input) => {
    trip();
    return get(...input);
  };
  table.put = (...input) => {
    trip();
    return put(...input);
  };
  table.remove = (...input) => {
    trip();
    return remove(...input);
  };
  table.keys = (...input) => {
    trip();
    return keys(...input);
  };
}

/** The ids of a request that is about what `acme:main` and its operator have. */
export function ownIds({ things }: TenancyWorld, fresh: string): Ids {
  return { ...things.acme, ...things['acme:main'], fresh } as Ids;
}

/** As long as the id, and nobody's. */
export function missingId(id: string): string {
  return id.replace(/[A-Za-z0-9]/g, 'z');
}
