import { randomUUID } from 'node:crypto';
import { missingId } from '../../gateway/api/tenancy/world.ts';
import { createInstance, template } from '../../gateway/support/administration.ts';
import { type Asked, type Asking, operationOf } from './asking.ts';

export type Changes = Omit<Asked, 'operation'>;
type Made = Changes | readonly Changes[];
/** A request that its operation answers with the status, the last one where there are several. */
export type Witness = readonly [
  route: string,
  status: number,
  changes: Made | ((asking: Asking) => Made | Promise<Made>),
];

export const long = 'a number that no number holds';
/** The body as text, with a number that no double holds in place of `long`. */
export const beyondDoubles = (body: unknown): Changes => ({
  body: JSON.stringify(body).replaceAll(JSON.stringify(long), '1e400'),
});
const ifMatch: Changes = { headers: ['If-Match', '"999"'] };
const instanceOf = '/config/instances/{instance_id}';
const pots = `${instanceOf}/pots/{pot_id}`;
const segments = '/config/segments';
const sources = '/config/sources';
const contributions = [
  'POST /v1/jackpot/instances/{instance_id}/contributions',
  'POST /v1/jackpot/sources/{source_id}/contributions',
];
const contributionsV2 = 'POST /v2/jackpot/contributions';
export const byHand = [
  `POST ${instanceOf}/contributions`,
  'POST /config/sources/{source_id}/contributions',
  'POST /config/providers/{provider_id}/contributions',
];
export const allContributions = [...contributions, contributionsV2, ...byHand];
const subscriptions = '/v1/webhooks/subscriptions';
const hooks = 'http://127.0.0.1:9';
const identityProvider = '/config/operators/{operator_id}/identity-provider';
const wallet = '/config/operators/{operator_id}/brands/{brand_id}/wallet';

/** Refusals of what a request says. */
const ofInputs: readonly Witness[] = [
  ['PUT /v1/webhooks/signature', 422, { body: { secret_key: 'short' } }],
  [
    'POST /v1/events',
    422,
    beyondDoubles({
      source: 'campaign',
      event_type: 'started',
      brand_id: 'acme:main',
      data: 1,
      player_id: long,
    }),
  ],
  ['POST /v1/feed-tickets', 422, { body: { currency: 'XXX' } }],
  ...contributions.map((route): Witness => [route, 422, { body: { base_wager: -1 } }]),
  [contributionsV2, 422, { body: { base_wager: { value: -1, currency: 'EUR' } } }],
  ...byHand.map((route): Witness => [route, 422, { body: { base_wager: -1 } }]),
  ...['POST /v1/jackpot/instances/{instance_id}/opt-in', `POST ${instanceOf}/opt-in`].map(
    (route): Witness => [route, 422, { body: { player_country: 'XX' } }],
  ),
  [`POST ${instanceOf}/opt-in/records`, 422, { body: { player_country: 'XX' } }],
  ...['opt-in', 'winners', 'pots/winners'].map(
    (what): Witness => [
      `POST /v2/jackpot/${what}`,
      422,
      { body: { player: { id: 'player', country: 'XX', brand_id: 'acme:main' } } },
    ],
  ),
  [
    'GET /v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}',
    422,
    { query: { country_code: 'XX' } },
  ],
  ['GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}', 422, { query: { country_code: 'XX' } }],
  ['GET /config/jackpot/source/{source_id}/brand/{brand_id}', 422, { query: { country_code: 'XX' } }],
  [`POST ${segments}`, 422, beyondDoubles([{ owner_id: 'acme', id: 'a', priority: long }])],
  [
    `POST ${sources}`,
    422,
    beyondDoubles([
      {
        owner_id: 'acme',
        source_id: 'a',
        source_name: 'A',
        jackpots: [{ priority: long, owner_id: 'acme', instance_id: 'b' }],
      },
    ]),
  ],
  ...[segments, sources].flatMap((path): Witness[] => [
    [`PUT ${path}/priorities`, 422, { body: { priorities: { unbound: 1 } } }],
    [`POST ${path}/assign`, 422, inAnotherGroup],
    [`POST ${path}/remove`, 422, async (asking) => ({ ids: { instance: await newInstance(asking) } })],
  ]),
  ['PUT /v1/cors/origins', 422, { body: { cors_origin_list: [{ pattern: 'a', match_mode: 'near' }] } }],
  ['PATCH /config/operators/{operator_id}', 422, { body: { four_eyes: { enabled: true, limit: -1 } } }],
  ['PUT /config/currencies', 422, { body: { multipliers: { USD: -1 } } }],
  ['PUT /config/currencies/{brand_id}', 422, { body: { multipliers: { USD: -1 } } }],
  [`PUT ${wallet}`, 422, { body: { hmac_secret: 'short' } }],
  [`PUT ${wallet}/certificate`, 422, { body: { base_url: 'http://10.0.0.1' } }],
  [`PUT ${identityProvider}`, 422, { body: { issuer: 'http://10.0.0.1' } }],
  ['POST /config/templates', 422, { body: { currency: 'XXX' } }],
  ['PATCH /config/templates/{owner_id}/{template_id}', 422, { body: { currency: 'XXX' } }],
  ['POST /config/instances', 422, { body: { overrides: { currency: 'XXX' } } }],
  [`PUT ${instanceOf}/parameters`, 422, { body: { overrides: { currency: 'XXX' } } }],
  [`PUT ${instanceOf}/links`, 422, inAnotherGroup],
  [`POST ${instanceOf}/status`, 422, { body: { reason: ' ' } }],
  ...['current-value', 'seed-value', 'surplus-seed'].map(
    (what): Witness => [`PUT ${pots}/${what}`, 422, { body: { reason: ' ' } }],
  ),
  [`POST ${pots}/trigger`, 422, async (asking) => ({ ids: { instance: await newInstance(asking) } })],
  ['POST /config/model-switch/preview', 422, { body: { reason: ' ' } }],
  ['POST /config/model-switch/execute', 422, { body: { reason: ' ' } }],
  ['DELETE /config/model-switch/execute', 422, {}],
  ['POST /config/forgotten-players', 422, { body: { reason: ' ' } }],
  ['POST /config/webhook-origins', 422, { body: { origin: 'http://10.0.0.1' } }],
  [`POST ${subscriptions}`, 422, { body: { url: 'http://10.0.0.1' } }],
  [
    `PATCH ${subscriptions}/{id}`,
    422,
    async (asking) => ({ ...(await subscribed(asking)), body: { url: 'http://10.0.0.1' } }),
  ],
  ...['service-users', 'users'].flatMap((users): Witness[] => [
    [`POST /config/${users}`, 422, { body: { password: 'short' } }],
    [`PATCH /config/${users}/{username}`, 422, { body: { password: 'short' } }],
  ]),
];

/** What is there already, or of another version. */
const ofState: readonly Witness[] = [
  [`POST ${instanceOf}/status`, 200, async (asking) => activation(await newInstance(asking))],
  [
    `POST ${instanceOf}/status`,
    409,
    async (asking) => ({ ...activation(await newInstance(asking)), ...ifMatch }),
  ],
  ['POST /config/templates', 409, { body: template() }],
  ['POST /config/instances', 409, retired],
  ['POST /config/templates/{owner_id}/{template_id}/copies', 409, twice({ ids: { fresh: 'copied-twice' } })],
  ['POST /config/webhook-origins', 409, twice({ ids: { fresh: 'fresh-1' } })],
  [`POST ${subscriptions}`, 409, twice({ body: { url: `${hooks}/twice` } })],
  [
    `PATCH ${subscriptions}/{id}`,
    409,
    async (asking) => ({ ...(await subscribed(asking)), body: { url: `${hooks}/twice` } }),
  ],
  ['POST /config/service-users', 409, twice({ ids: { fresh: 'taken' } })],
  [
    'PUT /config/users/{username}/identity',
    409,
    [{ body: { subject: 'one' } }, { ids: { administrator: 'admin-of-acme' }, body: { subject: 'one' } }],
  ],
  ['POST /config/users', 409, twice({ ids: { fresh: 'taken' } })],
  ...allContributions.map((route): Witness => [route, 204, twice(keyed(route))]),
  [`POST ${pots}/trigger`, 204, twice({ headers: ['Idempotency-Key', 'once'] })],
  [
    `PUT ${instanceOf}/epochs/{epoch}/beacon`,
    204,
    async (asking) => ({ ids: { instance: await wanting(asking) } }),
  ],
  [
    `PUT ${instanceOf}/epochs/{epoch}/beacon`,
    409,
    async (asking) => {
      const ids = { instance: await wanting(asking) };
      return [{ ids }, { ids, body: { beacon: 'cd'.repeat(32) } }];
    },
  ],
  ...['PUT', 'DELETE'].map(
    (method): Witness => [
      `${method} ${instanceOf}/brands/{brand_id}`,
      422,
      async (asking) => ({ ids: { instance: await cancelled(asking) } }),
    ],
  ),
];

const missing: Witness[] = [
  ...['PATCH', 'DELETE'].map(
    (method): Witness => [
      `${method} ${subscriptions}/{id}`,
      404,
      { path: { id: '00000000-0000-4000-8000-000000000000' } },
    ],
  ),
  ...['', '/epochs', '/epochs/{epoch}', '/conservation'].map(
    (rest) => [`GET /v1/fairness/instances/{instance_id}${rest}`, 404, noInstance] as const,
  ),
  ['GET /v1/jackpot/instances/{instance_id}/ticker', 404, noInstance],
  [
    'GET /v1/jackpot/instances/source/{source_id}/brand/{brand_id}',
    404,
    (asking) => ({ ids: { brand: missingId(asking.world.things['acme:main'].brand!) } }),
  ],
];

const ofSimulations: readonly Witness[] = [
  ['POST /config/simulations', 422, { body: { contribution_amount: -1 } }],
  ['GET /config/simulations/{simulation_id}', 200, simulated],
  ['DELETE /config/simulations/{simulation_id}', 204, simulated],
];

const unbooked: Changes = { path: { contribution_id: '00000000-0000-4000-8000-00000000ffff' } };
/** Reports of what is not in the books, and by callers without a right to them. */
const ofReports: readonly Witness[] = [
  ['GET /config/contributions/{contribution_id}', 404, unbooked],
  ['GET /v1/reports/contributions/{contribution_id}', 404, unbooked],
  [
    'GET /v1/reports/contributions/{contribution_id}',
    403,
    ({ world }) => ({ caller: world.service('acme') }),
  ],
  [
    'GET /config/exports/{table}',
    403,
    ({ world }) => ({
      ...{ caller: world.administrator('viewer', 'acme:main'), path: { table: 'entries' } },
      query: { owner_id: '', brand_id: '' },
    }),
  ],
];

/** Where identity providers send a browser back to, addresses may be longer. */
const ofProviders: readonly Witness[] = [
  ['GET /auth/admin/oidc/{operator_id}', 400, { path: { operator_id: 'no id' } }],
  ['GET /auth/admin/oidc/{operator_id}/callback', 414, { query: { code: 'a'.repeat(5_000) } }],
  ...['', '/callback'].map(
    (end): Witness => [
      `GET /auth/admin/oidc/{operator_id}${end}`,
      403,
      { headers: ['X-Forwarded-Proto', 'https'] },
    ],
  ),
];

/** The cookie of a session, whose page is of another origin. */
const ofSessions: readonly Witness[] = [
  ...[
    'POST /auth/admin/renew',
    'PUT /auth/admin/password',
    'DELETE /auth/admin/session',
    'DELETE /auth/admin/sessions',
  ].map((route): Witness => [route, 403, byCookieOfAnotherOrigin]),
  ...['POST', 'PUT'].map(
    (method): Witness => [`${method} /auth/admin/session`, 403, { headers: ['X-Forwarded-Proto', 'https'] }],
  ),
];

const own: readonly Witness[] = [
  ...ofInputs,
  ...ofState,
  ...missing,
  ...ofReports,
  ...ofSessions,
  ...ofSimulations,
  ...ofProviders,
];

/** Administrators have what services may have below /config, too. */
export const witnesses: readonly Witness[] = own.flatMap(([route, ...others]): Witness[] => {
  const same: Witness = [route, ...others];
  return route.includes(subscriptions) ? [same, [route.replace('/v1/', '/config/'), ...others]] : [same];
});

/** Sends the requests of the witnesses, one after the other. */
export async function call(asking: Asking, all: readonly Witness[], port?: number): Promise<void> {
  for (const [route, status, changes] of all) {
    const operation = operationOf(route);
    const made = typeof changes === 'function' ? await changes(asking) : changes;
    let last = { status: 0, text: '' };
    for (const each of Array.isArray(made) ? (made as readonly Changes[]) : [made as Changes])
      last = await asking.send({ operation, ...(port === undefined ? {} : { port }), ...each });
    if (last.status !== status)
      throw new Error(`${route} answers ${last.status}, not ${status}: ${last.text}`);
  }
}

/** A contribution that is the same each time, under one key. */
export function keyed(route: string): Changes {
  if (byHand.includes(route))
    return { headers: ['Idempotency-Key', route.slice(0, 60)], body: { token: 'same' } };
  const key = { idempotency_key: route };
  return { body: route === contributionsV2 ? { options: key } : key };
}

function twice(changes: Changes): readonly Changes[] {
  return [changes, changes];
}

function byCookieOfAnotherOrigin({ world }: Asking): Changes {
  const token = (world.administrator('viewer', '*').headers.authorization as string).slice('Bearer '.length);
  const headers = { cookie: `__Host-potstream=${token}`, 'sec-fetch-site': 'same-site' };
  return { caller: { name: 'a page', username: '', headers } };
}

/** Of a template that nothing is made from any more. */
async function retired({ world }: Asking): Promise<Changes> {
  await world.call('POST', '/config/templates', template('retired'));
  await world.call('PATCH', '/config/templates/acme/retired', { retired: true });
  return { body: { template_owner_id: 'acme', template_id: 'retired' } };
}

/** One that the account has begun that asks. */
async function simulated(asking: Asking): Promise<Changes> {
  const caller = asking.callerOf(operationOf('GET /config/simulations/{simulation_id}'));
  const body = { owner_id: 'acme', template_id: 'three', contributions: 1 };
  const options = { token: '', headers: caller.headers };
  const { json } = await asking.world.call('POST', '/config/simulations', body, options);
  return { caller, path: { simulation_id: json.id } };
}

/** A subscription of acme's. */
async function subscribed({ world }: Asking): Promise<Changes> {
  const body = { operator_id: 'acme', url: `${hooks}/${randomUUID()}`, event_types: ['WinEvent'] };
  return { path: { id: (await world.call('POST', subscriptions, body)).json.id } };
}

function noInstance({ world }: Asking): Changes {
  return { ids: { instance: missingId(world.things['acme:main'].instance!) } };
}

async function inAnotherGroup({ world }: Asking): Promise<Changes> {
  const instance = await createInstance(world, { group: 'acme:apart' });
  return { ids: { instance, otherInstance: world.things['acme:main'].instance! } };
}

function newInstance({ world }: Asking): Promise<string> {
  return createInstance(world, { owner_id: 'acme:main', template_owner_id: 'acme:main' });
}

function activation(instance: string): Changes {
  return { ids: { instance }, body: { status: 'Active', to: null } };
}

function wanting({ world }: Asking): Promise<string> {
  return createInstance(world, { overrides: { draw_beacon: 'Required' } });
}

async function cancelled({ world }: Asking): Promise<string> {
  const instance = await createInstance(world);
  await world.call('POST', `/config/instances/${instance}/status`, {
    status: 'Cancelled',
    reason: 'A test.',
  });
  return instance;
}
