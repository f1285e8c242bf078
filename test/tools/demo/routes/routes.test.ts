import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { GatewayContext, Operation } from '../../../../src/gateway/api/operation/operation.ts';
import type { Reply } from '../../../../src/gateway/base/reply.ts';
import type { CommandOutcome } from '../../../../src/messages/outcomes.ts';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import { contributeForPage } from '../../../../tools/demo/routes/contribute.ts';
import { demoOperations } from '../../../../tools/demo/routes/index.ts';
import { readDemoSession } from '../../../../tools/demo/routes/read-session.ts';

const tokenOf = (player: string): string => `session of ${player}`;
const wanted = {
  target: { type: 'source', id: 'slot-1' },
  brand_id: 'demo:main',
  player_id: 'bruno',
  base_wager: '10.00',
  currency: 'EUR',
  idempotency_key: 'page-1',
};

describe('a contribution from the page', () => {
  it('reaches the lane as a contribution of the demo operator', async () => {
    const { context, sent } = fakeContext();
    const reply = await call(contributeForPage(tokenOf), wanted, context);
    expect(reply.status).toBe(200);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      kind: 'Contribute',
      operator: 'demo',
      brand: 'demo:main',
      player: 'bruno',
      country: 'DE',
      baseWagerAtoms: 1_000_000_000n,
      target: { type: 'source', id: 'slot-1' },
    });
  });

  it.each([
    ['a player who is not of the demo', { ...wanted, player_id: 'mallory' }, 'invalid_request'],
    ['a player of another brand', { ...wanted, brand_id: 'demo:vip' }, 'invalid_request'],
    [
      'an instance id that cannot be one',
      { ...wanted, target: { type: 'instance', id: '../x' } },
      'invalid_identifier',
    ],
  ])('of %s is refused and sends nothing', async (_name, body, code) => {
    const { context, sent } = fakeContext();
    await expect(call(contributeForPage(tokenOf), body, context)).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
  });
});

describe("the demo's routes", () => {
  const administrator = () => ({ username: 'admin', password: 'a password of the file' });
  const mounted = (isPublic: boolean, of: typeof administrator | null = administrator) =>
    demoOperations(tokenOf, async () => null, of, isPublic);
  const logsIn = (operations: readonly Operation[]) => operations.some(({ id }) => id === 'demo.console');

  it.each(['evil.example:8080', 'localhost.evil.example', undefined])(
    'do not answer a page of another site that found its way here (%s)',
    async (host) => {
      const { context, sent } = fakeContext();
      for (const operation of mounted(false))
        await expect(call(operation, wanted, context, { host })).rejects.toMatchObject({ code: 'forbidden' });
      expect(sent).toEqual([]);
    },
  );

  it.each([
    ['a page of this machine', false, '127.0.0.1:8080'],
    ['every page, if the demo is public', true, 'demo.example'],
  ])('answer %s', async (_, isPublic, host) => {
    const [session] = mounted(isPublic);
    const { body } = await call(session as Operation, undefined, fakeContext().context, { host });
    expect(body).toMatchObject({ operator_id: 'demo' });
  });

  it('let the console in, but neither in a public demo nor where there is no console', () => {
    expect([mounted(false), mounted(true), mounted(false, null)].map(logsIn)).toEqual([true, false, false]);
  });
});

describe('the session of the page', () => {
  it("shows the demo operator alone, with its players' sessions", async () => {
    const { context } = fakeContext();
    const { body } = await call(readDemoSession(tokenOf), undefined, context);
    expect(body).toMatchObject({
      sources: [{ source_id: 'slot-1' }],
      jackpots: [
        {
          instance_id: 'a',
          name: 'Aurora',
          currency: 'EUR',
          opt_in_required: false,
          sources: ['slot-1'],
          pots: [{ id: 'mini', must_hit_by: '60', window: null, last_win: 5, awarded_by_operator: false }],
        },
      ],
      winners: [
        {
          instance_id: 'a',
          win_pot_id: 'mini',
          win_amount: 250_000_000n,
          player_id: 'br***',
          shown: expect.arrayContaining([
            { player_id: 'astrid', amount: 2_800_000_000n, currency: 'SEK' },
            { player_id: 'bruno', amount: 250_000_000n, currency: 'EUR' },
            // Without a rate.
            { player_id: 'goro', amount: 250_000_000n, currency: 'EUR' },
          ]),
        },
      ],
    });
    expect((body as { jackpots: unknown[] }).jackpots).toHaveLength(1);
    const { players } = body as { players: { player_id: string; token: string | null }[] };
    expect(players.find(({ player_id }) => player_id === 'bruno')?.token).toBe('session of bruno');
    expect(inspect(body, { depth: 9 })).not.toContain('password');
  });

  it('is not there before the demo is seeded', async () => {
    const { context } = fakeContext({ seeded: false });
    await expect(call(readDemoSession(tokenOf), undefined, context)).rejects.toMatchObject({ status: 503 });
  });
});

function call(
  operation: Operation,
  body: unknown,
  context: GatewayContext,
  headers: { readonly host?: string | undefined } = {},
): Promise<Reply> {
  const parsed = operation.input.body === undefined ? undefined : operation.input.body.parse(body);
  const request = {
    principal: { kind: 'anonymous' },
    params: {},
    query: {},
    body: parsed,
    headers,
    address: '',
  };
  return operation.handle(request as never, context);
}

function fakeContext({ seeded = true } = {}): { context: GatewayContext; sent: Contribute[] } {
  const sent: Contribute[] = [];
  const outcome: CommandOutcome = {
    kind: 'Contributed',
    results: [
      {
        instance: 'a',
        sequence: 1,
        contributionAtoms: 50_000_000n,
        requestAtoms: 50_000_000n,
        bonusAtoms: 0n,
        win: null,
        tickets: 0,
      },
    ],
  };
  const account = seeded ? { username: 'demo-service', password_hash: 'password hash' } : undefined;
  const instance = { group: 'demo', owner: 'demo', status: 'Active', allowedBrands: null };
  const context = {
    directory: {
      rates: () => ({
        base_currency: 'EUR',
        multipliers: { EUR: '1', SEK: '11.2' },
        exponents: {},
        version: 1,
      }),
      conditions: { fault: () => null },
      operator: () => ({ enabled: true }),
      brand: () => ({ enabled: true, wallet: false }),
      instance: () => instance,
      groupOfSource: () => 'demo',
      known: () => undefined,
    },
    lanes: {
      laneOf: () => 0,
      async send(_lane: number, command: Contribute) {
        sent.push(command);
        return { outcome, lane: 0, sequence: 1, index: 0, timestampMs: 1 };
      },
      query: async (_lane: number, { kind }: { kind: string }) =>
        kind === 'state' ? laneState() : laneWinners(),
    },
    access: {
      accounts: { find: () => account },
    },
    optIns: { forget: () => {} },
    clock: { nowMs: () => 1 },
    random: { bytes: (count: number) => new Uint8Array(count) },
  };
  return { context: context as unknown as GatewayContext, sent };
}

function laneState() {
  const described = (instance: string, name: string, owner: string) => ({
    description: {
      instance,
      name,
      owner,
      description: '',
      createdMs: 1,
      configuration: {
        currency: 'EUR',
        jackpot_type: 'Jackpot',
        contribution_rules: { opt_in_required: false },
        pots: [{ id: 'mini', pot_types: [{ Threshold: { min_value: '42', max_value: '60' } }] }],
      },
    },
  });
  return {
    kind: 'state',
    sequence: 1,
    total: 2,
    next: 2,
    instances: [described('b', 'Foreign', 'other'), described('a', 'Aurora', 'demo')],
    bindings: [
      { of: 'source', owner: 'demo', id: 'slot-1', bindings: [{ instance: 'a', priority: 0 }] },
      { of: 'source', owner: 'demo', id: 'slot-2', bindings: [] },
      { of: 'source', owner: 'other', id: 'slot-1', bindings: [{ instance: 'b', priority: 0 }] },
    ],
  };
}

function laneWinners() {
  const winner = {
    pot: 'mini',
    amountAtoms: 250_000_000n,
    currency: 'EUR',
    brand: 'demo:main',
    player: 'bruno',
  };
  return { kind: 'winners', winners: [{ ...winner, timestampMs: 5, sequence: 3 }] };
}
