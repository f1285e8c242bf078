import { beforeAll, describe, expect, test, vi } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Bulk opt-ins, contributions by hand and raffle tickets on a whole running system. */
let system: RunningSystem;
let operator: Caller;
let administrator: Caller;
let instance: string;
let raffle: string;

/** Somebody who has logged in. */
class Caller {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  static async login(path: string, credentials: object): Promise<Caller> {
    return new Caller(await loggedIn(`${system.baseUrl}${path}`, credentials));
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${system.baseUrl}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        authorization: `Bearer ${this.#token}`,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  contribute(to: string, body: object): Promise<{ status: number; body: unknown }> {
    return this.call('POST', `/v1/jackpot/instances/${to}/contributions`, body);
  }
}

const raffleTemplate = {
  owner_id: 'demo',
  id: 'tickets',
  name: 'Tickets',
  jackpot_type: 'Raffle',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Fixed: 0.5 }, opt_in_required: false },
  raffle_rules: {
    cost_per_ticket: '1',
    cost_source: 'BaseWager',
    allocation_mode: 'Instant',
    duration: { Days: 1 },
    prize_distribution: [{ prize_percentage: '0.5', number_of_winners: 1 }],
  },
  pots: [{ id: 'main', contribution: { Percentage: 1 } }],
};

beforeAll(async () => {
  system = await oneSystem();
  operator = await Caller.login('/v1/auth/service', system.credentials.service);
  administrator = await Caller.login('/auth/admin', system.credentials.admin);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
  const template = await administrator.call('POST', '/config/templates', raffleTemplate);
  expect(template.status, JSON.stringify(template.body)).toBe(201);
  const made = await administrator.call('POST', '/config/instances', {
    template_owner_id: 'demo',
    template_id: 'tickets',
    owner_id: 'demo',
    name: 'Tickets',
  });
  raffle = (made.body as { id: string }).id;
  // It may become Active once its owner has committed to its first draws.
  await vi.waitFor(
    async () => {
      const active = { status: 'Active', reason: 'go' };
      const answer = await administrator.call('POST', `/config/instances/${raffle}/status`, active);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    { timeout: 60_000, interval: 200 },
  );
});

const contribution = (player: string, wager: number) => ({
  token: 'session',
  brand_id: 'demo:direct',
  player_id: player,
  player_country: 'DE',
  base_wager: wager,
  currency: 'EUR',
});

const upload = (text: string) =>
  administrator.call('POST', '/config/opt-ins/bulk', text, { 'content-type': 'text/csv' });

describe('a bulk opt-in of 50,000 rows', () => {
  const header = 'instance_id,brand_id,player_id,currency,opt_in';
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i},EUR,true`);

  /** Sends again what a busy lane had no time for, as a client would. */
  async function uploadAll(): Promise<void> {
    for (let left: readonly string[] = rows; left.length > 0; ) {
      const lines = left.map((row) => `${instance},demo:direct,bulk-${row}`);
      const answer = await upload([header, ...lines].join('\n'));
      expect(answer.status).toBe(200);
      const { errors } = answer.body as { errors: Readonly<Record<string, string>> };
      expect([...new Set(Object.values(errors))].filter((code) => code !== 'overloaded')).toEqual([]);
      left = Object.keys(errors).map((row) => left[Number(row) - 1] as string);
    }
  }

  test('is done, while contributions of the same lane are answered', async () => {
    const answered: number[] = [];
    let over = false;
    const contributing = (async () => {
      while (!over) answered.push((await operator.contribute(instance, contribution('beside', 1))).status);
    })();
    await uploadAll();
    over = true;
    await contributing;
    expect(answered.length).toBeGreaterThan(20);
    expect(new Set(answered)).toEqual(new Set([200]));
    for (const player of ['bulk-0', 'bulk-49999']) {
      const records = await administrator.call(
        'GET',
        `/config/players/${player}/opt-ins?brand_id=demo:direct`,
      );
      expect(records.body).toMatchObject([{ instance_id: instance, opted_in: true }]);
    }
    // The same upload again changes nothing and is answered alike.
    expect((await upload(`${header}\n${instance},demo:direct,bulk-0,EUR,true`)).body).toEqual({ errors: {} });
  });
});

describe('contributions by hand', () => {
  test('are applied, and repeated with the key', async () => {
    const path = '/config/providers/studio/contributions';
    const body = { ...contribution('by-hand', 5), instance_id: instance, game_code: 'dragons' };
    const first = await administrator.call('POST', path, body, { 'idempotency-key': 'e2e-by-hand' });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).not.toHaveProperty('bonus_amount_used');
    const again = await administrator.call('POST', path, body, { 'idempotency-key': 'e2e-by-hand' });
    expect(again.status).toBe(204);
  });
});

describe('raffle tickets', () => {
  test('are listed in any order, and found by player', async () => {
    for (const [player, wager] of [
      ['few', 2],
      ['many', 40],
      ['some', 7],
    ] as const)
      expect((await operator.contribute(raffle, contribution(player, wager))).status).toBe(200);
    const names = async (path: string) =>
      ((await operator.call('GET', path)).body as { ext_player_id: string }[]).map(
        (each) => each.ext_player_id,
      );
    expect(await names(`/v1/raffles/${raffle}/tickets`)).toEqual(['few', 'many', 'some']);
    expect(await names(`/v1/raffles/${raffle}/tickets?sort_field=ticket_count&sort_direction=-1`)).toEqual([
      'many',
      'some',
      'few',
    ]);
    expect(await names(`/v1/raffles/${raffle}/players/some/tickets?brand_id=direct`)).toEqual(['some']);
    expect(await names('/v1/raffles/players/many/tickets?brand_id=direct')).toEqual(['many']);
  });
});
