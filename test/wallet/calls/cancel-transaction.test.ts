import { expect, it } from 'vitest';
import { cancellationOf } from '../../../src/wallet/calls/cancel-transaction.ts';
import { judge } from '../../../src/wallet/client/answer.ts';

const error = (status: number) => JSON.stringify({ status_code: status, code: 'x', message: 'No.' });

// Wallets confirm a cancellation in many words; those of W2 are certain, and what is no JSON confirms nothing.
it.each([
  [200, '{"balance":"1"}', 'cancelled'],
  [202, '{"balance":1}', 'cancelled'],
  [200, '{"balance":"99.99999999999999"}', 'cancelled'],
  [200, '{"balance":"NaN"}', 'perhaps'],
  [200, '{"balance":null}', 'perhaps'],
  [200, '{}', 'perhaps'],
  [200, 'true', 'perhaps'],
  [201, '[]', 'perhaps'],
  [202, 'null', 'perhaps'],
  [204, '', 'perhaps'],
  [404, error(404), 'cancelled'],
  [409, error(409), 'cancelled'],
  [200, '', 'open'],
  [200, '<html>Back soon</html>', 'open'],
  [200, '{"balance":', 'open'],
  [307, '', 'open'],
  [400, error(400), 'open'],
  [401, error(401), 'open'],
  [404, 'not found', 'open'],
  [409, '{}', 'open'],
  [422, error(422), 'open'],
  [500, error(500), 'open'],
] as const)('W2 answered %i with %j: %s', (status, text, cancellation) => {
  expect(cancellationOf(judge(status, text))).toBe(cancellation);
});
