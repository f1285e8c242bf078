import { expect, test } from 'vitest';
import { isAudited } from '../../src/gateway/api/audit/audited.ts';
import type { Operation } from '../../src/gateway/api/operation/operation.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';

/**
 * Every route of the administration that is no GET has entries in the audit trail: by its declaration, or by one of
 * these, with the reason. docs/rules/audit.md "Entries"
 */
const withoutEntries: Readonly<Record<string, string>> = {
  login: 'writes an entry of its own, because nobody is authenticated before it',
  'sessions.begin': 'writes an entry of its own, as login does',
  'sessions.renew': 'changes nothing, as administrator-tokens.renew',
  'simulations.begin':
    'changes nothing: what is played is nowhere but in memory, and its caller alone sees it',
  'simulations.end': 'changes nothing, as simulations.begin',
  'administrator-tokens.renew': 'changes nothing: it prolongs a session whose log-in has an entry',
};

const changing = operations.filter(changes);

test('every route by which an administrator changes something is audited', () => {
  const missing = changing.filter((each) => !isAudited(each)).map(({ id }) => id);
  expect(changing.length).toBeGreaterThan(40);
  expect(missing.toSorted()).toEqual(Object.keys(withoutEntries).toSorted());
});

test('no audited route is served by a path that knows nothing of the trail', () => {
  const raw = changing.filter(({ limits }) => limits?.contribution === true || limits?.lookup === true);
  expect(raw.map(({ id }) => id)).toEqual([]);
});

test('a route without an entry is found', () => {
  const unaudited = { ...changing[0], id: 'new', audited: false } as Operation;
  expect(changes(unaudited) && !isAudited(unaudited)).toBe(true);
});

test('only audited routes wait for a second administrator', () => {
  const waiting = operations.filter(({ fourEyes }) => fourEyes === true);
  expect(waiting.length).toBeGreaterThan(8);
  expect(waiting.filter((each) => !isAudited(each))).toEqual([]);
});

function changes({ method, path, authentication }: Operation): boolean {
  if (method === 'GET') return false;
  return 'action' in authentication || /^\/(config|auth)\//.test(path);
}
