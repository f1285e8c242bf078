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

const path = '/config/operators/acme/brands';
/** A write that is refused for its body: those count, too. */
function write(token: string): Promise<Answer> {
  return gateway.call('POST', path, { token, body: {} });
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

test('counts those of one operator together as two of them, and those of another one apart', async () => {
  const more = await Promise.all(
    [['acme'], ['acme:main'], ['acme:second', 'rival']].map((owners) =>
      gateway.adminToken(['config'], owners),
    ),
  );
  expect(await writes(10, tokens.first)).toEqual(passes(10));
  expect(await writes(10, tokens.second)).toEqual(passes(10));
  for (const token of more) {
    const refused = await write(token);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
  }
  const others = [
    await gateway.adminToken(['config'], ['rival']),
    await gateway.adminToken(['config'], ['*']),
  ];
  for (const token of others) expect(await writes(10, token)).toEqual(passes(10));
});

test('does not count who shows no token that holds', async () => {
  for (let index = 0; index < 30; index += 1) expect((await write('nobody')).status).toBe(401);
  expect(await writes(10, tokens.first)).toEqual(passes(10));
});

test('counts each 4 KiB of a body as one more', async () => {
  const large = [{ id: 'large', name: 'n'.repeat(80_000) }];
  expect((await gateway.call('POST', path, { token: tokens.first, body: large })).status).toBe(400);
  const refused = await write(tokens.first);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('6');
  gateway.nowMs += 6_000;
  expect(await writes(3, tokens.first)).toEqual([false, false, true]);
  expect(await writes(10, tokens.second)).toEqual(passes(10));
});
