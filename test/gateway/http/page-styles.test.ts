import { createHash } from 'node:crypto';
import { buildStyles } from 'number-flow/csp';
import { expect, it } from 'vitest';
import { rollingDigitsHash } from '../../../src/gateway/http/pages.ts';

it('the policy of pages allows the style sheet that number-flow writes, and no other', () => {
  const hashes = buildStyles().map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
  expect(hashes).toContain(rollingDigitsHash);
});
