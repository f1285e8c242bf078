import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdministratorRole } from '../../../../../src/contracts/accounts/users.ts';
import { makeAdministrator } from '../../../../support/accounts.ts';
import { totp, wrongCode } from '../../../../support/totp.ts';
import { type Answer, furnish, startWorld, type World } from '../../../support/administration.ts';
import { type App, equip } from '../../../support/second-factors.ts';

/** Enrolling a second factor, showing it, and losing it. docs/rules/second-factor.md "Enrolling" */

const minute = 60_000;
const step = 30_000;
const password = 'a long password';
const roles = ['config', 'finance', 'security'] as const;
/** Something that asks for a code: its answer without one says so, else that there is no such operator. */
const money = { operator_id: 'nowhere', origin: 'https://hooks.example' };

const clock = { nowMs: 0 };
let world: World;
let ada: string;
let bob: string;
beforeEach(async () => {
  clock.nowMs = Date.now();
  world = await startWorld({ nowMs: () => clock.nowMs });
  await furnish(world);
  for (const username of ['ada', 'bob', 'cyd']) await person(username);
  [ada, bob] = [await logIn('ada'), await logIn('bob')];
});
afterEach(() => world.stop());

const person = (username: string, held: readonly AdministratorRole[] = roles) =>
  makeAdministrator(world.context, { username, roles: held, owners: ['acme'] });
const call = (method: string, path: string, body: unknown, token: string): Promise<Answer> =>
  world.call(method, path, body, { token });
const logIn = async (username: string, given = password): Promise<string> =>
  (await call('POST', '/auth/admin', { username, password: given }, '')).json.token;
const codeOf = ({ status, json }: Answer) => [status, json?.code];
const begin = (token: string, code?: string, current_password = password) =>
  call('POST', '/auth/admin/second-factor', { current_password, ...(code ? { code } : {}) }, token);
const enrol = (token: string, enrolment_id: string, code: string) =>
  call('PUT', '/auth/admin/second-factor', { enrolment_id, code }, token);
const stepUp = (token: string, code: string) => call('POST', '/auth/admin/step-up', { code }, token);
const reset = (token: string, username: string) =>
  call('DELETE', `/config/users/${username}/second-factor`, undefined, token);
const move = async (token: string) =>
  (await call('POST', '/config/webhook-origins', money, token)).json.code as string;
const factorOf = async (token: string) =>
  (await call('GET', '/auth/admin/me', undefined, token)).json.second_factor;
const none = { is_enrolled: false, is_required: false, valid_until: null };
const code = (secret: string) => totp(secret, clock.nowMs);
const records = () => world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join('');

/** Enrols a factor as a person does. */
async function enrolled(token: string, present?: string): Promise<string> {
  const begun = await begin(token, present);
  expect(begun.status, begun.text).toBe(200);
  const { enrolment_id, secret } = begun.json;
  const done = await enrol(token, enrolment_id, code(secret));
  expect(done.status, done.text).toBe(204);
  clock.nowMs += step;
  return secret;
}

describe('an account without a factor', () => {
  it('does everything as before, and has none to show', async () => {
    expect(await factorOf(ada)).toEqual(none);
    expect(await move(ada)).toBe('operator_not_found');
    expect(codeOf(await stepUp(ada, '123456'))).toEqual([403, 'second_factor_invalid']);
  });
});

describe('enrolling', () => {
  it('takes the password, shows a secret once, and counts from its first code on', async () => {
    const begun = await begin(ada);
    const { enrolment_id, secret, uri } = begun.json;
    expect(Object.keys(begun.json).toSorted()).toEqual(['enrolment_id', 'secret', 'uri']);
    expect(uri).toContain(`secret=${secret}`);
    // Nothing is there yet.
    expect([await factorOf(ada), await move(ada)]).toEqual([none, 'operator_not_found']);
    expect(codeOf(await enrol(ada, enrolment_id, wrongCode(secret, clock.nowMs)))).toEqual([
      403,
      'second_factor_invalid',
    ]);
    expect((await enrol(ada, enrolment_id, code(secret))).status).toBe(204);
    expect(await factorOf(ada)).toEqual({ is_enrolled: true, is_required: true, valid_until: null });
    expect(await move(ada)).toBe('second_factor_required');
    // Of another log-in, too, and of nobody else.
    expect(await move(await logIn('ada'))).toBe('second_factor_required');
    expect(await move(bob)).toBe('operator_not_found');
  });

  it('with a wrong password is refused, and counts as a failed log-in', async () => {
    const token = await logIn('cyd');
    for (let guess = 0; guess < 10; guess += 1)
      expect(codeOf(await begin(token, undefined, 'a wrong guess'))).toEqual([401, 'invalid_credentials']);
    // Who has just logged in from here only waits.
    const [own, strange] = await Promise.all([
      begin(token),
      call('POST', '/auth/admin', { username: 'nobody', password: 'a wrong guess' }, ''),
    ]);
    expect([own.status, strange.status]).toEqual([200, 401]);
  });

  it('is for the account that began it, and not after ten minutes, a new password, or the end of its sessions', async () => {
    const { enrolment_id, secret } = (await begin(ada)).json;
    expect(codeOf(await enrol(bob, enrolment_id, code(secret)))).toEqual([403, 'second_factor_invalid']);
    clock.nowMs += 10 * minute;
    expect(codeOf(await enrol(ada, enrolment_id, code(secret)))).toEqual([403, 'second_factor_invalid']);
    ada = await logIn('ada');
    const again = (await begin(ada)).json;
    const next = 'another long password';
    await call('PUT', '/auth/admin/password', { current_password: password, new_password: next }, ada);
    ada = await logIn('ada', next);
    expect(codeOf(await enrol(ada, again.enrolment_id, code(again.secret)))).toEqual([
      403,
      'second_factor_invalid',
    ]);
    const third = (await begin(ada, undefined, next)).json;
    await call('DELETE', '/auth/admin/sessions', undefined, ada);
    ada = await logIn('ada', next);
    expect(codeOf(await enrol(ada, third.enrolment_id, code(third.secret)))).toEqual([
      403,
      'second_factor_invalid',
    ]);
    expect(await factorOf(ada)).toEqual(none);
  });

  it('another one takes a code of the present one, which a stolen session has not', async () => {
    const first = await enrolled(ada);
    expect(codeOf(await begin(ada))).toEqual([403, 'second_factor_required']);
    expect(codeOf(await begin(ada, wrongCode(first, clock.nowMs)))).toEqual([403, 'second_factor_invalid']);
    const shown = code(first);
    expect(codeOf(await begin(ada, shown, 'a wrong guess'))).toEqual([401, 'invalid_credentials']);
    const second = await enrolled(ada, shown);
    expect(codeOf(await stepUp(ada, code(first)))).toEqual([403, 'second_factor_invalid']);
    expect((await stepUp(ada, code(second))).status).toBe(200);
  });

  it('another one ends what the first one has shown', async () => {
    const first = await enrolled(ada);
    const { token } = (await stepUp(ada, code(first))).json;
    clock.nowMs += step;
    await enrolled(ada, code(first));
    expect([await move(token), (await factorOf(token)).valid_until]).toEqual([
      'second_factor_required',
      null,
    ]);
  });

  it('is a repeat, and brings no earlier factor back', async () => {
    const { enrolment_id, secret } = (await begin(ada)).json;
    for (let tries = 0; tries < 2; tries += 1)
      expect((await enrol(ada, enrolment_id, code(secret))).status).toBe(204);
    clock.nowMs += step;
    await enrolled(ada, code(secret));
    expect(codeOf(await enrol(ada, enrolment_id, code(secret)))).toEqual([403, 'second_factor_invalid']);
  });
});

describe('a code', () => {
  let secret: string;
  beforeEach(async () => {
    secret = await enrolled(ada);
  });

  it('counts for ten minutes, in the token that it was shown for', async () => {
    const { json } = await stepUp(ada, code(secret));
    const validUntil = Math.floor(clock.nowMs / 1000) * 1000 + 10 * minute;
    expect(json).toEqual({
      ...{ token: expect.any(String), expires_in: 900 },
      valid_until: expect.any(Number),
    });
    expect(await factorOf(json.token)).toMatchObject({ valid_until: validUntil });
    expect([await move(json.token), await move(ada)]).toEqual([
      'operator_not_found',
      'second_factor_required',
    ]);
    clock.nowMs = validUntil - 1;
    expect(await move(json.token)).toBe('operator_not_found');
    clock.nowMs = validUntil;
    expect(await move(json.token)).toBe('second_factor_required');
    expect((await factorOf(json.token)).valid_until).toBeNull();
  });

  it('counts no longer in a renewed token, and is of the same session', async () => {
    const { token } = (await stepUp(ada, code(secret))).json;
    clock.nowMs += 9 * minute;
    const renewed = (await call('POST', '/auth/admin/renew', undefined, token)).json.token;
    expect(await move(renewed)).toBe('operator_not_found');
    clock.nowMs += minute;
    expect(await move(renewed)).toBe('second_factor_required');
    clock.nowMs += step;
    const again = (await stepUp(renewed, code(secret))).json.token;
    expect((await call('DELETE', '/auth/admin/session', undefined, renewed)).status).toBe(204);
    expect((await call('GET', '/auth/admin/me', undefined, again)).json.code).toBe('token_revoked');
  });

  it('makes no session longer than a day', async () => {
    const authenticatedAtSeconds = Math.floor(clock.nowMs / 1000) - 86_399;
    const account = world.access.accounts.find('administrator', 'ada')!;
    const token = await world.access.tokens.issueAdministrator(account, { id: 's', authenticatedAtSeconds });
    expect((await stepUp(token, code(secret))).status).toBe(200);
    clock.nowMs += step;
    expect(codeOf(await stepUp(token, code(secret)))).toEqual([401, 'token_expired']);
  });

  it('counts once, and of another account not at all', async () => {
    const shown = code(secret);
    await enrolled(bob);
    const used = totp(secret, clock.nowMs - step);
    expect((await stepUp(ada, used)).status).toBe(200);
    expect(shown).toBe(used);
    expect(codeOf(await stepUp(ada, used))).toEqual([403, 'second_factor_invalid']);
    expect(codeOf(await stepUp(bob, code(secret)))).toEqual([403, 'second_factor_invalid']);
  });

  it('is six digits', async () => {
    for (const given of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦', ' 12345'])
      expect(codeOf(await stepUp(ada, given))).toEqual([400, 'invalid_request']);
  });

  it('is refused after ten wrong ones of any session, until an hour has passed', async () => {
    const other = await logIn('ada');
    for (let guess = 0; guess < 10; guess += 1)
      expect(codeOf(await stepUp(guess % 2 ? ada : other, wrongCode(secret, clock.nowMs)))).toEqual([
        403,
        'second_factor_invalid',
      ]);
    const blocked = await stepUp(ada, code(secret));
    expect([...codeOf(blocked), blocked.headers.get('retry-after')]).toEqual([
      429,
      'too_many_attempts',
      '3600',
    ]);
    // A code of the present factor is asked for in one more place.
    expect(codeOf(await begin(ada, code(secret)))).toEqual([429, 'too_many_attempts']);
    clock.nowMs += 60 * minute;
    expect((await stepUp(await logIn('ada'), code(secret))).status).toBe(200);
  });

  it('of a page is in its cookie, and its token never shown', async () => {
    const fromOwnPage = { 'sec-fetch-site': 'same-origin' };
    const page = (headers: Readonly<Record<string, string>>, method: string, path: string, body?: unknown) =>
      world.call(method, path, body, { token: '', headers: { ...fromOwnPage, ...headers } });
    const begun = await page({}, 'POST', '/auth/admin/session', { username: 'ada', password });
    const cookieOf = ({ headers }: Answer) => headers.get('set-cookie')?.split(';')[0] ?? '';
    const cookie = cookieOf(begun);
    expect(begun.json.second_factor).toEqual({ is_enrolled: true, is_required: true, valid_until: null });
    const change = (with_: string) => page({ cookie: with_ }, 'POST', '/config/webhook-origins', money);
    expect((await change(cookie)).json.code).toBe('second_factor_required');
    const shown = await page({ cookie }, 'POST', '/auth/admin/step-up', { code: code(secret) });
    expect([shown.status, Object.keys(shown.json).toSorted()]).toEqual([200, ['expires_in', 'valid_until']]);
    expect(shown.text).not.toContain(cookieOf(shown).split('=')[1]);
    expect((await change(cookieOf(shown))).json.code).toBe('operator_not_found');
    const renewed = await page({ cookie: cookieOf(shown) }, 'PUT', '/auth/admin/session');
    expect(renewed.json.second_factor.valid_until).toBe(shown.json.valid_until);
    const elsewhere = { cookie, 'sec-fetch-site': 'same-site' };
    expect(codeOf(await page(elsewhere, 'POST', '/auth/admin/step-up', { code: code(secret) }))).toEqual([
      403,
      'forbidden',
    ]);
  });
});

describe('resetting', () => {
  let app: App;
  beforeEach(async () => {
    app = await equip(world, 'ada', clock);
  });

  it('removes the factor of another one, ends its tokens, and says whose the account may be now', async () => {
    expect((await reset(bob, 'ada')).status).toBe(204);
    expect((await call('GET', '/auth/admin/me', undefined, ada)).json.code).toBe('token_revoked');
    ada = await logIn('ada');
    expect([await factorOf(ada), await move(ada)]).toEqual([none, 'operator_not_found']);
    expect(world.access.accounts.find('administrator', 'ada')?.made_by).toMatchObject([{ by: 'bob' }]);
    await enrolled(ada);
  });

  it('changes nothing where there is none', async () => {
    expect((await reset(bob, 'cyd')).status).toBe(204);
    expect(world.access.accounts.find('administrator', 'cyd')?.made_by).toBeUndefined();
  });

  it('is for nobody’s own factor, for whom one might not give a password, and for none of others', async () => {
    expect(codeOf(await reset(await app.stepUp(ada), 'ada'))).toEqual([403, 'forbidden']);
    const viewer = await world.token(['viewer'], ['acme']);
    expect(codeOf(await reset(viewer, 'ada'))).toEqual([403, 'forbidden']);
    const poorer = await world.token(['security'], ['acme']);
    expect(codeOf(await reset(poorer, 'ada'))).toEqual([403, 'forbidden']);
    const stranger = await world.token(roles, ['rival']);
    expect(codeOf(await reset(stranger, 'ada'))).toEqual([404, 'user_not_found']);
    const ofBrand = await world.token(roles, ['acme:main']);
    expect(codeOf(await reset(ofBrand, 'ada'))).toEqual([404, 'user_not_found']);
    expect((await factorOf(ada)).is_enrolled).toBe(true);
  });

  it('takes a code of who has a factor', async () => {
    const own = await equip(world, 'bob', clock);
    expect(codeOf(await reset(bob, 'ada'))).toEqual([403, 'second_factor_required']);
    expect((await reset(await own.stepUp(bob), 'ada')).status).toBe(204);
  });

  it('no other change of the account removes it', async () => {
    const change = (body: object) => call('PATCH', '/config/users/ada', body, bob);
    await change({ password: 'another long password' });
    await change({ enabled: false });
    await change({ enabled: true, roles: ['finance'], owners: ['acme:main'] });
    ada = await logIn('ada', 'another long password');
    expect((await factorOf(ada)).is_enrolled).toBe(true);
  });
});

describe('under the four-eyes rule', () => {
  let root: string;
  const approve = (id: string, token: string) =>
    call('POST', `/config/approvals/${id}/approve`, undefined, token);
  beforeEach(async () => {
    root = await world.token();
    const rule = { four_eyes: { enabled: true } };
    expect((await world.call('PATCH', '/config/operators/acme', rule)).status).toBe(204);
  });
  const proposed = async (token = ada) => {
    const begun = (await begin(token)).json;
    const { status, json, text } = await enrol(token, begun.enrolment_id, code(begun.secret));
    expect(status, text).toBe(202);
    return { id: json.id as string, secret: begun.secret as string, text, ...begun };
  };

  it('an enrolment waits for another one, who needs no factor, and shows nothing of it', async () => {
    const { id, secret, text, enrolment_id } = await proposed();
    expect([await factorOf(ada), await move(ada)]).toEqual([none, 'operator_not_found']);
    expect(codeOf(await approve(id, ada))).toEqual([403, 'approval_by_proposer']);
    clock.nowMs += 14 * minute;
    const approved = await approve(id, await logIn('bob'));
    expect([approved.status, approved.json.state], approved.text).toEqual([200, 'executed']);
    ada = await logIn('ada');
    expect((await factorOf(ada)).is_enrolled).toBe(true);
    expect((await stepUp(ada, code(secret))).status).toBe(200);
    const kept = await Promise.all((await world.approvals.keys()).map((key) => world.approvals.get(key)));
    const stored = kept.map((entry) => Buffer.from(entry!.value).toString('utf8')).join('');
    const list = await call('GET', '/config/approvals?state=executed', undefined, bob);
    for (const shown of [text, approved.text, list.text, stored, records(), await world.stored('accounts')])
      for (const hidden of [secret, enrolment_id]) expect(String(shown)).not.toContain(hidden);
    expect(approved.json).toMatchObject({ body: { enrolment_id: '***', code: '***' }, body_sha256: null });
  });

  it('an enrolment is approved by whom alone might approve a password', async () => {
    for (const [token, refusal] of [
      [await world.token(['viewer'], ['acme']), 'forbidden'],
      [await world.token(roles, ['rival']), 'approval_not_found'],
      [await world.token(['security'], ['acme:main']), 'approval_not_found'],
    ] as const) {
      const { id } = await proposed();
      expect((await approve(id, token)).json.code).toBe(refusal);
      const rejected = await call('POST', `/config/approvals/${id}/reject`, undefined, token);
      expect(rejected.json.code).toBe(refusal);
      expect((await call('POST', `/config/approvals/${id}/reject`, undefined, ada)).status).toBe(200);
    }
    // As of a password, the change is then refused.
    const { id } = await proposed();
    expect(codeOf(await approve(id, await world.token(['security'], ['acme'])))).toEqual([403, 'forbidden']);
    expect(await factorOf(ada)).toEqual(none);
  });

  it('an enrolment of who has no role for accounts is approved, too, and withdrawn by them', async () => {
    await person('dan', ['finance']);
    const dan = await logIn('dan');
    const first = await proposed(dan);
    expect((await call('POST', `/config/approvals/${first.id}/reject`, undefined, dan)).status).toBe(200);
    const { id } = await proposed(dan);
    expect((await approve(id, bob)).status).toBe(200);
    expect((await factorOf(dan)).is_enrolled).toBe(true);
  });

  it('an enrolment ends with a new password, a reset and another enrolment of the account', async () => {
    const first = await proposed();
    const other = await proposed();
    expect((await approve(other.id, bob)).status).toBe(200);
    expect(codeOf(await approve(first.id, bob))).toEqual([403, 'second_factor_invalid']);
    const third = await (async () => {
      clock.nowMs += step;
      const begun = (await begin(ada, code(other.secret))).json;
      return (await enrol(ada, begun.enrolment_id, code(begun.secret))).json.id as string;
    })();
    const next = { current_password: password, new_password: 'another long password' };
    expect((await call('PUT', '/auth/admin/password', next, ada)).status).toBe(200);
    expect(codeOf(await approve(third, bob))).toEqual([403, 'second_factor_invalid']);
    ada = await logIn('ada', 'another long password');
    clock.nowMs += step;
    expect((await stepUp(ada, code(other.secret))).status).toBe(200);
  });

  it('a reset waits for another one, who is not the one it is about', async () => {
    await equip(world, 'ada', clock);
    const { status, json } = await reset(bob, 'ada');
    expect([status, json.operation, json.owner_id]).toEqual([202, 'second-factors.reset', 'acme']);
    expect((await factorOf(ada)).is_enrolled).toBe(true);
    expect(codeOf(await approve(json.id, bob))).toEqual([403, 'approval_by_proposer']);
    expect((await approve(json.id, root)).status).toBe(200);
    ada = await logIn('ada');
    expect(await factorOf(ada)).toEqual(none);
    expect(world.access.accounts.find('administrator', 'ada')).toMatchObject({ approved: { id: json.id } });
    const app = await equip(world, 'ada', clock);
    const own = await reset(bob, 'ada');
    expect(codeOf(await approve(own.json.id, await app.stepUp(ada)))).toEqual([403, 'forbidden']);
    expect((await factorOf(ada)).is_enrolled).toBe(true);
  });

  it('who approves shows a code, but for an enrolment whoever has none', async () => {
    const app = await equip(world, 'bob', clock);
    const { id } = await proposed();
    expect(codeOf(await approve(id, bob))).toEqual([403, 'second_factor_required']);
    const origin = { operator_id: 'acme', origin: 'https://hooks.example' };
    const { json } = await call('POST', '/config/webhook-origins', origin, ada);
    expect(codeOf(await approve(json.id, bob))).toEqual([403, 'second_factor_required']);
    // Nothing delays a rejection.
    const rejected = await call('POST', `/config/approvals/${json.id}/reject`, undefined, bob);
    expect(rejected.status).toBe(200);
    expect((await approve(id, await app.stepUp(bob))).status).toBe(200);
    // Of an approved change the proposer has shown one before, which may have ended.
    const shown = await call('POST', '/config/webhook-origins', origin, ada);
    expect(shown.json.code).toBe('second_factor_required');
  });
});

describe('the audit trail', () => {
  it('has who enrolled, showed, failed to show and reset a factor, and no secret', async () => {
    const begun = (await begin(ada)).json;
    const first = code(begun.secret);
    await enrol(ada, begun.enrolment_id, first);
    clock.nowMs += step;
    const wrong = wrongCode(begun.secret, clock.nowMs);
    await stepUp(ada, wrong);
    await move(ada);
    await stepUp(ada, code(begun.secret));
    await reset(bob, 'ada');
    const { json } = await world.call('GET', '/config/audit?owner_id=acme&limit=20');
    const seen = json
      .filter(({ user }: { user: string }) => ['ada', 'bob'].includes(user))
      .map((each: Record<string, unknown>) => [each.user, each.operation, each.outcome, each.code])
      .filter(([, operation]: string[]) => operation !== 'login')
      .toReversed();
    expect(seen).toEqual([
      ['ada', 'second-factors.begin', 'applied', null],
      ['ada', 'second-factors.enrol', 'applied', null],
      ['ada', 'second-factors.step-up', 'refused', 'second_factor_invalid'],
      ['ada', 'second-factors.step-up', 'applied', null],
      ['bob', 'second-factors.reset', 'applied', null],
    ]);
    const text = records();
    expect(text).toContain('"second factor of ada"');
    for (const hidden of [begun.secret, begun.enrolment_id, `"${first}"`, `"${wrong}"`, password])
      expect(text).not.toContain(hidden);
  });
});
