import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../../src/gateway/api/operations/index.ts';
import type { Answer } from '../../../support/administration.ts';
import { type Case, cases } from './cases.ts';
import { everythingThatCounts, furnishHouse, type House } from './house.ts';

/**
 * What could one person do alone? Under the rule every administrative operation is tried by one administrator who has every
 * role, and by those of the other operator. docs/rules/approvals.md "Changes"
 */
let house: House;
beforeEach(async () => {
  house = await furnishHouse();
});
afterEach(() => house.world.stop());

/** Who may log in, and as whom: test/gateway/api/operations/access. */
const ofAccounts = /^\/(auth|config\/(users|service-users|tokens))(\/|$)/;

const administrative = operations.filter(
  ({ method, path, authentication }) =>
    method !== 'GET' && ('action' in authentication || path.startsWith('/config')) && !ofAccounts.test(path),
);
const nameOf = ({ id, name }: { readonly id: string; readonly name: string }) => `${id} ${name}`;

it('tries every administrative operation, and no other', () => {
  expect(Object.keys(cases).toSorted()).toEqual(administrative.map(nameOf).toSorted());
});

function userOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')).sub;
}

async function send(method: string, { path, body, type }: Case, token: string): Promise<Answer> {
  const { world, things } = house;
  const headers = type === undefined ? {} : { 'content-type': type };
  return world.call(method, path(things), body?.(things, userOf(token)), { token, headers });
}

const decide = (id: string, token: string) =>
  house.world.call('POST', `/config/approvals/${id}/approve`, undefined, { token });

describe.each(administrative.map((each) => [nameOf(each), each] as const))('%s', (name, { method }) => {
  it.each((cases[name] ?? []).map((each, index) => [index, each] as const))('%i', async (_, each) => {
    const { administrators, systemAdministrators } = house;
    const { acme, rival } = administrators;
    const [first, second] = (each.by === 'system' ? systemAdministrators : acme) as [string, string];
    const expected = each.alone ?? 'proposed';
    const before = await everythingThatCounts(house);

    for (const token of [...rival, ...(each.by === 'system' ? acme : [])]) {
      const foreign = await send(method, each, token);
      expect(foreign.headers.get('x-approval-id'), foreign.text).toBeNull();
    }
    expect(await everythingThatCounts(house)).toEqual(before);

    const alone = await send(method, each, first);
    const id = alone.headers.get('x-approval-id');
    if (expected !== 'stops') expect(await everythingThatCounts(house), alone.text).toEqual(before);
    if (expected === 'refused') return expect(alone.status, alone.text).toBeGreaterThanOrEqual(400);
    if (expected !== 'proposed') {
      expect([id, alone.status < 300], alone.text).toEqual([null, true]);
      return;
    }
    expect([alone.status, id], alone.text).toEqual([202, expect.any(String)]);
    expect((await decide(id!, first)).json.code).toBe('approval_by_proposer');
    for (const token of rival) expect((await decide(id!, token)).json.code).toBe('approval_not_found');
    expect(await everythingThatCounts(house)).toEqual(before);

    // It was a request that two persons can make.
    const approved = await decide(id!, second);
    expect([approved.status, approved.json.state], approved.text).toEqual([200, 'executed']);
    if (each.isOnlyMade === true) expect(await everythingThatCounts(house)).toEqual(before);
    else expect(await everythingThatCounts(house)).not.toEqual(before);
  });
});
