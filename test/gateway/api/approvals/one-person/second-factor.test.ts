import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../../../src/gateway/api/operations/index.ts';
import { asksForSecondFactor } from '../../../../../src/reference/refusals.ts';
import { makeAdministrator } from '../../../../support/accounts.ts';
import type { Answer } from '../../../support/administration.ts';
import { equip, userOf } from '../../../support/second-factors.ts';
import { type Case, cases } from './cases.ts';
import { everythingThatCounts, furnishHouse, type House } from './house.ts';

/**
 * What could a stolen token do alone? Each change that moves money, by administrators who have a second factor: without a
 * code, with one, and with one of ten minutes ago. docs/rules/second-factor.md "What asks for it"
 */
const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/rules/second-factor.md'), 'utf8');
const named = [...page.matchAll(/^\| [a-z,A-Z ]+ \| ((?:`[A-Za-z0-9.-]+` ?)+)\|/gm)].flatMap(([, ids = '']) =>
  [...ids.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id),
);
const asking = operations.filter(asksForSecondFactor);
const nameOf = ({ id, name }: Pick<Operation, 'id' | 'name'>) => `${id} ${name}`;

describe('the table of the rules', () => {
  it('names each operation that asks for a code once, and no other', () => {
    expect(named.length).toBeGreaterThan(30);
    expect(named.toSorted()).toEqual([...new Set(asking.map(({ id }) => id))].toSorted());
  });

  it('is what the four-eyes rule guards, and approving it, but for enrolling', () => {
    const guarded = operations.filter(({ fourEyes }) => fourEyes === true).map(nameOf);
    const approving = nameOf(operations.find(({ id }) => id === 'approvals.approve')!);
    const enrolling = nameOf(operations.find(({ id }) => id === 'second-factors.enrol')!);
    const expected = [...guarded, approving].filter((each) => each !== enrolling);
    expect(asking.map(nameOf).toSorted()).toEqual(expected.toSorted());
  });
});

const ofUsers: Readonly<Record<string, readonly Case[]>> = {
  'users.create Add an administrator': [
    {
      path: () => '/config/users',
      body: () => ({ username: 'new', password: 'a long password', roles: ['viewer'], owners: ['acme'] }),
    },
  ],
  'users.change Change an administrator': [
    { path: () => '/config/users/person', body: () => ({ password: 'another long password' }) },
    { path: () => '/config/users/person', body: () => ({ enabled: true }), alone: 'nothing' },
    { path: () => '/config/users/person', body: () => ({ enabled: false }), alone: 'stops' },
  ],
  'service-users.create Create a service user': [
    {
      path: () => '/config/service-users',
      body: () => ({ username: 'new', password: 'a long password', operator_id: 'acme' }),
    },
  ],
  'service-users.change Change a service user': [
    { path: () => '/config/service-users/till', body: () => ({ rights: ['reports'] }) },
    { path: () => '/config/service-users/till', body: () => ({ enabled: false }), alone: 'stops' },
  ],
  'service-users.keys Create a signing key of a service user': [
    {
      path: () => '/config/service-users/till/keys',
      body: () => ({ secret: 'a secret that signs requests' }),
    },
  ],
  'identities.bind Bind an identity to an administrator': [
    {
      path: () => '/config/users/person/identity',
      body: () => ({ issuer: 'https://id.example', subject: 'person' }),
    },
  ],
  "second-factors.reset Reset an administrator's second factor": [
    { path: () => '/config/users/person/second-factor' },
  ],
};
/** Harmless by the body alone: docs/rules/second-factor.md "What asks for it", the last column. */
const neverAsked = (name: string, { alone }: Case, index: number): boolean =>
  alone === 'stops' ||
  (name === 'A28 Model switch preview' && index === 1) ||
  (name === 'A24 Opt a player in or out' && index === 1);

const all = { ...cases, ...ofUsers };
const tried = asking.flatMap((operation) =>
  (all[nameOf(operation)] ?? []).map((each, index) => ({
    ...{ each, index, operation, name: nameOf(operation) },
    isAsked: !neverAsked(nameOf(operation), each, index),
  })),
);
const titled = (isAsked: boolean) =>
  tried
    .filter((one) => one.isAsked === isAsked)
    .map((one) => [`${one.name} ${one.index}`, one] as const)
    // What disables an account or an operator comes last: nothing else of it can be tried then.
    .toSorted(([left], [right]) => Number(left.startsWith('A6')) - Number(right.startsWith('A6')));

describe('each change that asks for a code', () => {
  const clock = { nowMs: 0 };
  let house: House;
  let before: unknown;
  let shownMs = 0;
  const tokens = { acme: '', system: '' };
  const shown = { acme: '', system: '' };
  beforeAll(async () => {
    house = await furnishHouse(() => clock.nowMs || Date.now());
    const { world, administrators, systemAdministrators } = house;
    const person = { username: 'person', roles: ['viewer'] as const, owners: ['acme'] };
    await makeAdministrator(world.context, person);
    await world.serviceUser('till', 'acme');
    clock.nowMs = Date.now();
    await equip(world, 'person', clock);
    tokens.acme = administrators.acme[0]!;
    tokens.system = systemAdministrators[0]!;
    for (const who of ['acme', 'system'] as const)
      shown[who] = await (await equip(world, userOf(tokens[who]), clock)).stepUp(tokens[who]);
    shownMs = clock.nowMs;
    before = await everythingThatCounts(house);
  });
  afterAll(() => house.world.stop());

  async function send(method: string, { path, body, type, by }: Case, as: typeof tokens): Promise<Answer> {
    const { world, things } = house;
    // Writes are limited by the second.
    clock.nowMs += 100;
    const token = as[by ?? 'acme'];
    const headers = type === undefined ? {} : { 'content-type': type };
    return world.call(method, path(things), body?.(things, userOf(token)), { token, headers });
  }

  it('is tried', () => {
    const without = asking.filter((each) => all[nameOf(each)] === undefined).map(({ id }) => id);
    expect(without).toEqual([]);
  });

  it.each(titled(true))('without one is refused: %s', async (_, { each, operation }) => {
    const answer = await send(operation.method, each, tokens);
    expect([answer.status, answer.json?.code], answer.text).toEqual([403, 'second_factor_required']);
  });

  it('has changed nothing', async () => {
    expect(await everythingThatCounts(house)).toEqual(before);
  });

  it.each(titled(true))('with one goes on: %s', async (_, { each, operation }) => {
    const answer = await send(operation.method, each, shown);
    const id = answer.headers.get('x-approval-id');
    if ((each.alone ?? 'proposed') === 'proposed') expect(answer.status, answer.text).toBe(202);
    else if (each.alone === 'refused') expect(answer.json.code).toBe('approval_by_proposer');
    else expect(answer.status, answer.text).toBeLessThan(300);
    // Only so many proposals of one administrator wait at a time.
    if (id === null) return;
    const token = tokens[each.by ?? 'acme'];
    const { status } = await house.world.call('POST', `/config/approvals/${id}/reject`, undefined, { token });
    expect(status).toBe(200);
  });

  it.each(titled(false))('is not delayed where it only stops or shows something: %s', async (_, one) => {
    const answer = await send(one.operation.method, one.each, tokens);
    expect(answer.status, answer.text).toBeLessThan(300);
  });

  // The last: the clock goes on, and comes not back.
  it.each(titled(true))('with one of ten minutes ago is refused: %s', async (_, { each, operation }) => {
    clock.nowMs = Math.max(clock.nowMs, shownMs + 10 * 60_000);
    const { json } = await send(operation.method, each, shown);
    expect(json.code).toBe('second_factor_required');
  });
});
