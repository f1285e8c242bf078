import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, startTestGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let tokens: { readonly first: string; readonly second: string };

beforeEach(async () => {
  gateway = await startTestGateway({ administratorWritesPerSecond: 2 });
  gateway.stopClock();
  tokens = {
    first: await gateway.adminToken(['config'], ['acme']),
    second: await gateway.adminToken(['config'], ['acme']),
  };
});
afterEach(() => gateway.stop());

let names = 0;
function write(token: string): Promise<Answer> {
  names += 1;
  const body = [{ id: `s${names}`, name: 'n' }];
  return gateway.call('POST', '/config/operators/acme/brands', { token, body });
}
async function writes(count: number, token: string): Promise<boolean[]> {
  const refused: boolean[] = [];
  for (let index = 0; index < count; index += 1) refused.push((await write(token)).status === 429);
  return refused;
}
const passes = (count: number) => Array(count).fill(false);

test("an administrator changes so much a second, and five seconds' worth at once", async () => {
  expect(await writes(12, tokens.first)).toEqual([...passes(10), true, true]);
  const refused = await write(tokens.first);
  expect(refused.json).toMatchObject({ status_code: 429, code: 'rate_limited' });
  expect(refused.headers['retry-after']).toBe('1');
  gateway.nowMs += 1_000;
  expect(await writes(3, tokens.first)).toEqual([false, false, true]);
  gateway.nowMs += 60_000;
  expect(await writes(11, tokens.first)).toEqual([...passes(10), true]);
});

test('does not touch other administrators, and not reading', async () => {
  await writes(11, tokens.first);
  expect(await writes(10, tokens.second)).toEqual(passes(10));
  for (let index = 0; index < 30; index += 1) {
    const read = await gateway.call('GET', '/config/operators/acme', { token: tokens.first });
    expect(read.status).not.toBe(429);
  }
});

test('does not count who shows no token that holds', async () => {
  for (let index = 0; index < 30; index += 1) expect((await write('nobody')).status).toBe(401);
  expect(await writes(10, tokens.first)).toEqual(passes(10));
});
