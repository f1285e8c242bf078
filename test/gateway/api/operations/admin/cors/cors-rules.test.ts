import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const path = '/v1/cors/origins';
const rule = (pattern: string, match_mode = 'exact') => ({ pattern, match_mode });
const put = (...rules: object[]) => world.call('PUT', path, { cors_origin_list: rules });
const remove = (...patterns: string[]) => world.call('DELETE', path, { cors_origin_list: patterns });

describe('O23', () => {
  test('adds rules of the three modes and answers with all there are', async () => {
    const first = await put(rule('https://shop.example'));
    expect([first.status, first.json]).toEqual([200, { cors_origin_list: [rule('https://shop.example')] }]);
    const added = [rule('https://a.example', 'subdomain'), rule('https://([a-z]+\\.)+b\\.example', 'regex')];
    const second = await put(...added);
    expect(second.json).toEqual({ cors_origin_list: [rule('https://shop.example'), ...added] });
    expect(world.readModel.entries.corsRules).toEqual(second.json.cors_origin_list);
    expect((await put()).json).toEqual(second.json);
  });

  test('changes the mode of a pattern that is there, and stores it in canonical form', async () => {
    await put(rule('https://Shop.Example:443'), rule('https://b.example'));
    const changed = await put(rule('https://SHOP.example', 'subdomain'));
    expect(changed.json.cors_origin_list).toEqual([
      rule('https://shop.example', 'subdomain'),
      rule('https://b.example'),
    ]);
    const last = await put(rule('https://b.example', 'subdomain'), rule('https://b.example'));
    expect(last.json.cors_origin_list[1]).toEqual(rule('https://b.example'));
  });

  test.each([
    [rule('https://a.example', 'prefix'), 422, 'cors_mode_unknown'],
    [rule('https://a.example', 'EXACT'), 422, 'cors_mode_unknown'],
    [rule('(', 'prefix'), 422, 'cors_mode_unknown'],
    [rule('https://a.example/'), 422, 'cors_pattern_invalid'],
    [rule(''), 422, 'cors_pattern_invalid'],
    [rule('*'), 422, 'cors_pattern_invalid'],
    [rule('https://com', 'subdomain'), 422, 'cors_pattern_invalid'],
    [rule('(', 'regex'), 422, 'cors_pattern_invalid'],
    [rule('(?<=a)b', 'regex'), 422, 'cors_pattern_invalid'],
    [rule('(.{1,999})'.repeat(25), 'regex'), 422, 'cors_pattern_invalid'],
    [{ pattern: 'https://a.example' }, 400, 'invalid_request'],
    [{ match_mode: 'exact' }, 400, 'invalid_request'],
    [{ pattern: 5, match_mode: 'exact' }, 400, 'invalid_request'],
    [{ pattern: null, match_mode: 'exact' }, 400, 'invalid_request'],
    [{ ...rule('https://a.example'), note: 'x' }, 400, 'invalid_request'],
    ['https://a.example', 400, 'invalid_request'],
  ])('of %j is %i %s, and none of the list is stored', async (wrong, status, code) => {
    const answer = await put(rule('https://good.example'), wrong as object);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect(world.readModel.entries.corsRules).toEqual([]);
  });

  test('takes 200 rules and no more', async () => {
    const some = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => rule(`https://s${from + index}.example`));
    expect((await put(...some(0, 201))).json.code).toBe('cors_limit');
    expect((await put(...some(0, 200))).json.cors_origin_list).toHaveLength(200);
    expect((await put(...some(200, 1))).json.code).toBe('cors_limit');
    expect((await put(...some(199, 1))).status).toBe(200);
    expect((await put(...some(0, 1001))).json.code).toBe('payload_too_large');
    expect((await remove('https://s0.example')).json.removed).toBe(1);
    expect((await put(...some(200, 1))).json.cors_origin_list).toHaveLength(200);
  });

  test('takes as many regular expressions as one match may cost', async () => {
    const large = Array.from({ length: 60 }, (_, index) => rule(`https://[a-z]{300}x${index}`, 'regex'));
    expect((await put(...large)).json.code).toBe('cors_limit');
    expect((await put(...large.slice(0, 20))).status).toBe(200);
    expect((await put(...large.slice(20, 40))).json.code).toBe('cors_limit');
  });

  test('of several administrators at once loses nothing', async () => {
    const all = Array.from({ length: 8 }, (_, index) => rule(`https://s${index}.example`));
    const answers = await Promise.all(all.map((one) => put(one)));
    const stored = world.readModel.entries.corsRules.map(({ pattern }) => pattern).sort();
    const accepted = all.filter((_, index) => answers[index]!.status === 200);
    expect(stored).toEqual(accepted.map(({ pattern }) => pattern));
    expect(answers.every(({ status, json }) => status === 200 || json.code === 'overloaded')).toBe(true);
  });
});

describe('O24', () => {
  test('removes by pattern, in any spelling, and answers with the rest', async () => {
    await put(
      rule('https://a.example'),
      rule('https://*.b.example', 'subdomain'),
      rule('https://c\\.example', 'regex'),
    );
    const first = await remove('https://A.example:443', 'https://nobody.example', 'not a pattern');
    expect([first.status, first.json.removed]).toEqual([200, 1]);
    expect(first.json.cors_origin_list.map((each: { pattern: string }) => each.pattern)).toEqual([
      'https://*.b.example',
      'https://c\\.example',
    ]);
    const rest = await remove('https://*.B.example', 'https://c\\.example', 'https://c\\.example');
    expect(rest.json).toEqual({ removed: 2, cors_origin_list: [] });
    expect((await remove('https://a.example')).json).toEqual({ removed: 0, cors_origin_list: [] });
    expect(world.readModel.entries.corsRules).toEqual([]);
  });

  test('does not compile what it is given', async () => {
    const costly = Array.from({ length: 1000 }, (_, index) => `${index}${'(.{1,999})'.repeat(25)}`);
    expect((await remove(...costly)).json).toEqual({ removed: 0, cors_origin_list: [] });
  });
});

describe('rules of an operator', () => {
  const password = 'a long and good one';
  const mine = rule('https://acme.example');
  const entriesOf = (operator: string) =>
    world.readModel.entries.corsRulesInForce.operators.get(operator) ?? [];
  beforeEach(async () => {
    await furnish(world);
  });

  async function service(
    operator: string,
    rights?: readonly string[],
    brands?: readonly string[],
  ): Promise<string> {
    const username = `user-${operator}-${rights ?? ''}-${brands ?? ''}`.replace(/[^a-z-]/g, '');
    const user = { username, password, operator_id: operator, rights, brands };
    const made = await world.call('POST', '/config/service-users', user);
    expect([made.status, made.json.rights]).toEqual([201, rights ?? []]);
    const login = await world.call('POST', '/v1/auth/service', { username, password }, { token: '' });
    return login.json.token;
  }
  const as = (token: string, method: string, body?: object, query = '') =>
    world.call(method, `${path}${query}`, body, { token });
  const listed = { cors_origin_list: [mine] };

  test('are managed by its administrators and its service users with the right', async () => {
    const all = rule('https://all.example');
    await put(all);
    for (const token of [
      await world.token(['security'], ['acme']),
      await world.token(['security'], ['acme', 'acme:main', 'rival:main']),
      await service('acme', ['cors']),
      await service('acme', ['cors'], ['main']),
    ]) {
      expect((await as(token, 'PUT', listed)).json).toEqual(listed);
      expect(entriesOf('acme')).toEqual([mine]);
      expect((await as(token, 'GET')).json).toEqual(listed);
      expect((await as(token, 'GET', undefined, '?operator_id=acme')).json).toEqual(listed);
      const gone = await as(token, 'DELETE', { operator_id: 'acme', cors_origin_list: [mine.pattern] });
      expect(gone.json).toEqual({ removed: 1, cors_origin_list: [] });
    }
    expect((await world.call('GET', path)).json).toEqual({ cors_origin_list: [all] });
    const system = await world.call('PUT', path, { operator_id: 'rival', ...listed });
    expect([system.status, entriesOf('rival')]).toEqual([200, [mine]]);
    expect((await world.call('GET', `${path}?operator_id=rival`)).json).toEqual(listed);
  });

  test('have entries in the audit trail, by whomever they are changed; a service without the right writes none', async () => {
    const [allowed, other] = [await service('acme', ['cors']), await service('acme')];
    const before = world.audit.messages.length;
    await as(other, 'PUT', listed);
    expect(world.audit.messages).toHaveLength(before);
    await as(allowed, 'PUT', listed);
    const texts = world.audit.messages.slice(before).map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
    const entries = texts.flatMap((text) => JSON.parse(text).entries);
    expect(entries).toMatchObject([
      {
        kind: 'intent',
        operation: 'O23',
        user: 'user-acme-cors-',
        owners: ['acme'],
        input: { body: listed },
      },
      { kind: 'outcome', outcome: 'applied', changes: [{ before: null, after: { rules: [mine] } }] },
    ]);
  });

  test('are nobody else’s', async () => {
    const some = await world.token(['security'], ['acme', 'rival']);
    const refusals: [string, object, number, string][] = [
      ['', {}, 401, 'unauthenticated'],
      [await service('acme'), {}, 403, 'forbidden'],
      [await service('acme', ['cors']), { operator_id: 'rival' }, 404, 'operator_not_found'],
      [await service('acme', [], ['main']), { operator_id: 'rival' }, 403, 'forbidden'],
      [await world.token(['security'], ['acme']), { operator_id: 'rival' }, 404, 'operator_not_found'],
      [await world.token(['security'], ['acme']), { operator_id: 'nobody' }, 404, 'operator_not_found'],
      [await world.token(['security'], ['acme:main']), {}, 403, 'forbidden'],
      [await world.token(['security'], ['acme:main']), { operator_id: 'acme' }, 404, 'operator_not_found'],
      [some, {}, 403, 'forbidden'],
      [await world.token(['viewer', 'support', 'config', 'finance', 'auditor'], ['*']), {}, 403, 'forbidden'],
    ];
    for (const [token, named, status, code] of refusals) {
      const query = `?${new URLSearchParams(named as Record<string, string>)}`;
      for (const answer of [
        await as(token, 'PUT', { ...listed, ...named }),
        await as(token, 'DELETE', { cors_origin_list: [], ...named }),
        await as(token, 'GET', undefined, query),
      ])
        expect([answer.status, answer.json.code]).toEqual([status, code]);
    }
    expect(world.readModel.entries.corsRulesOf.size).toBe(0);
    expect((await as(some, 'PUT', { ...listed, operator_id: 'rival' })).status).toBe(200);
  });

  test('are twenty, and their expressions have a size of their own', async () => {
    const token = await service('acme', ['cors']);
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => rule(`https://s${index}.example`));
    expect((await as(token, 'PUT', { cors_origin_list: many(21) })).json.code).toBe('cors_limit');
    expect((await as(token, 'PUT', { cors_origin_list: many(20) })).json.cors_origin_list).toHaveLength(20);
    expect((await as(token, 'PUT', listed)).json.code).toBe('cors_limit');
    const other = await service('rival', ['cors']);
    const large = Array.from({ length: 3 }, (_, index) => rule(`https://[a-z]{200}x${index}`, 'regex'));
    expect((await as(other, 'PUT', { cors_origin_list: large })).json.code).toBe('cors_limit');
    expect((await as(other, 'PUT', { cors_origin_list: large.slice(0, 2) })).status).toBe(200);
  });

  test('end with the right, the user or the operator', async () => {
    const token = await service('acme', ['cors']);
    await as(token, 'PUT', listed);
    await world.call('PATCH', '/config/operators/acme', { enabled: false });
    expect(entriesOf('acme')).toEqual([]);
    expect((await as(token, 'PUT', listed)).json.code).toBe('owner_disabled');
    await world.call('PATCH', '/config/operators/acme', { enabled: true });
    expect(entriesOf('acme')).toEqual([mine]);
    const user = (await world.call('GET', '/config/service-users?operator_id=acme')).json[0];
    const changed = await world.call('PATCH', `/config/service-users/${user.username}`, { rights: [] });
    expect([changed.status, changed.json.rights]).toEqual([200, []]);
    expect((await as(token, 'GET')).status).toBe(401);
    const wrong = await world.call('PATCH', `/config/service-users/${user.username}`, { rights: ['all'] });
    expect(wrong.status).toBe(400);
  });

  test('count for the requests that name it, and for those that name nobody', async () => {
    const brands = ['acme:main', 'rival:main'];
    const overrides = { contribution_rules: { allowed_brands: brands } };
    const [own, shared] = [await createInstance(world), await createInstance(world, { overrides })];
    await put(rule('https://all.example'));
    await as(await service('acme', ['cors']), 'PUT', listed);
    await as(await service('rival', ['cors']), 'PUT', { cors_origin_list: [rule('https://rival.example')] });
    const readable = async (at: string, origin: string) => {
      const options = { token: '', headers: { origin } };
      const { headers } = await world.call('GET', at, undefined, options);
      return headers.get('access-control-allow-origin') === origin;
    };
    const cases: [string, boolean, boolean][] = [
      ['/v1/currencies', true, true],
      ['/v1/nothing', true, true],
      ['/v1/currencies/acme:main', true, false],
      ['/v1/currencies/acme%3Amain', true, false],
      ['/v1/currencies/rival:main', false, true],
      ['/v1/currencies/nobody:main', false, false],
      ['/v1/currencies/main', true, true],
      ['/v1/jackpot/instances/source/slot-1/brand/acme:main', true, false],
      ['/v1/jackpot/sources?owner_id=rival', false, true],
      ['/v1/raffles/players/p/tickets?brand_id=rival:main', false, true],
      [`/v1/jackpot/instances/${own}/ticker`, true, false],
      [`/v1/jackpot/instances/${shared}/ticker`, true, true],
      [`/v1/jackpot/instances/${shared}/winners?brand_id=acme:main`, true, false],
      [`/v1/fairness/instances/${own}`, true, false],
      ['/v1/jackpot/instances/none/ticker', false, false],
    ];
    for (const [at, acme, rival] of cases) {
      expect([at, await readable(at, 'https://acme.example')]).toEqual([at, acme]);
      expect([at, await readable(at, 'https://rival.example')]).toEqual([at, rival]);
      expect([at, await readable(at, 'https://all.example')]).toEqual([at, true]);
    }
    await world.call('PATCH', '/config/operators/acme', { enabled: false });
    for (const at of ['/v1/currencies', '/v1/currencies/acme:main'])
      expect(await readable(at, 'https://acme.example')).toBe(false);
  });
  test('changes are shown in the audit trail as the operator’s', async () => {
    const token = await world.token(['security'], ['acme']);
    await as(token, 'PUT', listed);
    await as(await service('acme', ['cors']), 'PUT', listed);
    const { json } = await world.call('GET', '/config/audit?owner_id=acme&limit=500');
    const entries = (json as { operation: string }[]).filter(({ operation }) => operation === 'O23');
    expect(entries).toHaveLength(2);
  });
});
