import { afterAll, beforeAll, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const segment = (id: string, changes = {}) => ({
  owner_id: 'acme',
  id,
  priority: 1,
  jackpots: [],
  ...changes,
});
const source = (source_id: string, changes = {}) => ({
  owner_id: 'acme',
  source_id,
  source_name: 'A source',
  jackpots: [],
  ...changes,
});
const nowhere = { jackpots: [{ priority: 1, owner_id: 'a b', instance_id: 'no instance' }] };

it.each([
  [
    'A3',
    '/config/operators',
    [
      { id: 'a b', name: 'x' },
      { id: 'good', name: 'x' },
    ],
    ['a b'],
    ['good'],
  ],
  [
    'A5',
    '/config/operators/acme/brands',
    [
      { id: '', name: 'x' },
      { id: 'good', name: 'x' },
    ],
    [''],
    ['good'],
  ],
  [
    'A8',
    '/config/segments',
    [
      segment('two\nlines'),
      segment('owner', { owner_id: 'a:b:c' }),
      segment('far', nowhere),
      segment('good'),
    ],
    ['two\nlines', 'owner', 'far'],
    ['good'],
  ],
  [
    'A14',
    '/config/sources',
    [source(''), source('owner', { owner_id: 'acme x' }), source('far', nowhere), source('good')],
    ['', 'owner', 'far'],
    ['good'],
  ],
])('%s fails the items with a malformed id and does the rest', async (_, path, items, failed, done) => {
  const { status, json } = await world.call('POST', path, items);
  expect([status, json.failed, json.success ?? json.succeeded]).toEqual([200, failed, done]);
});

it.each([
  ['A9', '/config/segments', 'segment_id'],
  ['A15', '/config/sources', 'source_id'],
])('%s fails the items with a malformed id and does the rest', async (_, path, member) => {
  const item = (owner_id: string, id: string) => ({ owner_id, [member]: id });
  await world.call('POST', '/config/sources', [source('b c')]);
  await world.call('POST', '/config/segments', [segment('b c'), segment('end')]);
  await world.call('POST', '/config/sources', [source('end')]);
  // With its owner it reads as the one that is there.
  const malformed = [item('acme b', 'c'), item('acme', '\u0000'), item(':', 'end')];
  const { status, json } = await world.call('DELETE', path, [...malformed, item('acme', 'end')]);
  expect(status).toBe(200);
  expect(json.succeeded).toEqual(['end']);
  expect(json.failed).toEqual(malformed.map((each) => ({ ...each, jackpots: [] })));
});
