import { expect, test } from 'vitest';
import { RefusedLogins } from '../../../../src/gateway/api/services/refused-logins.ts';

const minuteMs = 60_000;

test('sixty refusals a minute have an entry each, and the next minute begins with one for the others', () => {
  const refused = new RefusedLogins();
  const first = Array.from({ length: 100 }, (_, index) => refused.take(minuteMs + index));
  expect(first).toEqual(first.map((_, index) => (index < 60 ? 1 : 0)));
  expect(refused.take(2 * minuteMs)).toBe(41);
  expect(refused.take(2 * minuteMs + 1)).toBe(1);
});

test('each gateway of a process counts its own', () => {
  const [one, other] = [new RefusedLogins(), new RefusedLogins()];
  for (let index = 0; index < 100; index += 1) one.take(minuteMs);
  expect(other.take(minuteMs)).toBe(1);
});
