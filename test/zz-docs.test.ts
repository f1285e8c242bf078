import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../src/gateway/api/operations/index.ts';
import { documentsOf } from '../src/reference/documents.ts';
test('same documents', () => {
  expect(JSON.stringify(documentsOf(operations), null, 1) === readFileSync('/work/wt/base-docs.json', 'utf8')).toBe(true);
});
