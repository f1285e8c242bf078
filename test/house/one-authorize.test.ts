import { expect, test } from 'vitest';
import { besideWith, codeOf, filesWith } from './support/imports.ts';

/** Whether a caller may act for an owner is decided by `authorize` of src/access, and nowhere else. */
const decisions =
  /\bprincipal\??\.(brands|roles|owners)\b|[!=]==\s*[\w.]*principal\.operator\b|\bprincipal\.operator\s*[!=]==/;

/** A newer token of the same feed has to be of the same operator. */
const comparesTokens = ['fanout/feeds/identify.ts'];

test('the search finds a decision', () => {
  for (const line of [
    'if (body.operator_id !== principal.operator) throw',
    'principal.brands?.has(path)',
    'principal.operator === operator',
    'const { owners } = principal; principal.owners.has(owner)',
  ])
    expect(decisions.test(codeOf(line)), line).toBe(true);
  expect(decisions.test("authorize(principal, 'read', principal.operator)")).toBe(false);
});

test('only src/access decides by the rights of a principal', () => {
  const deciding = filesWith(decisions).filter((file) => !file.startsWith('access/'));
  expect([...deciding, ...besideWith(decisions)]).toEqual(comparesTokens);
});
