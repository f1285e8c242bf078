import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministratorPrincipal } from '../../../../../src/access/rights/principal.ts';
import {
  type BooksAnswer,
  decodeBooksAnswer,
  encodeBooksAnswer,
} from '../../../../../src/contracts/reports/questions.ts';
import { askedBooks } from '../../../../../src/gateway/api/reports/answers.ts';
import { batchTo, noon, rowWith } from '../../../../reporting/support/batches.ts';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

const viewer: AdministratorPrincipal = {
  ...{ kind: 'administrator', subject: 'viewer', roles: new Set(['viewer']), owners: new Set(['*']) },
  ...{ tokenId: '', expiresAtMs: 0 },
} as const;

/** A jackpot at a place and its history, over HTTP. */
let world: World;
let instance: string;
let path: string;

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  path = `/config/jackpot_instances/${instance}`;
});
afterAll(() => world.stop());

const get = (of: string) => world.call('GET', of);

describe('an instance at a place', () => {
  it('is shown as A32 shows it, with all accounts and their sum', async () => {
    const found = await get(`${path}/at`);
    expect(found.status).toBe(200);
    expect(found.json.instance).toEqual((await world.call('GET', `/config/instances/${instance}`)).json);
    const { accounts, sum } = (await world.call('GET', `/v1/fairness/instances/${instance}/conservation`))
      .json;
    expect(found.json).toMatchObject({ accounts, sum, oldest: null });
    expect((await get(`${path}/at?time=${Date.now()}`)).status).toBe(200);
  });

  it('has one place, of numbers', async () => {
    for (const query of ['time=1&sequence=1', 'time=x', 'time=-1', 'sequence=1.5', 'at=5'])
      expect([query, (await get(`${path}/at?${query}`)).json.code]).toEqual([query, 'invalid_parameter']);
  });

  it.each<readonly [BooksAnswer, string, RegExp]>([
    [
      { kind: 'too_far', reached: { sequence: 7, timestamp: noon }, body: '' },
      'overloaded',
      /has come to message 7, 2026-11-28T12:00:00.000Z; ask again/,
    ],
    [
      { kind: 'not_kept', oldest: { sequence: 7, timestamp: noon }, body: '' },
      'invalid_parameter',
      /oldest place is message 7, 2026-11-28T12:00:00.000Z/,
    ],
    [{ kind: 'not_kept', oldest: null, body: '' }, 'invalid_parameter', /potstream replay/],
    [{ kind: 'ahead', last: 9, body: '' }, 'invalid_parameter', /ends at message 9/],
  ])('that cannot be shown is refused: %s', async (answer, code, message) => {
    const books = async () => decodeBooksAnswer(encodeBooksAnswer(answer)) as never;
    const question = { kind: 'at', lane: 0, instance, moment: null } as const;
    const asked = askedBooks({ ...world.context, books }, viewer, question);
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe('a history', () => {
  it('is refused for times that make no range, and for what the books do not have yet', async () => {
    for (const query of [
      'from=5&to=5',
      'from=6&to=5',
      `from=${Date.now() + 60_000}`,
      'points=0',
      'points=501',
    ])
      expect([query, (await get(`${path}/history?${query}`)).json.code]).toEqual([
        query,
        'invalid_parameter',
      ]);
    expect((await get(`${path}/history?from=0`)).json.code).toBe('invalid_parameter');
    expect((await get(`${path}/history`)).json.code).toBe('instance_not_found');
  });

  it('is of the last day where nothing is said, and says how far the books are', async () => {
    const store = await world.books.store();
    const row = rowWith('instances', { instance, owner: 'acme', operator: 'acme', currency: 'EUR' });
    await store.write(batchTo(1, -1, { rows: { instances: [row] } }));
    const { status, json, headers } = await get(`${path}/history`);
    expect([status, headers.get('x-as-of')]).toEqual([200, `0;sequence=1;time=${noon + 1}`]);
    expect(json).toMatchObject({ instance_id: instance, currency: 'EUR', resolution: 900_000, accounts: {} });
    expect(json.ends.length).toBeGreaterThanOrEqual(96);
    const long = (await get(`${path}/history?from=1700000000000&to=1731536000000&points=500`)).json;
    expect([long.resolution, long.ends.length]).toEqual([86_400_000, 366]);
  });
});
