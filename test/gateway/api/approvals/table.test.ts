import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Operation } from '../../../../src/gateway/api/operation/operation.ts';
import { operations } from '../../../../src/gateway/api/operations/index.ts';

/** The rules say of every administrative operation what it moves, and whether it needs two persons: docs/rules/approvals.md "Changes". */
const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/rules/approvals.md'), 'utf8');
/** Those of accounts have no name. */
const row = /^\| `?([A-Za-z0-9.-]+)`? \|(?: ([^|`]+) \|)? ([^|]+) \| ([^|]+) \|$/gm;
const alone: ReadonlySet<string> = new Set(['no', 'never']);
const rows = [...page.matchAll(row)]
  .map(([, id = '', name = '', moves = '', second = '']) => ({ id, name, moves, isAlone: alone.has(second) }))
  .filter(({ id }) => operations.some((each) => each.id === id));

/** What an administrator sends to change something, whoever else may send it. */
function isAdministrative({ method, path, authentication }: Operation): boolean {
  if (method === 'GET') return false;
  return 'action' in authentication || /^\/(config|auth)\//.test(path);
}

const withoutNames = new Set(rows.filter(({ name }) => name === '').map(({ id }) => id));
const nameOf = ({ id, name }: { readonly id: string; readonly name: string }) =>
  withoutNames.has(id) ? id : `${id} ${name}`;
const administrative = operations.filter(isAdministrative).map(nameOf);

test('has a row for each administrative operation, and none for what is none', () => {
  expect(administrative.length).toBeGreaterThan(50);
  const names = rows.map(nameOf);
  expect(administrative.filter((each) => !names.includes(each))).toEqual([]);
  // Services log in and change their passwords by operations of their own, whose rows stand beside them.
  const ofServices = operations.filter(({ path }) => path.startsWith('/v1/auth/')).map(nameOf);
  expect(names.filter((each) => !administrative.includes(each) && !ofServices.includes(each))).toEqual([]);
  const ids = [...page.matchAll(/^\| `?([A-Za-z0-9.-]+)`? \|/gm)].map(([, id = '']) => id);
  const unknown = ids.filter((id) => /\.|^[AO]\d/.test(id) && !operations.some((each) => each.id === id));
  expect(unknown).toEqual([]);
});

test('says of those alone that can wait for a second person that they need one', () => {
  // Approving is what the second person does.
  const needed = rows.filter(({ id, isAlone }) => !isAlone && id !== 'approvals.approve');
  const waiting = operations.filter(({ fourEyes }) => fourEyes === true);
  expect(needed.map(nameOf).toSorted()).toEqual(waiting.map(nameOf).toSorted());
});

test('says that nothing is moved by what one person does alone at any time', () => {
  const moving = rows.filter(({ isAlone, moves }) => isAlone && !moves.startsWith('nothing'));
  expect(moving.map(nameOf)).toEqual([]);
});
