import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../src/gateway/api/operations/index.ts';
import { errorBody } from '../../../../src/gateway/base/errors.ts';
import type { Answer } from '../../support/administration.ts';
import { documented, needed } from '../operations/support/documented.ts';
import { type Holder, holders } from './holders.ts';
import { everyRole, type Ids, type Named, pathOf, type Row } from './row.ts';
import { rows } from './rows/index.ts';
import {
  type Credential,
  copyOf,
  missingId,
  ownIds,
  type Scope,
  scopes,
  startTenancyWorld,
  type TenancyWorld,
} from './world.ts';

/**
 * Each route, each kind of caller, and ids that are the caller's own, a sibling's, a stranger's or nobody's. A new route
 * needs a row in rows/.
 */
let world: TenancyWorld;
beforeAll(async () => {
  world = await startTenancyWorld();
});
afterAll(() => world.stop());

const routes = operations.map(({ method, path }) => `${method} ${path}`);
const hasBody = new Map(
  operations.map(({ method, path, input }) => [`${method} ${path}`, input.body !== undefined]),
);

it('has a row for each route, and none without one', () => {
  expect(routes.filter((route) => rows[route] === undefined)).toEqual([]);
  // The documents' routes may have theirs before they are built.
  const known = [...routes, ...needed, ...Object.values(documented).flat()];
  expect(Object.keys(rows).filter((route) => !known.includes(route))).toEqual([]);
});

let requests = 0;
interface Asked {
  readonly answer: Answer;
  readonly roundTrips: number;
  readonly commands: number;
}

async function ask(route: string, ids: Ids, caller: Credential): Promise<Asked> {
  const row = rows[route]!;
  const isAdministrator =
    caller.headers.authorization !== undefined && everyRole.some((role) => caller.name.startsWith(role));
  const { headers, username } = row.endsTokens && isAdministrator ? await copyOf(world, caller) : caller;
  const [method, template] = route.split(' ') as [string, string];
  const body = hasBody.get(route) ? row.body?.(ids, { username }) : undefined;
  const [trips, commands] = [world.roundTrips(), world.commands.length];
  const type = row.isLine ? { 'content-type': 'application/x-ndjson' } : {};
  const options = { token: '', headers: { ...headers, ...row.headers, ...type } };
  const sent = await world.call(method, pathOf(template, row, ids), body, options);
  const answer = row.isLine ? resultOfLine(sent) : sent;
  return { answer, roundTrips: world.roundTrips() - trips, commands: world.commands.length - commands };
}

/** The error of a line as that of a request. */
function resultOfLine(answer: Answer): Answer {
  const error = answer.status === 200 ? answer.json.error : undefined;
  if (error === undefined) return answer;
  return { ...answer, status: error.status_code, json: error, text: JSON.stringify(error) };
}

function fresh(): string {
  requests += 1;
  return `fresh-${requests}`;
}

/** Everything that a caller sees of an answer, but for what is new in each and the id that was asked about. */
function seen({ answer }: Asked, id: string): unknown {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status: answer.status, headers, text: answer.text.replaceAll(id, missingId(id)) };
}

const within = (holder: Holder, scope: Scope) =>
  scope === '*' || holder === scope || holder.startsWith(`${scope}:`);

/** Things that are foreign to the scope, one at a time in place of the own one. */
function foreignIds(row: Row, scope: Scope): { named: Named; holder: Holder; id: string }[] {
  return (row.names ?? []).flatMap((named) =>
    holders
      .filter((holder) => !within(holder, scope))
      .flatMap((holder) => {
        const id = world.things[holder][named];
        return id === undefined ? [] : [{ named, holder, id }];
      }),
  );
}

const codes: Readonly<Record<Named, string>> = {
  owner: 'owner_not_found',
  operator: 'operator_not_found',
  brand: 'brand_not_found',
  instance: 'instance_not_found',
  otherInstance: 'instance_not_found',
  source: 'source_not_found',
  segment: 'segment_not_found',
  templateOwner: 'template_not_found',
  serviceUser: 'user_not_found',
  administrator: 'user_not_found',
};
function codeOf(row: Row, named: Named, id: string): string {
  if (row.codes?.[named] !== undefined) return row.codes[named];
  if (named === 'owner') return id.includes(':') ? 'brand_not_found' : 'operator_not_found';
  return codes[named];
}

/** Whether what the row names is there for an administrator of one brand at all. */
const operatorsOnly = (row: Row) => row.names?.some((name) => name === 'operator' || name === 'serviceUser');

async function expectAllowed(route: string, caller: Credential, scope: Scope): Promise<void> {
  const row = rows[route]!;
  const own = ownIds(world, fresh());
  const ids = { ...own, ...(await row.prepare?.(world, own)) };
  const { answer } = await ask(route, ids, caller);
  const what = [route, caller.name, answer.status, answer.text];
  if (row.own === undefined) expect(answer.status, String(what)).toBeLessThan(300);
  else expect(row.own, String(what)).toContain(answer.status);
  if (row.batch) expect(answer.json.failed ?? Object.keys(answer.json.errors), String(what)).toEqual([]);
  for (const holder of holders) {
    if (!within(holder, scope)) expect(answer.text, caller.name).not.toContain(world.markOf(holder));
  }
}

/** A request about something foreign is answered as one about what does not exist. */
async function expectMissing(
  route: string,
  caller: Credential,
  { named, id, holder }: { named: Named; id: string; holder: Holder },
): Promise<void> {
  const row = rows[route]!;
  const own = ownIds(world, fresh());
  // What is found below an owner is the foreign owner's, too.
  const { source = own.source, segment = own.segment } = world.things[holder];
  const below = named === 'owner' || named === 'brand' ? { source, segment } : {};
  const there = await ask(route, { ...own, ...below, [named]: id }, caller);
  const gone = await ask(route, { ...own, ...below, [named]: missingId(id) }, caller);
  const what = `${route}, ${caller.name}, ${named} of ${holder}`;
  const { answer } = there;
  expect(seen(there, id), what).toEqual(seen(gone, id));
  expect(there.roundTrips, what).toBe(gone.roundTrips);
  expect([there.commands, gone.commands], what).toEqual([0, 0]);
  if (row.batch) expect(answer.status, what).toBe(200);
  else expect([answer.status, answer.json.code], what).toEqual([404, codeOf(row, named, id)]);
}

/** Exactly the refusal, whatever the request is about; and nothing was asked of anybody. */
async function expectRefused(
  route: string,
  caller: Credential,
  code: Parameters<typeof errorBody>[0],
  changes: Partial<Ids> = {},
): Promise<void> {
  const { answer, roundTrips } = await ask(route, { ...ownIds(world, fresh()), ...changes }, caller);
  const what = `${route}, ${caller.name}`;
  expect(answer.text, what).toBe(errorBody(code));
  expect(answer.status, what).toBe(JSON.parse(errorBody(code)).status_code);
  expect(roundTrips, what).toBe(0);
}

/** A stranger's ids. */
const strangers = (row: Row) =>
  Object.entries(world.things['rival:main']).filter(([named]) => row.names?.includes(named as Named));

async function checkAdministrators(route: string, row: Row): Promise<void> {
  const may: readonly string[] = Array.isArray(row.may) ? row.may : [];
  for (const scope of scopes) {
    for (const role of everyRole) {
      const caller = world.administrator(role, scope);
      if (!may.includes(role)) {
        await expectRefused(route, caller, 'forbidden');
        for (const [named, id] of strangers(row))
          await expectRefused(route, caller, 'forbidden', { [named]: id });
        continue;
      }
      if (row.system && scope !== '*') await expectRefused(route, caller, 'forbidden');
      else if (scope !== 'acme:main' || !operatorsOnly(row)) await expectAllowed(route, caller, scope);
      for (const foreign of foreignIds(row, scope)) await expectMissing(route, caller, foreign);
    }
  }
  await expectRefused(route, nobody, 'unauthenticated');
  await expectRefused(route, world.service('acme'), row.services ? 'forbidden' : 'unauthenticated');
}

const nobody: Credential = { name: 'nobody', username: '', headers: {} };

async function checkServices(route: string, row: Row): Promise<void> {
  for (const scope of ['acme', 'acme:main'] as const) {
    const caller = row.right === undefined ? world.service(scope) : world.reporter(scope);
    if (row.right !== undefined) await expectRefused(route, world.service(scope), 'forbidden');
    // What an operator's services have in common is shown to each; what is its players' is not.
    await expectAllowed(route, caller, row.right === undefined ? 'acme' : scope);
    for (const foreign of foreignIds(row, scope)) {
      const { named, holder, id } = foreign;
      if (holder === 'rival:main') await expectMissing(route, caller, foreign);
      // A sibling's instances and sources are there for all services of the operator.
      else if (named === 'brand' || (named === 'owner' && holder === 'acme:vip'))
        await expectRefused(route, caller, 'brand_forbidden', { [named]: id });
    }
  }
  await expectRefused(route, nobody, row.may === 'services' ? 'unauthenticated' : 'player_token_required');
  await expectRefused(route, world.administrator('security', '*'), 'unauthenticated');
  if (row.may === 'services') return;
  await expectAllowed(route, world.player, 'acme');
  for (const foreign of foreignIds(row, 'acme')) {
    if (foreign.named === 'instance') await expectMissing(route, world.player, foreign);
  }
}

describe.each(Object.entries(rows).filter(([route]) => routes.includes(route)))('%s', (route, row) => {
  if (row.may === 'anyone') {
    it('is answered to anyone', () => expectAllowed(route, nobody, '*'));
  } else if (Array.isArray(row.may)) {
    it(`is for administrators who are ${row.may.join(', ')} of the owner`, () =>
      checkAdministrators(route, row));
  } else {
    it(`is for ${row.may} of the owner`, () => checkServices(route, row));
  }
});
