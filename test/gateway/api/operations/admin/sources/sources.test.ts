import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PublicError } from '../../../../../../src/gateway/base/errors.ts';
import type { Command } from '../../../../../../src/messages/commands.ts';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
let instance = '';
let other = '';
let sending: (command: Command) => void = () => {};
beforeAll(async () => {
  world = await startWorld({ sending: (command) => sending(command) });
  await furnish(world);
  instance = await createInstance(world);
  other = await createInstance(world, { group: 'acme:apart', name: 'Apart' });
});
afterAll(() => world.stop());

const source = (source_id: string, changes: object = {}) => ({
  owner_id: 'acme',
  source_id,
  source_name: 'A source',
  jackpots: [],
  ...changes,
});
const assignment = (changes: object = {}) => ({
  owner_id: 'acme',
  source_id: ['slot-1'],
  instance_id: instance,
  ...changes,
});

describe('sources (A13 to A18)', () => {
  it('creates, and tells duplicates and failures apart', async () => {
    const foreign = 'Ünïcode source #1';
    const answer = await world.call('POST', '/config/sources', [
      source(foreign, { jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }] }),
      source('slot-1'),
      source('lost', { owner_id: 'nobody' }),
      source('unbound', { jackpots: [{ priority: 0, owner_id: 'acme', instance_id: 'missing' }] }),
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: { succeeded: [foreign], duplicated: ['slot-1'], failed: ['lost', 'unbound'] },
    });
    const list = await world.call('GET', `/config/sources?source_id=${encodeURIComponent(foreign)}`);
    expect(list.json).toEqual([
      {
        owner_id: 'acme',
        source_name: 'A source',
        source_id: foreign,
        jackpots: [{ priority: 4, owner_id: 'acme', instance_id: instance }],
      },
    ]);
    expect((await world.call('GET', '/config/sources?source_id=unbound')).json.code).toBe('source_not_found');
  });

  it.each(['owner_id', 'source_id', 'source_name', 'jackpots'])('does without no %s', async (member) => {
    const { [member as 'jackpots']: _, ...rest } = source('incomplete');
    for (const body of [rest, { ...rest, [member]: null }])
      expect(await world.call('POST', '/config/sources', [body])).toMatchObject({
        status: 400,
        json: { code: 'invalid_request' },
      });
  });

  it('assigns behind what is bound, orders and removes', async () => {
    const second = await createInstance(world, { name: 'Second' });
    expect(await world.call('POST', '/config/sources/assign', assignment())).toMatchObject({
      status: 204,
      text: '',
    });
    await world.call('POST', '/config/sources/assign', assignment({ instance_id: second }));
    const read = async () => (await world.call('GET', '/config/sources?owner_id=acme&source_id=slot-1')).json;
    const before = (await read()).find((item: { owner_id: string }) => item.owner_id === 'acme');
    expect(before.jackpots).toMatchObject([
      { priority: 0, instance_id: instance },
      { priority: 1, instance_id: second },
    ]);
    const ordered = await world.call('PUT', '/config/sources/priorities', {
      brand_id: 'acme',
      segment_id: 'slot-1',
      priorities: { [instance]: 9 },
    });
    expect(ordered.status).toBe(200);
    expect(ordered.json[0].jackpots.map((jackpot: { instance_id: string }) => jackpot.instance_id)).toEqual([
      second,
      instance,
    ]);
    const removed = await world.call('POST', '/config/sources/remove', assignment({ instance_id: second }));
    expect(removed.status).toBe(204);
    const again = await world.call('POST', '/config/sources/remove', assignment({ instance_id: second }));
    expect(again.json.code).toBe('not_mapped');
  });

  it('keeps all bindings of a source id within an operator in one group', async () => {
    for (const owner_id of ['acme', 'acme:vip']) {
      const answer = await world.call(
        'POST',
        '/config/sources/assign',
        assignment({ owner_id, instance_id: other }),
      );
      expect(answer).toMatchObject({ status: 422, json: { code: 'group_mismatch' } });
    }
  });

  it('keeps a source in its group for good: retries meet their keys in its lane', async () => {
    await world.call('POST', '/config/sources', [source('moving')]);
    const moving = { source_id: ['moving'] };
    expect((await world.call('POST', '/config/sources/assign', assignment(moving))).status).toBe(204);
    expect((await world.call('POST', '/config/sources/remove', assignment(moving))).status).toBe(204);
    const moved = assignment({ ...moving, instance_id: other });
    const refused = await world.call('POST', '/config/sources/assign', moved);
    expect(refused).toMatchObject({ status: 422, json: { code: 'group_mismatch' } });
    await world.call('DELETE', '/config/sources', [{ owner_id: 'acme', source_id: 'moving' }]);
    await world.call('POST', '/config/sources', [source('moving')]);
    expect((await world.call('POST', '/config/sources/assign', moved)).json.code).toBe('group_mismatch');
    expect(world.readModel.groupOfSource('acme:main', 'moving')).toBe('acme');
  });

  it('with jackpots of two groups is failed, and leaves nothing behind', async () => {
    const jackpot = (instance_id: string) => ({ priority: 0, owner_id: 'acme', instance_id });
    const mixed = source('mixed', { jackpots: [jackpot(instance), jackpot(other)] });
    expect((await world.call('POST', '/config/sources', [mixed])).json.failed).toEqual(['mixed']);
    expect(world.readModel.lanes.bindings('source', 'acme', 'mixed')).toEqual([]);
    const apart = source('mixed', { jackpots: [jackpot(other)] });
    expect((await world.call('POST', '/config/sources', [apart])).json.succeeded).toEqual(['mixed']);
  });

  it.each([
    ['fails', 'instance_not_found', 200],
    ['meets an outage', 'storage_unavailable', 503],
    ['is not known to have happened', 'outcome_unknown', 504],
  ] as const)('does not exist where a later binding %s', async (_, code, status) => {
    const jackpot = (instance_id: string) => ({ priority: 0, owner_id: 'acme', instance_id });
    const second = await createInstance(world, { name: code });
    const halved = source(`halved ${code}`, { jackpots: [jackpot(instance), jackpot(second)] });
    sending = (command) => {
      if (command.kind === 'Bind' && command.instance === second) throw new PublicError(code);
    };
    const answer = await world.call('POST', '/config/sources', [halved, source(`other ${code}`)]);
    sending = () => {};
    expect(answer.status).toBe(status);
    if (status === 200)
      expect(answer.json).toMatchObject({ succeeded: [`other ${code}`], failed: [halved.source_id] });
    expect(world.readModel.lanes.bindings('source', 'acme', halved.source_id)).toEqual([]);
    expect(world.readModel.hasSource('acme:main', halved.source_id)).toBe(false);

    const again = await world.call('POST', '/config/sources', [halved]);
    expect(again.json.succeeded).toEqual([halved.source_id]);
    expect(world.readModel.lanes.bindings('source', 'acme', halved.source_id)).toHaveLength(2);
  });

  it('lets brands of an operator have their sources of one id in different groups', async () => {
    await world.call('POST', '/config/sources', [
      source('spread', { owner_id: 'acme:main' }),
      source('spread', { owner_id: 'acme:vip' }),
      source('spread'),
    ]);
    const spread = { source_id: ['spread'] };
    const assign = async (owner_id: string, instance_id: string) =>
      (await world.call('POST', '/config/sources/assign', assignment({ ...spread, owner_id, instance_id })))
        .status;
    expect(await assign('acme:main', instance)).toBe(204);
    expect(await assign('acme:vip', other)).toBe(204);
    expect([await assign('acme', instance), await assign('acme', other)]).toEqual([422, 422]);
    expect(world.readModel.groupOfSource('acme:main', 'spread')).toBe('acme');
    expect(world.readModel.groupOfSource('acme:vip', 'spread')).toBe('acme:apart');
  });

  it('deletes what has no jackpots', async () => {
    await world.call('POST', '/config/sources', [source('short-lived')]);
    const answer = await world.call('DELETE', '/config/sources', [
      { owner_id: 'acme', source_id: 'short-lived' },
      { owner_id: 'acme', source_id: 'slot-1' },
      { owner_id: 'acme', source_id: 'never' },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      json: {
        succeeded: ['short-lived'],
        failed: [
          { owner_id: 'acme', source_id: 'slot-1', jackpots: [instance] },
          { owner_id: 'acme', source_id: 'never', jackpots: [] },
        ],
      },
    });
    const gone = await world.call('GET', '/config/sources?source_id=short-lived');
    expect(gone).toMatchObject({ status: 404, json: { code: 'source_not_found' } });
  });

  it.each([
    ['POST', '/config/sources/assign', { owner_id: 'nobody' }, 404, 'operator_not_found'],
    ['POST', '/config/sources/assign', { owner_id: 'acme:none' }, 404, 'brand_not_found'],
    ['POST', '/config/sources/assign', { source_id: ['slot-1', 'none'] }, 404, 'source_not_found'],
    ['POST', '/config/sources/assign', { instance_id: 'none' }, 404, 'instance_not_found'],
    [
      'POST',
      '/config/sources/assign',
      { owner_id: 'rival', source_id: ['slot-9'] },
      404,
      'instance_not_found',
    ],
    ['POST', '/config/sources/assign', { source_id: [] }, 400, 'invalid_request'],
    ['POST', '/config/sources/assign', { source_id: 'slot-1' }, 400, 'invalid_request'],
    ['POST', '/config/sources/assign', { source_id: ['line\nbreak'] }, 400, 'invalid_identifier'],
    ['POST', '/config/sources/assign', { priority: 1 }, 400, 'invalid_request'],
    ['POST', '/config/sources/remove', { instance_id: 'none' }, 404, 'instance_not_found'],
  ] as const)('%s %s %j is %i %s', async (method, path, changes, status, code) => {
    const answer = await world.call(method, path, assignment(changes));
    expect(answer).toMatchObject({ status, json: { status_code: status, code } });
  });

  it.each([
    [{ priorities: { none: 1 } }, 422, 'not_mapped'],
    [{ segment_id: 'none', priorities: {} }, 404, 'source_not_found'],
    [{ priorities: { x: -1 } }, 400, 'invalid_request'],
    [{ priorities: { x: 1.5 } }, 400, 'invalid_request'],
    [{ priorities: null }, 400, 'invalid_request'],
  ])('priorities %j are %i %s', async (changes, status, code) => {
    const body = { brand_id: 'acme', segment_id: 'slot-1', ...changes };
    expect(await world.call('PUT', '/config/sources/priorities', body)).toMatchObject({
      status,
      json: { code },
    });
  });

  it('shows an owner of a foreign operator nothing', async () => {
    const token = await world.token(['config'], ['rival']);
    const list = await world.call('GET', '/config/sources', undefined, { token });
    expect(list.json.map((item: { source_id: string }) => item.source_id)).toEqual(['slot-9']);
    const answer = await world.call('POST', '/config/sources/assign', assignment(), { token });
    expect(answer.json.code).toBe('operator_not_found');
    const removed = await world.call(
      'DELETE',
      '/config/sources',
      [{ owner_id: 'acme', source_id: 'slot-1' }],
      {
        token,
      },
    );
    expect(removed.json.failed).toEqual([{ owner_id: 'acme', source_id: 'slot-1', jackpots: [] }]);
  });
});
