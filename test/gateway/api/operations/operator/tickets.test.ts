import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorOf } from '../../../../../src/contracts/fields/lists.ts';
import {
  createInstance,
  furnish,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';

let world: World;
let token = '';
let raffle = '';
let second = '';
let jackpot = '';

const rules = {
  cost_per_ticket: '1',
  cost_source: 'BaseWager',
  allocation_mode: 'Instant',
  duration: { Days: 1 },
  prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
};
const pot = { id: 'main', contribution: { Percentage: 0.5 } };
/** Of shuffled names, each with another wager: nothing is sorted by chance. */
const players = Array.from({ length: 120 }, (_, i) => `p${String((i * 37) % 120).padStart(3, '0')}`);

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  const raffles = template('raffle', { jackpot_type: 'Raffle', raffle_rules: rules, pots: [pot] });
  expect((await world.call('POST', '/config/templates', raffles)).status).toBe(201);
  raffle = await createInstance(world, { template_id: 'raffle' });
  second = await createInstance(world, { template_id: 'raffle' });
  jackpot = await createInstance(world);
  for (const instance of [raffle, second, jackpot])
    await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
  token = await world.serviceToken('acme');
  for (const [index, player] of players.entries()) await play(raffle, player, `${(index * 7) % 31}.5`);
  await play(raffle, 'p000', 2, 'acme:vip');
  await play(second, 'p000', 3.25);
});
afterAll(() => world.stop());

async function play(instance: string, player: string, wager: unknown, brand = 'acme:main'): Promise<void> {
  const answer = await world.call(
    'POST',
    `/v1/jackpot/instances/${instance}/contributions`,
    {
      token: 't',
      brand_id: brand,
      player_id: player,
      player_country: 'DE',
      base_wager: wager,
      currency: 'EUR',
    },
    { token },
  );
  if (answer.status !== 200) throw new Error(answer.text);
}
const get = (path: string, as = token) => world.call('GET', `/v1/raffles/${path}`, undefined, { token: as });
const list = async (query = '') => (await get(`${raffle}/tickets${query}`)).json;
type Ticket = Readonly<Record<string, string & number>>;
const all = async (query: string): Promise<Ticket[]> => {
  const pages: Ticket[] = [];
  for (let page = 0; ; page += 1) {
    const some = await list(`?limit=50&page=${page}${query}`);
    pages.push(...some);
    if (some.length < 50) return pages;
  }
};

describe('raffle tickets of an instance (O5)', () => {
  it('are records of the round, 50 a page, in the order in which the players came', async () => {
    const first = await list();
    expect(first).toHaveLength(50);
    expect(first.map((ticket: Ticket) => ticket.ext_player_id)).toEqual(players.slice(0, 50));
    expect(first[1]).toEqual({
      instance_id: raffle,
      brand_id: 'acme:main',
      player_id: `acme:main:${players[1]}`,
      ext_player_id: players[1],
      ticket_count: 7,
      accumulated_cost: '0.5',
      timestamp_start: expect.any(Number),
      timestamp_end: expect.any(Number),
    });
    expect(first[0].timestamp_end - first[0].timestamp_start).toBe(86_400_000);
    const newest = await list('?sort_direction=-1&limit=2');
    expect(newest.map((ticket: Ticket) => ticket.player_id)).toEqual([
      'acme:vip:p000',
      `acme:main:${players[119]}`,
    ]);
  });

  it.each([
    'player_id',
    'ext_player_id',
    'brand_id',
    'ticket_count',
    'accumulated_cost',
    'timestamp_start',
    'timestamp_end',
  ])('are sorted by %s, both ways, every record once', async (field) => {
    const compare = (a: Ticket, b: Ticket) =>
      field === 'accumulated_cost'
        ? Number(a[field]) - Number(b[field])
        : a[field]! < b[field]!
          ? -1
          : Number(a[field]! > b[field]!);
    const given = await all('');
    const up = await all(`&sort_field=${field}`);
    const down = await all(`&sort_field=${field}&sort_direction=-1`);
    expect(given).toHaveLength(121);
    // The order of the players decides between equals.
    expect(up).toEqual(given.toSorted(compare));
    expect(down).toEqual(up.toReversed());
  });

  it.each(['', '&sort_field=accumulated_cost&sort_direction=-1', '&sort_field=player_id'])(
    'go on by cursors, and say how many there are: %s',
    async (query) => {
      const whole = await all(query);
      const walked: Ticket[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { headers, json } = await get(`${raffle}/tickets?limit=50${query}${cursor}`);
        expect(headers.get('x-total-count')).toBe(cursor === '' ? String(whole.length) : null);
        walked.push(...json);
        const next: string | null = headers.get('x-next-cursor');
        cursor = next === null ? null : `&cursor=${next}`;
      }
      expect(walked).toEqual(whole);
    },
  );

  it('of one brand are counted alone, and another list’s cursor is none of this one', async () => {
    const { headers } = await get(`${raffle}/tickets?brand_id=vip`);
    expect([headers.get('x-total-count'), headers.get('x-next-cursor')]).toEqual(['1', null]);
    expect((await get(`${jackpot}/tickets`)).headers.get('x-total-count')).toBe('0');
    const cursor = (await get(`${raffle}/tickets?limit=1`)).headers.get('x-next-cursor');
    const odd = cursorOf({ field: 'joined', direction: 1 }, { value: '', tie: 'first' });
    for (const query of [`sort_field=ticket_count&cursor=${cursor}`, `cursor=${odd}`])
      expect((await get(`${raffle}/tickets?${query}`)).json.code).toBe('invalid_parameter');
  });

  it('show what was awarded a moment ago', async () => {
    const top = () => list('?sort_field=ticket_count&sort_direction=-1&limit=1');
    await play(raffle, 'newcomer', 1_000);
    expect(await top()).toMatchObject([{ ext_player_id: 'newcomer', ticket_count: 1_000 }]);
    await play(raffle, 'latecomer', 2_000);
    expect(await top()).toMatchObject([{ ext_player_id: 'latecomer', ticket_count: 2_000 }]);
  });

  it('are of the brands that the caller acts for, or of the one it names, before they are paged', async () => {
    const vip = await world.serviceToken('acme', ['acme:vip']);
    const own = await get(`${raffle}/tickets?limit=1`, vip);
    expect(own.json).toMatchObject([{ brand_id: 'acme:vip' }]);
    expect((await get(`${raffle}/tickets?limit=1&page=1`, vip)).json).toEqual([]);
    expect(await list('?brand_id=vip&sort_field=player_id')).toMatchObject([{ brand_id: 'acme:vip' }]);
    const other = await get(`${raffle}/tickets?brand_id=acme:main`, vip);
    expect([other.status, other.json.code]).toEqual([403, 'brand_forbidden']);
  });

  it('are none where there is no raffle, and nobody else’s', async () => {
    expect((await get(`${jackpot}/tickets`)).json).toEqual([]);
    const rival = await world.serviceToken('rival');
    const foreign = await get(`${raffle}/tickets`, rival);
    const missing = await get('none/tickets', rival);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    expect(missing.json.code).toBe('instance_not_found');
    expect((await get(`${raffle}/tickets?brand_id=rival:main`)).json.code).toBe('brand_not_found');
    expect((await world.call('GET', `/v1/raffles/${raffle}/tickets`, undefined, { token: '' })).status).toBe(
      401,
    );
  });

  it.each(['sort_field=name', 'sort_direction=0', 'limit=0', 'limit=501', 'page=-1', 'player_id=x'])(
    'with %s are refused',
    async (query) => {
      const answer = await get(`${raffle}/tickets?${query}`);
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_parameter']);
    },
  );
});

describe('raffle tickets of a player in an instance (O6)', () => {
  it('are one record of the brand, or none', async () => {
    const found = await get(`${raffle}/players/p000/tickets?brand_id=vip`);
    expect(found.json).toMatchObject([{ brand_id: 'acme:vip', ext_player_id: 'p000', ticket_count: 2 }]);
    expect((await get(`${raffle}/players/nobody/tickets?brand_id=vip`)).json).toEqual([]);
    expect((await get(`${jackpot}/players/p000/tickets?brand_id=vip`)).json).toEqual([]);
  });

  it('need a brand of the caller and an instance that it sees', async () => {
    expect((await get(`${raffle}/players/p000/tickets`)).json.code).toBe('invalid_parameter');
    expect((await get(`${raffle}/players/p000/tickets?brand_id=rival:main`)).json.code).toBe(
      'brand_not_found',
    );
    const rival = await world.serviceToken('rival');
    expect((await get(`${raffle}/players/p000/tickets?brand_id=main`, rival)).json.code).toBe(
      'instance_not_found',
    );
  });
});

describe('raffle tickets of a player in all active raffles (O7)', () => {
  it('are of every raffle that is Active now', async () => {
    const found = async () =>
      (await get('players/p000/tickets?brand_id=main')).json.map((ticket: Ticket) => ticket.instance_id);
    expect((await found()).sort()).toEqual([raffle, second].sort());
    await world.call('POST', `/config/instances/${second}/status`, { status: 'Paused', reason: 'wait' });
    expect(await found()).toEqual([raffle]);
  });

  it('are all of them: no page is cut', async () => {
    const lane = world.readModel.known(raffle)!.lane;
    const [record] = world.lanes[lane]!.playerTickets('acme:main', 'p000', 1);
    const many = Array.from({ length: 1_234 }, (_, i) => ({ ...record!, instance: `r${i}` }));
    const engine = world.lanes[lane]!;
    const real = engine.playerTickets.bind(engine);
    engine.playerTickets = (_brand, _player, limit, offset = 0) => many.slice(offset, offset + limit);
    const answer = await get('players/p000/tickets?brand_id=main');
    engine.playerTickets = real;
    expect(answer.json).toHaveLength(1_234);
    expect(new Set(answer.json.map((ticket: Ticket) => ticket.instance_id)).size).toBe(1_234);
  });
});
