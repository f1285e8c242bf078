import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWorld, type World } from '../../../support/administration.ts';

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
    [rule('(a+)+$', 'regex'), 422, 'cors_pattern_invalid'],
    [rule('https://([a-z]+)*\\.example', 'regex'), 422, 'cors_pattern_invalid'],
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

test('rules are for administrators of the whole system with the role security', async () => {
  const list = { cors_origin_list: [rule('https://a.example')] };
  const codeOf = async (method: string, body: object, token: string) =>
    (await world.call(method, path, body, { token })).json?.code;
  for (const [roles, owners] of [
    [['security'], ['acme']],
    [['viewer', 'support', 'config', 'finance', 'auditor'], ['*']],
  ] as const) {
    const token = await world.token([...roles], [...owners]);
    expect(await codeOf('PUT', list, token)).toBe('forbidden');
    expect(await codeOf('DELETE', { cors_origin_list: [] }, token)).toBe('forbidden');
  }
  expect(await codeOf('PUT', list, '')).toBe('unauthenticated');
  expect(await codeOf('PUT', list, await world.serviceToken('acme'))).toBe('unauthenticated');
  const security = await world.token(['security'], ['*']);
  expect((await world.call('PUT', path, list, { token: security })).status).toBe(200);
});
