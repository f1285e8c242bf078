import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { epochDocumentName } from '../../../../../src/contracts/jackpots/epochs.ts';
import { idempotencyHash } from '../../../../../src/gateway/api/contribution/repeated.ts';
import { toHex } from '../../../../../src/lib/bytes.ts';
import type { RowOf } from '../../../../../src/reporting/base/tables.ts';
import { batchTo, noon, rowWith } from '../../../../reporting/support/batches.ts';
import { systemId } from '../../../../reporting/support/places.ts';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

/** Reports over HTTP, from real books in files. */
let world: World;
let instance: string;
/** Where the lanes were half a minute ago. */
const pastEnds = [0, 0, 0, 0];

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const count = 40;

beforeAll(async () => {
  world = await startWorld({ pastEnd: (lane) => pastEnds[lane] ?? 0 });
  await furnish(world);
  instance = await createInstance(world);
  const rows = Array.from({ length: count }, (_, index): RowOf<'contributions'> => {
    const brand = ['acme:main', 'acme:vip', 'rival:main'][index % 3]!;
    const operator = brand.split(':')[0]!;
    return rowWith('contributions', {
      ...{ sequence: 1, command_index: index, made_sequence: 1, made_index: index, time: noon + index },
      ...{ contribution_id: idOf(index), operator, brand, player: `player-${index % 4}`, instance },
      ...{
        gameround: `round-${index}`,
        source: 'slot-1',
        instance_sequence: index + 1,
        currency: 'EUR',
        segments: [],
      },
      ...{ key_hash: toHex(idempotencyHash(operator, `key-${index}`)), contribution_amount: 12345678n },
    });
  });
  const transaction = { ...{ operator: 'acme', brand: 'acme:main', player: 'player-0' }, instance };
  await (await world.books.store()).write(
    batchTo(1, -1, {
      rows: {
        contributions: rows,
        wins: ['acme:main', 'acme:vip', 'rival:main'].map((brand, part) =>
          rowWith('wins', {
            ...{ sequence: 1, part, kind: 'main', brand, player: 'player-0', instance },
            operator: brand.split(':')[0]!,
          }),
        ),
        payments: [
          rowWith('payments', { ...transaction, transaction_id: 't-1', kind: 'debit', state: 'pending' }),
          rowWith('payments', {
            ...transaction,
            transaction_id: 't-2',
            kind: 'debit',
            state: 'applied',
            closed: 1,
          }),
        ],
      },
    }),
  );
});
afterAll(() => world.stop());

async function asService(path: string, brands: readonly string[] | null = null) {
  const token = await world.serviceToken('acme', brands, ['reports']);
  return world.call('GET', path, undefined, { token });
}
const get = (path: string) => world.call('GET', path);
const ids = (json: readonly { readonly contribution_id: string }[]) =>
  json.map((each) => each.contribution_id);

describe('a list', () => {
  it('is paged by cursor, the newest first, with its total and how far the books are', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await get(
        `/config/contributions?owner_id=acme&limit=9${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.status).toBe(200);
      expect(page.headers.get('x-total-count')).toBe(cursor === '' ? '27' : null);
      expect(page.headers.get('x-as-of')).toBe(`0;sequence=1;time=${noon + 1}`);
      seen.push(...ids(page.json));
      cursor = page.headers.get('x-next-cursor');
    }
    const expected = Array.from({ length: count }, (_, index) => index).filter((index) => index % 3 !== 2);
    expect(seen).toEqual(expected.toReversed().map(idOf));
  });

  it('says where the books are behind the lanes, and until when', async () => {
    const incomplete = async () => (await get('/config/contributions?limit=1')).headers.get('x-incomplete');
    const time = new Date(noon + 1).toISOString();
    pastEnds[0] = 1;
    expect(await incomplete()).toBe(null);
    pastEnds[0] = 2;
    expect(await incomplete()).toBe(`lanes 0 until ${time}`);
    pastEnds[0] = 1;
    pastEnds[3] = 1;
    expect(await incomplete()).toBe('lanes 3');
    pastEnds[0] = 2;
    expect(await incomplete()).toBe('lanes 0,3');
    pastEnds.fill(0);
  });

  it('has filters by id, key, round, player, source, instance and time', async () => {
    const found = async (query: string) => {
      const { status, json } = await get(`/config/contributions?${query}`);
      expect(status, query).toBe(200);
      return ids(json).length;
    };
    expect(await found(`contribution_id=${idOf(7).toUpperCase()}`)).toBe(1);
    expect(await found('owner_id=acme&idempotency_key=key-3')).toBe(1);
    expect(await found('brand_id=rival:main&idempotency_key=key-3')).toBe(0);
    expect(await found('gameround_id=round-8')).toBe(1);
    expect(await found('gameround_id=round-%25')).toBe(0);
    expect(await found('owner_id=acme&player_id=player-0')).toBe(7);
    expect(await found('brand_id=acme:main&player_id=player-0')).toBe(4);
    expect(await found('owner_id=acme&source_id=slot-1')).toBe(27);
    expect(await found(`instance_id=${instance}&limit=500`)).toBe(count);
    expect(await found(`from=${noon + 5}&to=${noon + 8}`)).toBe(3);
    expect(await found('from=9007199254740991')).toBe(0);
    expect(await found('from=5&to=4')).toBe(0);
  });

  it('refuses what it cannot read', async () => {
    const ofText = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const query of [
      ...['limit=0', 'limit=501', 'from=-1', 'from=1.5', 'to=x', 'sort_direction=0', 'page=1', 'q=1'],
      ...[
        'cursor=%00',
        'cursor=W10',
        `cursor=${ofText([-1, 0, 1, 0, 0])}`,
        `cursor=${ofText(['', 0, 1, 0, 0])}`,
      ],
      // An operator's, and no operator is named.
      ...['player_id=player-0', 'idempotency_key=key-1', 'source_id=slot-1'],
    ])
      expect([query, (await get(`/config/contributions?${query}`)).json.code]).toEqual([
        query,
        'invalid_parameter',
      ]);
    for (const query of ['contribution_id=1', 'gameround_id=%E2%80%AE', `player_id=${'x'.repeat(129)}`])
      expect([query, (await get(`/config/contributions?${query}`)).json.code]).toEqual([
        query,
        'invalid_identifier',
      ]);
  });

  it('of payments has the closed ones, too', async () => {
    const states = async (query: string) =>
      (await get(`/config/payments?${query}`)).json.map((each: { state: string }) => each.state).sort();
    expect(await states('owner_id=acme')).toEqual(['applied', 'pending']);
    expect(await states('state=pending')).toEqual(['pending']);
    expect(await states('transaction_id=t-2')).toEqual(['applied']);
    expect((await get('/config/payments?state=open')).json.code).toBe('invalid_parameter');
  });
});

it('wins and payments are listed, and a player looked up, for both kinds of callers', async () => {
  for (const call of [get, asService]) {
    const below = call === get ? '/config' : '/v1/reports';
    const rows = async (path: string) => (await call(`${below}${path}`)).json.length;
    expect(await rows('/wins?owner_id=acme')).toBe(2);
    expect(await rows('/payments?owner_id=acme')).toBe(2);
  }
  expect((await asService('/v1/reports/wins?brand_id=main&player_id=player-0')).json).toHaveLength(1);
  expect((await asService('/v1/reports/payments', ['acme:vip'])).json).toEqual([]);
  const player = await asService('/v1/reports/players/player-0?brand_id=main');
  expect(player.json).toMatchObject({ open_payments: [{ transaction_id: 't-1' }], wins: [{}] });
  expect((await get('/config/players/player-0?brand_id=acme:main')).text).toBe(player.text);
  expect((await get('/config/wins?player_id=player-0')).json.code).toBe('invalid_parameter');
});

describe('a service', () => {
  it('sees its brands, and needs the right', async () => {
    const token = await world.serviceToken('acme');
    const { status, json } = await world.call('GET', '/v1/reports/contributions', undefined, { token });
    expect([status, json.code]).toEqual([403, 'forbidden']);
    expect(ids((await asService('/v1/reports/contributions?limit=500')).json)).toHaveLength(27);
    const own = await asService('/v1/reports/contributions?limit=500', ['acme:vip']);
    expect(own.json).toHaveLength(13);
    expect(new Set(own.json.map((each: { brand_id: string }) => each.brand_id))).toEqual(
      new Set(['acme:vip']),
    );
    expect((await asService('/v1/reports/contributions?brand_id=main', ['acme:vip'])).json.code).toBe(
      'brand_forbidden',
    );
    expect(
      (await asService('/v1/reports/contributions?brand_id=vip&player_id=player-1', ['acme:vip'])).status,
    ).toBe(200);
    // A sibling's, a stranger's and nobody's are the same to it.
    for (const index of [0, 2, 999])
      expect((await asService(`/v1/reports/contributions/${idOf(index)}`, ['acme:vip'])).json.code).toBe(
        'route_not_found',
      );
    expect((await asService(`/v1/reports/contributions/${idOf(1)}`, ['acme:vip'])).status).toBe(200);
  });

  it('finds nothing of others by any id', async () => {
    for (const q of ['round-2', idOf(2), 'player-2']) {
      const { json } = await asService(`/v1/reports/search?q=${q}`, ['acme:vip']);
      expect(JSON.stringify(json)).not.toContain('rival');
      expect(JSON.stringify(json)).not.toContain('acme:main');
    }
    const { json } = await asService(`/v1/reports/search?q=${instance}`);
    expect(json.instances).toMatchObject([{ instance_id: instance, owner_id: 'acme' }]);
  });
});

it('finds what a request changed, for whom the audit trail is shown', async () => {
  const entry = (part: number, owners: readonly string[], more: Partial<RowOf<'audit'>>) =>
    rowWith('audit', {
      ...{ sequence: 1, part, time: noon, id: `change-${part}`, kind: 'intent', request_id: 'request-1' },
      ...{ operation: 'A22', method: 'PUT', path: '/config/a', user_name: 'somebody', owners, reason: 'why' },
      ...more,
    });
  await (await world.books.store()).writeStream({
    ...{ stream: 'AUDIT', after: -1, position: { sequence: 1, timestampMs: noon, systemId } },
    rows: {
      audit: [
        entry(0, ['acme'], {}),
        entry(1, ['acme'], { id: 'change-0', kind: 'outcome', outcome: 'applied', status: 200 }),
        entry(2, ['acme', 'rival'], {}),
        entry(3, [''], {}),
        entry(4, ['acme'], { request_id: 'request-2' }),
      ],
    },
  });
  const found = async (roles: Parameters<typeof world.token>[0], owners: readonly string[]) => {
    const token = await world.token(roles, owners);
    const { json } = await world.call('GET', '/config/search?q=request-1', undefined, { token });
    return json.changes.map(({ id, kind }: { id: string; kind: string }) => `${id} ${kind}`);
  };
  const own = ['change-0 intent', 'change-0 outcome'];
  expect(await found(['auditor'], ['acme'])).toEqual(own);
  expect(await found(['security'], ['acme', 'rival'])).toEqual([...own, 'change-2 intent']);
  expect(await found(['auditor'], ['*'])).toEqual([...own, 'change-2 intent', 'change-3 intent']);
  expect(await found(['viewer'], ['acme'])).toEqual([]);
  expect(await found(['auditor'], ['acme:vip'])).toEqual([]);
  expect((await asService('/v1/reports/search?q=request-1')).json.changes).toEqual([]);
  const [, outcome] = (await get('/config/search?q=request-1')).json.changes;
  expect(outcome).toMatchObject({
    ...{ request_id: 'request-1', user: 'somebody', operation: 'A22', method: 'PUT', path: '/config/a' },
    ...{ owners: ['acme'], reason: 'why', outcome: 'applied', status: 200, code: null },
  });
});

it('administrators of an operator and of one brand of another see both, and nothing else', async () => {
  const token = await world.token(['viewer'], ['rival', 'acme:vip']);
  const { json } = await world.call('GET', '/config/contributions?limit=500', undefined, { token });
  const seen = new Set(json.map((each: { brand_id: string }) => each.brand_id));
  expect(seen).toEqual(new Set(['acme:vip', 'rival:main']));
  const { json: refused } = await world.call('GET', '/config/exports/entries', undefined, { token });
  expect(refused.code).toBe('forbidden');
});

it('an explanation has the numbers of its draw once they are published, from the page that has them', async () => {
  const path = `/config/contributions/${idOf(12)}`;
  expect((await get(path)).json.draws).toEqual([
    { instance_id: instance, epoch: 0, sequence: 13, proof: null, triggers: null },
  ]);
  const entry = {
    pot: 1,
    trigger: 0,
    v0: '5',
    v1: '9',
    num: '18446744073709551615',
    den: '18446744073709551616',
    u: '7',
    flags: 1,
  };
  const record = (seq: number) => ({ seq, t: 1, seed: ['0'], entries: seq === 13 ? [entry] : [] });
  const group = (first: number) => ({
    first_seq: first,
    inputs: '',
    records: [record(first)],
    details: [{ type: 'win', seq: first }],
    head: '',
  });
  const pages = [
    {
      v: 1,
      pages: 4,
      header: { pots: [{ id: 'gold' }, { id: 'silver' }], first_seq: 1 },
      seed: '',
      groups: [group(1)],
    },
    ...[5, 13, 20].map((first, index) => ({ v: 1, page: index + 1, groups: [group(first)] })),
  ];
  pages.forEach((page, index) => {
    world.epochDocuments.set(epochDocumentName(instance, 0, index), Buffer.from(JSON.stringify(page)));
  });
  const { draws } = (await get(path)).json;
  expect(draws).toMatchObject([
    {
      proof: `/v1/fairness/instances/${instance}/epochs/0?page=2`,
      triggers: [
        {
          ...{ pot_id: 'silver', trigger: 0, is_evaluated: true, is_hit: true, is_void: false, u: '7' },
          ...{ numerator: entry.num, denominator: entry.den },
        },
      ],
    },
  ]);
  // One that is in no record of the epoch.
  expect((await get(`/config/contributions/${idOf(30)}`)).json.draws).toMatchObject([
    { proof: null, triggers: null },
  ]);
  expect((await get(`/config/contributions/${idOf(99)}`)).json.code).toBe('route_not_found');
});

it('a question waits for a contribution, and says so where it does not come', async () => {
  const later = idOf(500);
  const waits = get(`/config/contributions?contribution_id=${later}&wait=${later}`);
  const row = rowWith('contributions', {
    sequence: 2,
    contribution_id: later,
    operator: 'acme',
    brand: 'acme:main',
    segments: [],
  });
  await (await world.books.store()).write(batchTo(2, 1, { rows: { contributions: [row] } }));
  const { json, headers } = await waits;
  expect([ids(json), headers.get('x-incomplete')]).toEqual([[later], null]);
  const never = await get(`/config/search?q=a&wait=${idOf(501)}`);
  expect([never.status, never.headers.get('x-incomplete')]).toEqual([200, `contribution ${idOf(501)}`]);
});

describe('a daily report', () => {
  it('refuses days that there are not, too many of them, and groups that it does not know', async () => {
    const code = async (query: string) => (await get(`/config/reports/daily?${query}`)).json.code;
    for (const query of [
      'from=2026-01-01',
      'from=2026-02-30&to=2026-03-01',
      'from=0000-01-01&to=2026-03-01',
      'from=1969-12-31&to=1970-01-02',
      'from=2026-1-1&to=2026-03-01',
      'from=2025-01-01&to=2026-03-01',
      'from=2026-01-01&to=2026-01-02&group_by=player',
      'from=2026-01-01&to=2026-01-02&group_by=,',
      'from=2026-01-01&to=2026-01-02&players=maybe',
    ])
      expect([query, await code(query)]).toEqual([query, 'invalid_parameter']);
    expect((await get('/config/reports/daily?from=2026-03-02&to=2026-03-01')).json).toEqual([]);
    expect(
      (await get('/config/reports/daily?from=2026-03-01&to=2026-03-01&group_by=day,day,pot')).status,
    ).toBe(200);
  });
});

it('significant events are read with their amounts, and refuse others', async () => {
  for (const path of ['/config/reports/significant-events', '/v1/reports/significant-events']) {
    const call = path.startsWith('/config') ? get : asService;
    expect((await call(`${path}?owner_id=acme&kind=win&min_win=0`)).json).toHaveLength(2);
    for (const query of ['min_win=-1', 'min_win=1e5', 'kind=all', 'cursor=W10'])
      expect([query, (await call(`${path}?${query}`)).json.code]).toEqual([query, 'invalid_parameter']);
  }
  expect((await asService('/v1/reports/significant-events', ['acme:vip'])).json).toHaveLength(1);
});

describe('an export', () => {
  it('has the rows of the caller, as a file', async () => {
    const own = await asService('/v1/reports/exports/contributions?format=csv', ['acme:vip']);
    expect(own.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(own.headers.get('content-disposition')).toBe('attachment; filename="contributions.csv"');
    const lines = own.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(14);
    expect(lines.slice(1).every((line) => line.includes('acme:vip'))).toBe(true);
    const rest = await asService(`/v1/reports/exports/contributions?cursor=${lines[5]!.split(',').at(-1)}`, [
      'acme:vip',
    ]);
    expect(rest.text).toBe(`${lines.slice(6).join('\r\n')}\r\n`);
  });

  it('of what is no brand’s is for those who read the whole operator', async () => {
    expect((await asService('/v1/reports/exports/statuses', ['acme:vip'])).json).toMatchObject({
      code: 'forbidden',
    });
    expect((await asService('/v1/reports/exports/statuses')).status).toBe(200);
    const { json } = await asService('/v1/reports/exports/statuses?brand_id=main');
    expect(json.code).toBe('invalid_parameter');
    expect((await asService('/v1/reports/exports/daily_balances')).json.code).toBe('invalid_parameter');
    expect((await asService(`/v1/reports/exports/daily_balances?instance_id=${instance}`)).status).toBe(200);
    expect((await get('/config/exports/daily_balances')).status).toBe(200);
    expect((await get('/config/exports/facts')).json.code).toBe('invalid_parameter');
    expect((await get('/config/exports/contributions?cursor=W10')).json.code).toBe('invalid_parameter');
  });
});
