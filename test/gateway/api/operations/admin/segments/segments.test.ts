import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PublicError } from '../../../../../../src/gateway/base/errors.ts';
import type { Command } from '../../../../../../src/messages/commands.ts';
import type { LaneQuery } from '../../../../../../src/messages/queries.ts';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
let instance = '';
let second = '';
let apart = '';
let met: (message: Command | LaneQuery) => void = () => {};
beforeAll(async () => {
  world = await startWorld({ sending: (command) => met(command), asking: (query) => met(query) });
  await furnish(world);
  instance = await createInstance(world);
  second = await createInstance(world, { name: 'Second' });
  apart = await createInstance(world, { group: 'acme:apart', name: 'Apart' });
  await world.call('POST', '/config/segments', [segment('gold', { priority: 3 })]);
});
afterAll(() => world.stop());

const segment = (id: string, changes: object = {}) => ({
  owner_id: 'acme',
  id,
  name: 'A segment',
  priority: 1,
  jackpots: [],
  ...changes,
});
const assignment = (changes: object = {}) => ({
  owner_id: 'acme',
  segment_id: 'gold',
  instance_id: instance,
  ...changes,
});
const read = async (query: string) => (await world.call('GET', `/config/segments?${query}`)).json;

describe('segments (A7 to A12)', () => {
  it('creates, and tells duplicates and failures apart', async () => {
    const foreign = 'Ünïcode segment #1';
    const answer = await world.call('POST', '/config/segments', [
      segment(foreign, {
        name: null,
        jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }],
      }),
      segment('gold'),
      segment('lost', { owner_id: 'nobody' }),
      segment('lost-brand', { owner_id: 'acme:none' }),
      segment('unbound', { jackpots: [{ priority: 0, owner_id: 'acme', instance_id: 'missing' }] }),
      segment('foreign', {
        owner_id: 'rival',
        jackpots: [{ priority: 0, owner_id: 'acme', instance_id: instance }],
      }),
      segment('mixed', {
        jackpots: [
          { priority: 0, owner_id: 'acme', instance_id: instance },
          { priority: 1, owner_id: 'acme', instance_id: apart },
        ],
      }),
      { owner_id: 'acme:vip', id: 'bare', priority: 0 },
      { owner_id: 'acme:vip', id: 'bare', priority: 0 },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        succeeded: [foreign, 'bare'],
        duplicated: ['gold', 'bare'],
        failed: ['lost', 'lost-brand', 'unbound', 'foreign', 'mixed'],
      },
    });
    expect(await read(`brand_id=acme&name=&limit=500`)).toContainEqual({
      owner_id: 'acme',
      id: foreign,
      name: null,
      priority: 1,
      jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }],
    });
    expect((await read('limit=500')).map((each: { id: string }) => each.id)).not.toContain('mixed');
    expect(world.readModel.lanes.bindings('segment', 'acme', 'mixed')).toEqual([]);
  });

  it.each([
    ['a later binding fails', 'Bind', 'instance_not_found', 200],
    ['a later binding meets an outage', 'Bind', 'storage_unavailable', 503],
    ['the lanes are not known to have it', 'directory', 'outcome_unknown', 504],
  ] as const)('does not exist where %s', async (_, kind, code, status) => {
    const jackpots = [instance, second].map((instance_id) => ({
      priority: 0,
      owner_id: 'acme',
      instance_id,
    }));
    const halved = segment(`halved ${code}`, { jackpots });
    met = (message) => {
      const isLater = !('instance' in message) || message.instance === second;
      if (message.kind === kind && isLater) throw new PublicError(code);
    };
    const answer = await world.call('POST', '/config/segments', [halved]);
    met = () => {};
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.json.failed).toEqual([halved.id]);
    expect(world.readModel.lanes.bindings('segment', 'acme', halved.id)).toEqual([]);
    expect(await read(`owner_id=acme&name=${encodeURIComponent(halved.name)}`)).not.toContainEqual(
      expect.objectContaining({ id: halved.id }),
    );

    const again = await world.call('POST', '/config/segments', [halved]);
    expect(again.json.succeeded).toEqual([halved.id]);
    expect(world.readModel.lanes.bindings('segment', 'acme', halved.id)).toHaveLength(2);
    for (const { instance_id } of jackpots)
      await world.call('POST', '/config/segments/remove', assignment({ segment_id: halved.id, instance_id }));
    await world.call('DELETE', '/config/segments', [{ owner_id: 'acme', segment_id: halved.id }]);
  });

  it('lists by brand and name, sorted and in pages', async () => {
    await world.call('POST', '/config/segments', [
      segment('list-b', { owner_id: 'acme:main', name: 'Paged two', priority: 1 }),
      segment('list-a', { owner_id: 'acme:main', name: 'Paged one', priority: 7 }),
      segment('list-c', { owner_id: 'acme:main', name: 'paged three', priority: 4 }),
      segment('list-d', { owner_id: 'rival:main', name: 'Paged four', priority: 4 }),
    ]);
    const ids = async (query: string) => (await read(query)).map((each: { id: string }) => each.id);
    expect(await ids('brand_id=acme:main&name=PAGED')).toEqual(['list-a', 'list-b', 'list-c']);
    expect(await ids('brand_id=acme&name=paged')).toEqual(['list-a', 'list-b', 'list-c']);
    expect(await ids('brand_id=acme:vip&name=paged')).toEqual([]);
    expect(await ids('brand_id=acme:main&sort_field=priority&sort_direction=-1')).toEqual([
      'list-a',
      'list-c',
      'list-b',
    ]);
    expect(await ids('name=paged&sort_field=name&sort_direction=1&limit=2&page=1')).toEqual([
      'list-b',
      'list-c',
    ]);
  });

  it('takes every priority of 32 bits', async () => {
    const highest = 2 ** 31 - 1;
    const jackpots = [{ priority: highest, owner_id: 'acme', instance_id: instance }];
    const last = segment('last', { priority: highest, jackpots });
    expect((await world.call('POST', '/config/segments', [last])).json.succeeded).toEqual(['last']);
    await world.call(
      'POST',
      '/config/segments/assign',
      assignment({ segment_id: 'last', instance_id: second }),
    );
    const [shown] = await read('brand_id=acme&sort_field=priority&sort_direction=-1&limit=1');
    expect(shown).toMatchObject({ id: 'last', priority: highest });
    // None is behind the highest: ids decide between equals.
    expect(shown.jackpots.map((each: { priority: number }) => each.priority)).toEqual([highest, highest]);
    const tooLate = segment('later', { priority: highest + 1 });
    const tooFar = segment('later', { jackpots: [{ ...jackpots[0], priority: highest + 1 }] });
    for (const item of [tooLate, tooFar])
      expect((await world.call('POST', '/config/segments', [item])).status).toBe(400);
    for (const [path, priority, status] of [
      ['/config/segments/priorities', highest + 1, 400],
      ['/config/segments/priorities', highest, 200],
      ['/config/sources/priorities', highest + 1, 400],
      ['/config/sources/priorities', highest, 404],
    ] as const) {
      const order = { brand_id: 'acme', segment_id: 'last', priorities: { [instance]: priority } };
      expect((await world.call('PUT', path, order)).status).toBe(status);
    }
  });

  it('assigns behind what is bound, orders and removes', async () => {
    const assign = (instance_id: string) =>
      world.call('POST', '/config/segments/assign', assignment({ instance_id }));
    expect(await assign(instance)).toMatchObject({ status: 204, text: '' });
    expect((await assign(second)).status).toBe(204);
    const jackpots = async () =>
      (await read('brand_id=acme&name=A segment&limit=500')).find(
        (each: { id: string }) => each.id === 'gold',
      ).jackpots;
    expect(await jackpots()).toMatchObject([
      { priority: 0, instance_id: instance },
      { priority: 1, instance_id: second },
    ]);
    expect((await assign(instance)).status).toBe(204);
    expect(await jackpots()).toHaveLength(2);
    const ordered = await world.call('PUT', '/config/segments/priorities', {
      brand_id: 'acme',
      segment_id: 'gold',
      priorities: { [instance]: 9 },
    });
    expect(ordered.status).toBe(200);
    expect(ordered.json).toMatchObject([{ id: 'gold', owner_id: 'acme', priority: 3 }]);
    expect(ordered.json[0].jackpots).toMatchObject([
      { priority: 1, instance_id: second },
      { priority: 9, instance_id: instance },
    ]);
    const removed = await world.call('POST', '/config/segments/remove', assignment({ instance_id: second }));
    expect([removed.status, removed.text]).toEqual([204, '']);
    const again = await world.call('POST', '/config/segments/remove', assignment({ instance_id: second }));
    expect(again.json.code).toBe('not_mapped');
    expect((await assign(second)).status).toBe(204);
    expect(await jackpots()).toMatchObject([
      { instance_id: instance },
      { priority: 10, instance_id: second },
    ]);
  });

  it('never crosses groups', async () => {
    await world.call('POST', '/config/segments', [segment('grouped')]);
    const grouped = (instance_id: string) => assignment({ segment_id: 'grouped', instance_id });
    expect((await world.call('POST', '/config/segments/assign', grouped(apart))).status).toBe(204);
    const refused = await world.call('POST', '/config/segments/assign', grouped(instance));
    expect(refused).toMatchObject({ status: 422, json: { code: 'group_mismatch' } });
    await world.call('POST', '/config/segments/remove', grouped(apart));
    expect((await world.call('POST', '/config/segments/assign', grouped(instance))).status).toBe(422);
    await world.call('DELETE', '/config/segments', [{ owner_id: 'acme', segment_id: 'grouped' }]);
    await world.call('POST', '/config/segments', [segment('grouped')]);
    expect((await world.call('POST', '/config/segments/assign', grouped(instance))).status).toBe(204);
  });

  it('deletes what has no jackpots, and names the jackpots of what has', async () => {
    await world.call('POST', '/config/segments', [
      segment('short-lived'),
      segment('kept', { jackpots: [{ priority: 0, owner_id: 'acme', instance_id: instance }] }),
    ]);
    const answer = await world.call('DELETE', '/config/segments', [
      { owner_id: 'acme', segment_id: 'short-lived' },
      { owner_id: 'acme', segment_id: 'kept' },
      { owner_id: 'acme', segment_id: 'never' },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        succeeded: ['short-lived'],
        failed: [
          { owner_id: 'acme', segment_id: 'kept', jackpots: [instance] },
          { owner_id: 'acme', segment_id: 'never', jackpots: [] },
        ],
      },
    });
    const ids = (await read('brand_id=acme&limit=500')).map((each: { id: string }) => each.id);
    expect(ids).toContain('kept');
    expect(ids).not.toContain('short-lived');
  });

  it.each([
    ['assign', { owner_id: 'nobody' }, 404, 'operator_not_found'],
    ['assign', { owner_id: 'acme:none' }, 404, 'brand_not_found'],
    ['assign', { segment_id: 'none' }, 404, 'segment_not_found'],
    ['assign', { instance_id: 'none' }, 404, 'instance_not_found'],
    ['assign', { owner_id: 'rival:main', segment_id: 'list-d' }, 404, 'instance_not_found'],
    ['assign', { segment_id: ['gold'] }, 400, 'invalid_request'],
    ['assign', { segment_id: 'line\nbreak' }, 400, 'invalid_identifier'],
    ['assign', { instance_id: 'a b' }, 400, 'invalid_identifier'],
    ['assign', { priority: 1 }, 400, 'invalid_request'],
    ['remove', { segment_id: 'none' }, 404, 'segment_not_found'],
    ['remove', { instance_id: 'none' }, 404, 'instance_not_found'],
    ['remove', { owner_id: null }, 400, 'invalid_request'],
  ] as const)('%s %j is %i %s', async (verb, changes, status, code) => {
    const answer = await world.call('POST', `/config/segments/${verb}`, assignment(changes));
    expect(answer).toMatchObject({ status, json: { status_code: status, code } });
  });

  it.each([
    [{ priorities: { none: 1 } }, 422, 'not_mapped'],
    [{ segment_id: 'none', priorities: {} }, 404, 'segment_not_found'],
    [{ priorities: { x: -1 } }, 400, 'invalid_request'],
    [{ priorities: { x: 1.5 } }, 400, 'invalid_request'],
    [{ priorities: { x: '1' } }, 400, 'invalid_request'],
    [{ priorities: null }, 400, 'invalid_request'],
    [{ brand_id: 'nobody', priorities: {} }, 404, 'operator_not_found'],
  ])('priorities %j are %i %s', async (changes, status, code) => {
    const body = { brand_id: 'acme', segment_id: 'gold', ...changes };
    const answer = await world.call('PUT', '/config/segments/priorities', body);
    expect(answer).toMatchObject({ status, json: { code } });
  });

  it('changes no priority where one of the jackpots is not mapped', async () => {
    const before = world.readModel.lanes.bindings('segment', 'acme', 'gold');
    const priorities = { [instance]: 77, none: 1 };
    const body = { brand_id: 'acme', segment_id: 'gold', priorities };
    expect((await world.call('PUT', '/config/segments/priorities', body)).json.code).toBe('not_mapped');
    expect(world.readModel.lanes.bindings('segment', 'acme', 'gold')).toEqual(before);
  });

  it.each([
    [[], 'invalid_request'],
    [[segment('a', { priority: -1 })], 'invalid_request'],
    [[segment('a', { priority: null })], 'invalid_request'],
    [[segment('a', { priority: '1' })], 'invalid_request'],
    [[segment('a', { colour: 'red' })], 'invalid_request'],
    [segment('a'), 'invalid_request'],
  ])('creating %j is no request', async (body, code) => {
    expect(await world.call('POST', '/config/segments', body)).toMatchObject({ status: 400, json: { code } });
  });

  it.each(['page=-1', 'limit=501', 'sort_direction=2', 'sort_field=jackpots', 'owner=acme'])(
    'a list by %s is no request',
    async (query) => {
      const answer = await world.call('GET', `/config/segments?${query}`);
      expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_parameter' } });
    },
  );

  it('shows an owner of a foreign operator nothing', async () => {
    const token = await world.token(['config'], ['rival']);
    const list = await world.call('GET', '/config/segments', undefined, { token });
    expect(list.json.map((each: { id: string }) => each.id)).toEqual(['list-d']);
    const assigned = await world.call('POST', '/config/segments/assign', assignment(), { token });
    expect(assigned.json.code).toBe('operator_not_found');
    const body = [{ owner_id: 'acme', segment_id: 'kept' }];
    const removed = await world.call('DELETE', '/config/segments', body, { token });
    expect(removed.json.failed).toEqual([{ owner_id: 'acme', segment_id: 'kept', jackpots: [] }]);
    const created = await world.call('POST', '/config/segments', [segment('theirs')], { token });
    expect(created.json.failed).toEqual(['theirs']);
    const viewer = await world.token(['viewer'], ['*']);
    const forbidden = await world.call('POST', '/config/segments/assign', assignment(), { token: viewer });
    expect(forbidden).toMatchObject({ status: 403, json: { code: 'forbidden' } });
  });
});
