import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeAdministrator } from '../../../../support/accounts.ts';
import { totp } from '../../../../support/totp.ts';
import { type Answer, furnish, startWorld, type World } from '../../../support/administration.ts';
import { equip } from '../../../support/second-factors.ts';

/** Second factors that an operator or the system requires. docs/rules/second-factor.md "Where it is required" */

const roles = ['config', 'finance', 'security'] as const;
/** Something that asks for a code: an answer without that refusal says that there is no such operator. */
const money = { operator_id: 'nowhere', origin: 'https://hooks.example' };
const real = { operator_id: 'acme', origin: 'https://hooks.example' };
const refused = [403, 'second_factor_required'];
const passed = [404, 'operator_not_found'];

const clock = { nowMs: 0 };
let world: World;
async function begin(requiresSecondFactor = false): Promise<void> {
  clock.nowMs = Date.now();
  world = await startWorld({ nowMs: () => clock.nowMs, requiresSecondFactor });
  if (!requiresSecondFactor) return furnish(world);
  const body = { username: 'admin-1', password: 'a long password' };
  const { token } = (await world.call('POST', '/auth/admin', body, { token: '' })).json;
  const shown = await (await equip(world, 'admin-1', clock)).stepUp(token);
  await furnish({ ...world, call: (method, path, sent) => call(method, path, sent, shown) });
}
afterEach(() => world.stop());

const call = (method: string, path: string, body: unknown, token: string): Promise<Answer> =>
  world.call(method, path, body, { token });
const codeOf = ({ status, json }: Answer) => [status, json?.code];
const ofAcme = (body: object, token: string) => call('PATCH', '/config/operators/acme', body, token);
const move = async (token: string) => codeOf(await call('POST', '/config/webhook-origins', money, token));
const factorOf = async (token: string) =>
  (await call('GET', '/auth/admin/me', undefined, token)).json.second_factor;
const approve = (id: string, token: string) =>
  call('POST', `/config/approvals/${id}/approve`, undefined, token);
const required = async () =>
  expect((await world.call('PATCH', '/config/operators/acme', { requires_second_factor: true })).status).toBe(
    204,
  );

/** Begins a session of a new administrator, who has no factor. */
async function person(
  username: string,
  owners: readonly string[] = ['acme'],
  held: Parameters<typeof makeAdministrator>[1]['roles'] = roles,
): Promise<string> {
  const account = await makeAdministrator(world.context, { username, roles: held, owners });
  return world.access.tokens.issueAdministrator(account);
}

/** Enrols as a person does. */
async function enrol(token: string): Promise<Answer> {
  const given = { current_password: 'a long password' };
  const begun = await call('POST', '/auth/admin/second-factor', given, token);
  expect(begun.status, begun.text).toBe(200);
  const { enrolment_id, secret } = begun.json;
  return call('PUT', '/auth/admin/second-factor', { enrolment_id, code: totp(secret, clock.nowMs) }, token);
}

async function proposed(token: string): Promise<string> {
  const { status, json, text } = await enrol(token);
  expect(status, text).toBe(202);
  return json.id;
}

describe('an operator that requires it', () => {
  let ada: string;
  beforeEach(async () => {
    await begin();
    ada = await person('ada');
  });

  it('is asked of who acts for it, for a brand of it, or for the whole system, and of nobody else', async () => {
    const others = { main: await person('bea', ['acme:main']), both: await person('bob', ['rival', 'acme']) };
    const everybody = { ada, ...others, whole: await person('root', ['*']) };
    const rival = await person('cyd', ['rival']);
    for (const token of [...Object.values(everybody), rival]) expect(await move(token)).toEqual(passed);
    await required();
    const needed = { is_enrolled: false, is_required: true, valid_until: null };
    for (const [name, token] of Object.entries(everybody)) {
      expect(await move(token), name).toEqual(refused);
      expect(await factorOf(token), name).toEqual(needed);
    }
    expect(await move(rival)).toEqual(passed);
    expect((await factorOf(rival)).is_required).toBe(false);
  });

  it('says so, and says in the refusal how to enrol', async () => {
    const shape = async () => (await call('GET', '/config/operators/acme', undefined, ada)).json;
    expect(await shape()).not.toHaveProperty('requires_second_factor');
    await required();
    expect((await shape()).requires_second_factor).toBe(true);
    const { json } = await call('POST', '/config/webhook-origins', money, ada);
    expect(json.message).toContain('POST /auth/admin/second-factor');
    const records = world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
    expect(records.some((text) => text.includes('"code":"second_factor_required"'))).toBe(true);
  });

  it('delays neither reading nor stopping, and lets everybody enrol, who then shows codes', async () => {
    await required();
    expect((await call('GET', '/config/users', undefined, ada)).status).toBe(200);
    expect((await ofAcme({ enabled: false }, ada)).status).toBe(204);
    expect((await enrol(ada)).status).toBe(204);
    expect((await factorOf(ada)).is_enrolled).toBe(true);
    expect(await move(ada)).toEqual(refused);
  });

  it('is turned on by one person, and off by one who has shown a code', async () => {
    const bob = await person('bob');
    expect((await ofAcme({ requires_second_factor: true }, ada)).status).toBe(204);
    for (const token of [ada, bob])
      expect(codeOf(await ofAcme({ requires_second_factor: false }, token))).toEqual(refused);
    const shown = await (await equip(world, 'bob', clock)).stepUp(bob);
    expect((await ofAcme({ requires_second_factor: false }, shown)).status).toBe(204);
    expect(await move(ada)).toEqual(passed);
  });

  it('shows the administrators who have one', async () => {
    await equip(world, 'ada', clock);
    await person('bob');
    const { json } = await world.call('GET', '/config/users?owner_id=acme');
    const shown = json.map((each: Record<string, unknown>) => [each.username, each.has_second_factor]);
    expect(shown).toEqual([
      ['ada', true],
      ['bob', false],
    ]);
  });
});

describe('a system that requires it', () => {
  beforeEach(() => begin(true));

  it('asks everybody, and no operator lifts that', async () => {
    const cyd = await person('cyd', ['rival']);
    expect(await move(cyd)).toEqual(refused);
    const shown = await (await equip(world, 'cyd', clock)).stepUp(cyd);
    const lifted = await call('PATCH', '/config/operators/rival', { requires_second_factor: false }, shown);
    expect(lifted.status).toBe(204);
    expect(await move(await person('dan', ['rival']))).toEqual(refused);
    expect(codeOf(await world.call('POST', '/config/webhook-origins', money))).toEqual(refused);
  });
});

describe('under the four-eyes rule', () => {
  let ada: string;
  let bob: string;
  beforeEach(async () => {
    await begin();
    [ada, bob] = [await person('ada'), await person('bob')];
    expect((await ofAcme({ four_eyes: { enabled: true } }, ada)).status).toBe(204);
  });

  it('one person turns it on, and two turn it off', async () => {
    const off = { requires_second_factor: false };
    // What is off already is no weaker.
    expect((await ofAcme(off, ada)).status).toBe(204);
    await required();
    const shown = await (await equip(world, 'ada', clock)).stepUp(ada);
    const { status, json } = await ofAcme(off, shown);
    expect(status).toBe(202);
    expect(codeOf(await approve(json.id, bob))).toEqual(refused);
    const second = await (await equip(world, 'bob', clock)).stepUp(bob);
    expect((await approve(json.id, second)).status).toBe(200);
    expect((await factorOf(shown)).is_required).toBe(true);
    expect(await move(await person('cyd'))).toEqual(passed);
  });

  it('the first enrolment is approved by who has none, and no other change is', async () => {
    const earlier = await call('POST', '/config/webhook-origins', real, ada);
    expect(earlier.status).toBe(202);
    await required();
    expect(codeOf(await approve(earlier.json.id, bob))).toEqual(refused);
    expect((await approve(await proposed(ada), bob)).status).toBe(200);
    expect((await factorOf(ada)).is_enrolled).toBe(true);
  });

  it('later ones are approved by who has one', async () => {
    await required();
    const cyd = await person('cyd');
    const id = await proposed(cyd);
    const app = await equip(world, 'ada', clock);
    expect(codeOf(await approve(id, bob))).toEqual(refused);
    expect(codeOf(await approve(id, ada))).toEqual(refused);
    expect((await approve(id, await app.stepUp(ada))).status).toBe(200);
  });

  it('factors of others do not count: of who may not approve it, is disabled, or made the account', async () => {
    await required();
    const cyd = await person('cyd');
    await person('fin', ['acme'], ['finance']);
    await person('rio', ['rival']);
    await person('maker');
    await person('gone');
    for (const username of ['fin', 'rio', 'maker', 'gone']) await equip(world, username, clock);
    const { accounts } = world.access;
    await accounts.update('administrator', 'gone', (account) => ({ ...account, enabled: false }));
    const made_by = [{ by: 'maker', at: clock.nowMs }];
    await accounts.update('administrator', 'cyd', (account) => ({ ...account, made_by }));
    expect((await approve(await proposed(cyd), bob)).status).toBe(200);
  });

  it('an enrolment that nobody could approve does not wait, and of the others each does', async () => {
    const root = await person('root', ['*']);
    const others = async (enabled: boolean) => {
      const { accounts } = world.access;
      for (const name of ['admin-1', 'colleague'])
        await accounts.update('administrator', name, (account) => ({ ...account, enabled }));
    };
    await required();
    const id = await proposed(root);
    expect((await call('POST', `/config/approvals/${id}/reject`, undefined, root)).status).toBe(200);
    await others(false);
    expect((await enrol(root)).status).toBe(204);
    expect((await factorOf(root)).is_enrolled).toBe(true);
    // Those of acme are approved by each other.
    await proposed(ada);
  });

  it('waits where it is not required, whoever could approve it', async () => {
    const root = await person('root', ['*']);
    for (const name of ['admin-1', 'colleague'])
      await world.access.accounts.update('administrator', name, (account) => ({
        ...account,
        enabled: false,
      }));
    await proposed(root);
  });

  it('nobody without a factor proposes or approves a reset', async () => {
    await required();
    const app = await equip(world, 'ada', clock);
    await equip(world, 'bob', clock);
    const cyd = await person('cyd');
    const reset = (token: string) => call('DELETE', '/config/users/bob/second-factor', undefined, token);
    expect(codeOf(await reset(cyd))).toEqual(refused);
    const { json } = await reset(await app.stepUp(ada));
    expect(codeOf(await approve(json.id, cyd))).toEqual(refused);
  });
});
