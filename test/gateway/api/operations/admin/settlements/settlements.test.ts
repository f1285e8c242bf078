import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeMessage } from '../../../../../../src/audit/chain.ts';
import { atoms } from '../../../../../jackpot/support/commands.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';
import {
  answer,
  awardInstance,
  openDebit,
  passDeadlines,
  setWallet,
  win,
} from '../../../../support/settlements.ts';

let world: World;
let instance: string;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await awardInstance(world);
  setWallet(world, instance, 'acme:main', {
    verificationLimitAtoms: atoms('500'),
    verificationCurrency: 'EUR',
  });
});
afterEach(() => world.stop());

type Options = Parameters<World['call']>[3];
const path = '/config/settlements';
const list = (query = '', options: Options = {}) => world.call('GET', `${path}${query}`, undefined, options);
const ids = async (query = '', options: Options = {}) =>
  (await list(query, options)).json.map(({ id }: { readonly id: string }) => id);
const decide = (id: string, verb: string, body: unknown = { reason: 'why' }, options: Options = {}) =>
  world.call('POST', `${path}/${id}/${verb}`, body, options);
const unknownId = '00000000-0000-5000-8000-000000000000';

describe('the list of settlements', () => {
  it('has each with its state, age and last error', async () => {
    const id = await win(world, instance);
    answer(world, instance, id, 'refused');
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id,
        kind: 'main',
        state: 'dead',
        instance_id: instance,
        pot_id: 'gold',
        brand_id: 'acme:main',
        player_id: 'p1',
        amount: 100,
        currency: 'EUR',
        paid_amount: 100,
        paid_currency: 'EUR',
        batch_id: null,
        gameround_id: id,
        opened_timestamp: expect.any(Number),
        changed_timestamp: expect.any(Number),
        age_ms: expect.any(Number),
        reason: 'refused',
      },
    ]);
  });

  it('filters by state, kind, brand, instance and owner', async () => {
    const other = await awardInstance(world, { owner_id: 'rival' });
    setWallet(world, other, 'rival:main');
    const pending = await win(world, instance);
    const withheld = await win(world, instance, { amount: '501', player: 'p2' });
    const dead = await win(world, instance, { player: 'p3', pot: 'silver' });
    answer(world, instance, dead, 'refused');
    const theirs = await win(world, other, { brand: 'rival:main' });
    const late = openDebit(world, instance);
    passDeadlines(world);
    const young = openDebit(world, instance, { key: 2 });
    expect(new Set(await ids('?state=pending'))).toEqual(new Set([pending, theirs, young]));
    expect(await ids('?state=withheld')).toEqual([withheld]);
    expect(await ids('?state=unknown')).toEqual([late]);
    expect(await ids('?state=dead')).toEqual([dead]);
    expect(await ids('?kind=debit&state=unknown')).toEqual([late]);
    expect(await ids('?kind=main&state=dead')).toEqual([dead]);
    expect(await ids('?brand_id=rival:main')).toEqual([theirs]);
    expect(await ids(`?instance_id=${other}`)).toEqual([theirs]);
    expect(await ids('?owner_id=rival')).toEqual([theirs]);
    expect((await ids('?owner_id=acme')).length).toBe(5);
    expect((await list(`?kind=debit&state=unknown`)).json).toMatchObject([
      {
        state: 'unknown',
        kind: 'debit',
        pot_id: null,
        amount: 0.1,
        reason: expect.stringContaining('cancel'),
      },
    ]);
  });

  it('sorts by age and by amount, in pages over all lanes', async () => {
    const others = await Promise.all(
      ['a', 'b', 'c'].map(async (operator) => {
        await world.call('POST', '/config/operators', [{ id: operator, name: operator }]);
        await world.call('POST', `/config/operators/${operator}/brands`, [{ id: 'main', name: 'Main' }]);
        const source = {
          owner_id: `${operator}:main`,
          source_id: 'slot-1',
          source_name: 'Slot',
          jackpots: [],
        };
        await world.call('POST', '/config/sources', [source]);
        const made = await awardInstance(world, { owner_id: operator });
        setWallet(world, made, `${operator}:main`);
        return { made, brand: `${operator}:main` };
      }),
    );
    const won: { id: string; amount: number }[] = [];
    for (const [index, amount] of [7, 900, 3, 40, 12, 300, 77, 1].entries()) {
      const { made, brand } = others[index % 3]!;
      won.push({ id: await win(world, made, { brand, amount: String(amount) }), amount });
    }
    const byAmount = [...won].sort((a, b) => a.amount - b.amount).map(({ id }) => id);
    expect(await ids('?sort_field=amount')).toEqual(byAmount);
    expect(await ids('?sort_field=amount&sort_direction=-1&limit=3')).toEqual(
      byAmount.toReversed().slice(0, 3),
    );
    const pages = [0, 1, 2].map((page) => ids(`?sort_field=amount&limit=3&page=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual(byAmount);
    for (const order of [
      'sort_field=amount',
      'sort_field=amount&sort_direction=-1',
      '',
      'sort_direction=-1',
    ]) {
      const walked: string[] = [];
      const totals: unknown[] = [];
      let next: string | null = '';
      while (next !== null) {
        const { json, headers } = await list(`?limit=3&${order}${next === '' ? '' : `&cursor=${next}`}`);
        walked.push(...json.map(({ id }: { readonly id: string }) => id));
        totals.push(headers.get('x-total-count'));
        next = headers.get('x-next-cursor');
      }
      expect([walked, totals]).toEqual([await ids(`?${order}`), ['8', null, null]]);
    }
    const opened = (await list()).json.map(
      (each: { readonly opened_timestamp: number }) => each.opened_timestamp,
    );
    expect(opened).toEqual([...opened].sort((a, b) => a - b));
    expect(new Set(await ids())).toEqual(new Set(byAmount));
    expect(await ids('?sort_direction=-1&limit=8')).toHaveLength(8);
  });

  it('shows the players of the caller and no others', async () => {
    const network = await awardInstance(world, { owner_id: 'rival' });
    for (const brand of ['acme:main', 'rival:main']) setWallet(world, network, brand);
    await world.call('PUT', `/config/instances/${network}/brands/acme:main`, {});
    const ours = await win(world, network);
    const theirs = await win(world, network, { brand: 'rival:main' });
    const token = await world.token(['viewer'], ['acme']);
    expect(await ids('', { token })).toEqual([ours]);
    expect((await list('?owner_id=rival', { token })).json.code).toBe('operator_not_found');
    expect((await list(`?instance_id=${network}`, { token })).json.code).toBe('instance_not_found');
    const host = await world.token(['viewer'], ['rival']);
    expect(await ids('', { token: host })).toEqual([theirs]);
  });

  it.each([
    ['?state=settled', 400, 'invalid_parameter'],
    ['?sort_field=player_id', 400, 'invalid_parameter'],
    ['?page=999999999&limit=500', 400, 'invalid_parameter'],
    ['?brand_id=main', 404, 'brand_not_found'],
    ['?owner_id=nobody', 404, 'operator_not_found'],
    ['?instance_id=none', 404, 'instance_not_found'],
    ['?other=1', 400, 'invalid_parameter'],
  ])('%s is %i %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, json: { code } });
  });
});

describe('a decision about a settlement', () => {
  it('releases a withheld win: with a wallet it is paid, without one it is booked', async () => {
    const id = await win(world, instance, { amount: '501' });
    expect(await decide(id, 'release')).toMatchObject({ status: 200, json: { id, state: 'pending' } });
    expect((await list()).json).toMatchObject([{ state: 'pending', reason: 'why' }]);
    setWallet(world, instance, 'acme:main', {
      wallet: false,
      verificationLimitAtoms: atoms('500'),
      verificationCurrency: 'EUR',
    });
    const other = await win(world, instance, { amount: '502' });
    expect(await decide(other, 'release')).toMatchObject({ status: 200, json: { state: 'settled' } });
    expect(await ids()).toEqual([id]);
  });

  it('retries and resolves what the wallet refused or left unknown', async () => {
    const id = await win(world, instance);
    answer(world, instance, id, 'refused');
    expect(await decide(id, 'retry')).toMatchObject({ status: 200, json: { state: 'pending' } });
    answer(world, instance, id, 'unknown');
    expect(await decide(id, 'resolve')).toMatchObject({ status: 200, json: { state: 'settled' } });
    expect(await ids()).toEqual([]);
  });

  it('resolves a debit behind its deadline: the contribution is refused', async () => {
    const id = openDebit(world, instance);
    passDeadlines(world);
    expect(await decide(id, 'retry')).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect(await decide(id, 'resolve')).toMatchObject({ status: 200, json: { state: 'cancelled' } });
    expect(await ids()).toEqual([]);
    const command = world.commands.findLast(({ kind }) => kind === 'CancelDebit');
    expect(command).toMatchObject({ transactionId: id, reason: 'why' });
  });

  it('does not resolve a debit that the wallet is still asked for', async () => {
    const id = openDebit(world, instance);
    expect(await decide(id, 'resolve')).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
    expect(await ids()).toEqual([id]);
  });

  it('is made once for an idempotency key, also when it has settled the payment', async () => {
    const id = await win(world, instance);
    answer(world, instance, id, 'refused');
    const headers = { 'Idempotency-Key': 'once' };
    expect((await decide(id, 'resolve', undefined, { headers })).status).toBe(200);
    expect((await decide(id, 'resolve', undefined, { headers })).status).toBe(204);
    const other = await decide(id, 'resolve', { reason: 'another' }, { headers });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
    expect((await decide(id, 'resolve')).json.code).toBe('route_not_found');
    expect(world.commands.filter(({ kind }) => kind === 'ResolveCredit')).toHaveLength(1);
    const debit = openDebit(world, instance);
    passDeadlines(world);
    expect((await decide(debit, 'resolve', undefined, { headers })).status).toBe(200);
    expect((await decide(debit, 'resolve', undefined, { headers })).status).toBe(204);
  });

  it.each([
    ['release', {}, 400, 'invalid_request'],
    ['release', { reason: null }, 400, 'invalid_request'],
    ['release', { reason: ' ' }, 422, 'reason_required'],
    ['release', { reason: 'why', amount: 1 }, 400, 'invalid_request'],
    ['release', { reason: 'why' }, 422, 'invalid_transition'],
    ['resolve', { reason: 'why' }, 422, 'invalid_transition'],
    ['retry', { reason: 'why' }, 422, 'invalid_transition'],
  ])('%s of a pending one with %j is %i %s', async (verb, body, status, code) => {
    const id = await win(world, instance);
    expect(await decide(id, verb, body)).toMatchObject({ status, json: { code } });
    expect((await list()).json).toMatchObject([{ state: 'pending', reason: null }]);
  });

  it('about an unknown or a foreign one is 404, before its reason is looked at', async () => {
    const id = await win(world, instance);
    answer(world, instance, id, 'refused');
    const token = await world.token(['finance'], ['rival']);
    for (const body of [{ reason: 'why' }, { reason: ' ' }]) {
      const missing = await decide(unknownId, 'retry', body);
      const foreign = await decide(id, 'retry', body, { token });
      expect([missing.status, missing.json.code]).toEqual([404, 'route_not_found']);
      expect([foreign.status, foreign.json]).toEqual([missing.status, missing.json]);
    }
    expect((await decide('not-an-id', 'retry')).json.code).toBe('invalid_identifier');
  });

  it('takes role finance of the brand and of the owner of the jackpot', async () => {
    const network = await awardInstance(world, { owner_id: 'rival' });
    setWallet(world, network, 'acme:main');
    await world.call('PUT', `/config/instances/${network}/brands/acme:main`, {});
    const id = await win(world, network);
    answer(world, network, id, 'refused');
    const as = async (roles: Parameters<World['token']>[0], owners: readonly string[]) => {
      const token = await world.token(roles, owners);
      const { status, json } = await decide(id, 'retry', undefined, { token });
      return [status, json.code];
    };
    expect(await as(['viewer'], ['*'])).toEqual([403, 'forbidden']);
    expect(await as(['finance'], ['acme'])).toEqual([403, 'forbidden']);
    expect(await as(['finance'], ['rival'])).toEqual([404, 'route_not_found']);
    expect(await as(['finance'], ['acme:main', 'rival'])).toEqual([200, undefined]);
  });

  it('is in the audit trail, with the owners of the payment', async () => {
    const id = await win(world, instance, { amount: '501' });
    await decide(id, 'release', { reason: 'looked at the player' });
    const entries = world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    const intent = entries.findLast(
      (each) => 'operation' in each && each.operation === 'settlements.release',
    );
    expect(intent).toMatchObject({ owners: ['acme:main'], reason: 'looked at the player' });
    expect(entries.at(-1)).toMatchObject({
      outcome: 'applied',
      changes: [{ object: 'command ReleaseCredit', after: { transactionId: id } }],
    });
  });
});

describe('a decision under the four-eyes rule', () => {
  const enable = async () => {
    const rule = { four_eyes: { enabled: true, limit: '600' } };
    expect((await world.call('PATCH', '/config/operators/acme', rule)).status).toBe(204);
  };

  it('waits for a second administrator above the limit of the jackpot, and is made once', async () => {
    const small = await win(world, instance, { amount: '600' });
    const id = await win(world, instance, { amount: '600.01', pot: 'silver' });
    await enable();
    expect((await decide(small, 'release')).status).toBe(200);
    const proposed = await decide(id, 'resolve');
    expect(proposed).toMatchObject({
      status: 202,
      json: { operation: 'settlements.resolve', state: 'open' },
    });
    expect(await ids('?state=withheld')).toEqual([id]);
    const token = await world.token();
    const approve = `/config/approvals/${proposed.json.id}/approve`;
    const approved = await world.call('POST', approve, { reason: 'why' }, { token });
    expect(approved).toMatchObject({ status: 200, json: { state: 'executed' } });
    expect(approved.json.result.body).toMatchObject({ id, state: 'settled' });
    expect(world.commands.filter(({ kind }) => kind === 'ResolveCredit')).toHaveLength(1);
  });

  it('refuses at once what a second one cannot change', async () => {
    const id = await win(world, instance, { amount: '700' });
    const pending = await win(world, instance, { amount: '10' });
    await enable();
    expect((await decide(id, 'release', { reason: ' ' })).json.code).toBe('reason_required');
    expect((await decide(id, 'retry')).json.code).toBe('invalid_transition');
    expect((await decide(pending, 'resolve')).json.code).toBe('invalid_transition');
    expect((await decide(unknownId, 'release')).json.code).toBe('route_not_found');
    expect((await world.call('GET', '/config/approvals')).json).toEqual([]);
  });

  it('is of the brand’s operator too, on a jackpot of another one', async () => {
    const network = await awardInstance(world, { owner_id: 'rival' });
    setWallet(world, network, 'acme:main');
    await world.call('PUT', `/config/instances/${network}/brands/acme:main`, {});
    const id = await win(world, network, { amount: '601' });
    answer(world, network, id, 'refused');
    await enable();
    expect(await decide(id, 'retry')).toMatchObject({ status: 202, json: { owner_id: 'acme:main' } });
  });

  it('takes a debit in another currency for one above every limit', async () => {
    const [euros, dollars] = [
      openDebit(world, instance),
      openDebit(world, instance, { key: 2, currency: 'USD' }),
    ];
    await enable();
    passDeadlines(world);
    expect((await decide(euros, 'resolve')).status).toBe(200);
    expect((await decide(dollars, 'resolve')).status).toBe(202);
  });
});
