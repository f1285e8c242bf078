import { expect, it } from 'vitest';
import { judge } from '../../../src/wallet/answer.ts';
import { isCancelled } from '../../../src/wallet/calls/cancel-transaction.ts';

const error = (status: number) => JSON.stringify({ status_code: status, code: 'x', message: 'No.' });

// Wallets confirm a cancellation in many words; what is not the wallet's confirms nothing.
it.each([
  [200, '{"balance":"1"}', true],
  [200, '{}', true],
  [200, 'true', true],
  [201, '[]', true],
  [202, 'null', true],
  [204, '', true],
  [404, error(404), true],
  [409, error(409), true],
  [200, '', false],
  [200, '<html>Back soon</html>', false],
  [200, '{"balance":', false],
  [307, '', false],
  [400, error(400), false],
  [401, error(401), false],
  [404, 'not found', false],
  [409, '{}', false],
  [422, error(422), false],
  [500, error(500), false],
])('W2 answered %i with %j: cancelled is %j', (status, text, cancelled) => {
  expect(isCancelled(judge(status, text))).toBe(cancelled);
});
