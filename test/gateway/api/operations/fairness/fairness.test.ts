import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorOf } from '../../../../../src/contracts/fields/lists.ts';
import {
  encodeEpochIndex,
  epochDocumentName,
  epochIndexKey,
  type RevealedRecord,
} from '../../../../../src/contracts/jackpots/epochs.ts';
import { contribution, openEpoch, seedOf } from '../../../../jackpot/support/commands.ts';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';

let world: World;
let instance = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world, {
    overrides: {
      pots: [
        {
          ...goldPot,
          payout_ruleset: { main_winner_percentage: 0.9, admin_fee: 0.1 },
          maximum_pot_value: '5000',
        },
        { ...goldPot, id: 'silver', contribution: { Percentage: 0.2 } },
      ],
    },
  });
});
afterAll(() => world.stop());

const read = (path = '', id = instance) =>
  world.call('GET', `/v1/fairness/instances/${id}${path}`, undefined, { token: '' });

describe('the rules of an instance', () => {
  it('are public, as configured', async () => {
    const { status, json } = await read();
    expect(status).toBe(200);
    expect(json).toMatchObject({
      instance_id: instance,
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      status: 'Pending',
      funding: {
        opt_in_required: false,
        contribution_type: { Fixed: 0.1 },
        operator_contribution_percentage: '1',
        house_contribution_type: { Percentage: 0.3 },
        diversion_percentage: null,
      },
      win_selector_strategy: 'Lowest',
      simultaneous_wins: expect.stringContaining('lowest value'),
      fault_rules: expect.arrayContaining([expect.stringContaining('pauses itself')]),
      rtp_share: '0.425',
    });
    expect(json.pots[0]).toMatchObject({
      id: 'gold',
      contribution: { Percentage: 0.25 },
      seed_contribution: { Percentage: 0.5 },
      seed_strategy: { initial_seed_value: 100, min_reseed_value: 100 },
      maximum_pot_value: '5000',
      odds: [{ HitRate: { max_magic_number: 1000, cost_per_attempt: 0.1, certain_at_contribution: 100 } }],
      rtp_share: '0.225',
    });
    expect(json.pots[1]).toMatchObject({ id: 'silver', rtp_share: '0.2', maximum_pot_value: null });
    expect(json).not.toHaveProperty('allowed_brands');
  });

  it('tell the odds of each kind of trigger in words', async () => {
    const id = await createInstance(world, {
      name: 'All kinds',
      overrides: {
        pots: [
          {
            id: 'gold',
            maximum_pot_value: '500',
            pot_types: [{ Threshold: { min_value: '100', max_value: 500 } }],
          },
          {
            id: 'silver',
            contribution: { Fixed: 0.05 },
            criteria: { min_contribution: '0.01' },
            pot_types: [{ Time: { start_time: 0, end_time: 3_600_000 } }, { External: {} }],
          },
        ],
      },
    });
    const { json } = await read('', id);
    const [gold, silver] = json.pots;
    expect(gold.odds).toEqual([
      { Threshold: { min_value: 100, max_value: 500 }, rule: expect.stringContaining('reaches max_value') },
    ]);
    expect(silver.odds).toEqual([
      { Time: { start_time: 0, end_time: 3_600_000 }, rule: expect.stringContaining('end_time') },
      { External: {}, rule: expect.stringContaining('not drawn') },
    ]);
    expect([gold.rtp_share, silver.rtp_share, json.rtp_share]).toEqual(['0.25', null, null]);
    expect(json).toMatchObject({ raffle_rules: null, raffle_draw: null });
  });

  it('of a raffle name its tickets, rounds and prizes', async () => {
    const raffle_rules = {
      cost_per_ticket: '1',
      cost_source: 'BaseWager',
      allocation_mode: 'Instant',
      duration: { Hours: 6 },
      prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 2 }],
    };
    const pots = [{ id: 'p', contribution: { Percentage: 0.5 }, pot_types: [] }];
    const raffle = template('raffle', { jackpot_type: 'Raffle', raffle_rules, pots });
    expect((await world.call('POST', '/config/templates', raffle)).status).toBe(201);
    const { json } = await read('', await createInstance(world, { template_id: 'raffle' }));
    expect(json).toMatchObject({ jackpot_type: 'Raffle', raffle_rules, rtp_share: '0.5' });
    expect(json.raffle_draw).toContain('same chance');
    expect(json.pots[0].odds).toEqual([]);
  });

  it.each(['', '/epochs', '/epochs/0', '/conservation'])('%s of no instance is a 404', async (path) => {
    expect(await read(path, 'none')).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    expect(await read(path, 'a.b')).toMatchObject({ status: 400, json: { code: 'invalid_identifier' } });
  });
});

describe('the accounts of an instance', () => {
  it('are all there, exactly, and their sum is 0', async () => {
    const id = await createInstance(world, { name: 'Accounts' });
    const before = (await read('/conservation', id)).json;
    expect(before).toMatchObject({ instance_id: id, currency: 'EUR', sum: 0, sequence: 0 });
    await world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
    const { lane } = world.readModel.known(id)!;
    const target = { type: 'instance', id } as const;
    const changes = { target, operator: 'acme', brand: 'acme:main' };
    expect(world.apply(lane, contribution(changes)).outcome.kind).toBe('Contributed');
    const { status, json, text } = await read('/conservation', id);
    expect(status).toBe(200);
    // Two initial seeds of 100, and the operator's 0.10 of a player who need not opt in.
    expect(json.accounts.operator_capital).toBe(-200.1);
    expect(json.accounts['gold.current'] + json.accounts['silver.current']).toBeCloseTo(200.0225, 9);
    expect(json).toMatchObject({ sum: 0, sequence: 1, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(text).toContain('"sum":0,');
    const total = Object.values<number>(json.accounts).reduce(
      (sum, value) => sum + Math.round(value * 1e8),
      0,
    );
    expect(total).toBe(0);
  });
});

describe('the epochs of an instance', () => {
  it('are committed before they begin', async () => {
    const { status, json } = await read('/epochs');
    expect(status).toBe(200);
    expect(json.map((each: { epoch: number; state: string }) => [each.epoch, each.state])).toEqual([
      [0, 'committed'],
      [1, 'committed'],
      [2, 'committed'],
    ]);
    expect(json[0].commit).toMatch(/^[0-9a-f]{64}$/);
    const one = await read('/epochs/0');
    const { timestamp_end, ...shown } = json[0];
    expect(timestamp_end).toBeNull();
    expect(one.json).toEqual({ instance_id: instance, ...shown, header: null, seed: null, groups: null });
    expect((await read('/epochs?limit=1&page=1')).json).toEqual([json[1]]);
    expect((await read('/epochs?sort_direction=-1')).json).toEqual([...json].reverse());
    expect((await read('/epochs?page=7')).json).toEqual([]);
  });

  it.each([1, -1])('go on by cursors, and say how many there are (%i)', async (direction) => {
    const { json } = await read(`/epochs?sort_direction=${direction}`);
    const walked: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`/epochs?limit=2&sort_direction=${direction}${cursor}`);
      expect(page.headers.get('x-total-count')).toBe(cursor === '' ? '3' : null);
      walked.push(...page.json);
      const next: string | null = page.headers.get('x-next-cursor');
      cursor = next === null ? null : `&cursor=${next}`;
    }
    expect(walked).toEqual(json);
    for (const [value, shown] of [
      [-7, 3],
      [2, 0],
      [2 ** 40, 0],
      ['2', undefined],
    ] as const) {
      const cursor = cursorOf({ field: 'epoch', direction: 1 }, { value, tie: '' });
      expect((await read(`/epochs?cursor=${cursor}`)).json.length).toBe(shown);
    }
  });

  it('show their header while they run, and no seed', async () => {
    const body = { status: 'Active', reason: 'go' };
    expect((await world.call('POST', `/config/instances/${instance}/status`, body)).status).toBe(200);
    const { json } = await read('/epochs/0');
    expect(json).toMatchObject({ epoch: 0, state: 'running', seed: null, groups: null });
    expect(json.header).toMatchObject({ instance, epoch: 0, commit: json.commit, first_seq: 1 });
  });

  it('show everything once they are revealed and published', async () => {
    const change = {
      overrides: { contribution_rules: { contribution_type: { Fixed: 0.2 } } },
      reason: 'more',
    };
    expect((await world.call('PUT', `/config/instances/${instance}/parameters`, change)).status).toBe(200);
    const { lane } = world.readModel.known(instance)!;
    world.apply(lane, openEpoch(instance, 1, [3]));
    const before = await read('/epochs/0');
    const seed = seedOf(instance, 0, 0);
    const revealed = world.apply(lane, { kind: 'RevealEpoch', instance, epoch: 0, seed });
    expect(revealed.outcome.kind).toBe('Done');
    const { json } = await read('/epochs/0');
    expect(before.json).toMatchObject({ state: 'ended', seed: null });
    expect(json).toMatchObject({
      state: 'revealed',
      seed: Buffer.from(seed).toString('hex'),
      published: false,
      groups: null,
    });

    const document = { v: 1, header: json.header, seed: json.seed, groups: [] };
    world.epochDocuments.set(epochDocumentName(instance, 0), Buffer.from(JSON.stringify(document)));
    const published = await read('/epochs/0');
    const { commit } = json;
    expect(published.json).toEqual({
      instance_id: instance,
      epoch: 0,
      state: 'revealed',
      commit,
      ...document,
    });
    expect((await read('/epochs/0?page=0')).json).toEqual(published.json);
    expect((await read('/epochs/0?page=1')).json).toMatchObject({ code: 'route_not_found' });
    const states = (await read('/epochs')).json.map((each: { state: string }) => each.state);
    expect(states).toEqual(['revealed', 'running', 'committed', 'committed']);
  });

  it('of many draws have further pages, of which none is shown before all are there', async () => {
    const first = world.epochDocuments.get(epochDocumentName(instance, 0))!;
    world.epochDocuments.delete(epochDocumentName(instance, 0));
    const further = { v: 1, page: 1, groups: [{}] };
    world.epochDocuments.set(epochDocumentName(instance, 0, 1), Buffer.from(JSON.stringify(further)));
    expect(await read('/epochs/0?page=1')).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
    expect((await read('/epochs/0')).json).toMatchObject({ state: 'revealed', groups: null });

    const { v, ...rest } = JSON.parse(Buffer.from(first).toString('utf8'));
    const text = JSON.stringify({ v, pages: 2, ...rest });
    world.epochDocuments.set(epochDocumentName(instance, 0), Buffer.from(text));
    expect((await read('/epochs/0')).json).toMatchObject({ state: 'revealed', pages: 2, ...rest });
    const { json, status } = await read('/epochs/0?page=1');
    expect([status, json]).toEqual([200, { instance_id: instance, epoch: 0, ...further }]);
    expect(await read('/epochs/0?page=2')).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });

  it('are told when their lane has forgotten them, published or not', async () => {
    const { lane } = world.readModel.known(instance)!;
    const records = new Map<number, RevealedRecord>();
    for (let epoch = 1; epoch <= 11; epoch += 1) {
      world.apply(lane, openEpoch(instance, epoch, [epoch + 2, epoch + 3]));
      const change = {
        overrides: { contribution_rules: { contribution_type: { Fixed: `0.${epoch + 20}` } } },
        reason: 'more',
      };
      expect((await world.call('PUT', `/config/instances/${instance}/parameters`, change)).status).toBe(200);
      const seed = seedOf(instance, epoch, 0);
      expect(world.apply(lane, { kind: 'RevealEpoch', instance, epoch, seed }).outcome.kind).toBe('Done');
      const answer = await world.query(lane, { kind: 'epochs', instance, after: -1 });
      if (answer.kind !== 'epochs') throw new Error(answer.kind);
      records.set(epoch, answer.epochs.find((each) => each.epoch === epoch) as RevealedRecord);
    }
    const forgotten = records.get(2)!;
    await world.epochIndex.put(epochIndexKey(instance, 2), encodeEpochIndex(forgotten), 0);
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    const known = {
      epoch: 2,
      state: 'revealed',
      commit: hex(forgotten.commit),
      beacon: null,
      first_sequence: forgotten.firstSequence,
      last_sequence: forgotten.lastSequence,
      seed: hex(forgotten.seed),
      published: false,
    };
    const header = JSON.parse(forgotten.header);
    const nothing = { commit: null, beacon: null, first_sequence: null, last_sequence: null, seed: null };
    const unknown = { epoch: 1, state: 'revealed', ...nothing, published: false };
    const one = async (epoch: number) => (await read(`/epochs/${epoch}`)).json;
    expect(await one(2)).toEqual({ instance_id: instance, ...known, header, groups: null });
    expect(await one(1)).toEqual({ instance_id: instance, ...unknown, header: null, groups: null });
    const never = { timestamp_end: null };
    expect((await read('/epochs?limit=3')).json).toEqual([
      { epoch: 0, state: 'revealed', ...nothing, published: true, ...never },
      { ...unknown, ...never },
      { ...known, ...never },
    ]);

    const document = { v: 1, header, seed: known.seed, groups: [] };
    world.epochDocuments.set(epochDocumentName(instance, 2), Buffer.from(JSON.stringify(document)));
    expect(await one(2)).toEqual({
      ...{ instance_id: instance, epoch: 2, state: 'revealed', commit: known.commit },
      ...document,
    });
    expect((await read('/epochs?limit=3')).json[2]).toEqual({ ...known, published: true, ...never });
    const newest = (await read('/epochs?limit=4&sort_direction=-1')).json;
    expect(newest.map((each: typeof known) => [each.epoch, each.state, each.published])).toEqual([
      [14, 'committed', false],
      [13, 'committed', false],
      [12, 'running', false],
      [11, 'revealed', false],
    ]);
    const ends = newest.map((each: { timestamp_end: number | null }) => each.timestamp_end);
    expect(ends).toEqual([null, null, expect.any(Number), null]);
  });

  it.each([
    ['/epochs/1?page=1', 404, 'route_not_found'],
    ['/epochs/0?page=-1', 400, 'invalid_parameter'],
    ['/epochs/0?pages=1', 400, 'invalid_parameter'],
    ['/epochs/99', 404, 'route_not_found'],
    ['/epochs/9007199254740991', 404, 'route_not_found'],
    ['/epochs/9007199254740992', 400, 'invalid_parameter'],
    ['/epochs/-1', 400, 'invalid_parameter'],
    ['/epochs/one', 400, 'invalid_parameter'],
    ['/epochs?limit=0', 400, 'invalid_parameter'],
    ['/epochs?state=running', 400, 'invalid_parameter'],
  ])('%s is %i %s', async (path, status, code) => {
    expect(await read(path)).toMatchObject({ status, json: { code } });
  });
});
