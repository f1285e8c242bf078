import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Access, openAccess } from '../../../src/access/access.ts';
import { type LoginEvent, openLoginNews } from '../../../src/access/sessions/login-news.ts';
import { loginsSubject } from '../../../src/log/base/names.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const random = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };
const clock = { nowMs: () => 1_700_000_000_000, elapsedMs: () => 1_700_000_000_000, after: () => () => {} };
const maxFailures = 4;

/** All hear what one publishes, itself too. */
function memoryBus() {
  const receivers = new Set<(message: { bytes: Uint8Array }) => void>();
  return {
    published: [] as string[],
    connected: () => true,
    publish(_subject: string, bytes: Uint8Array) {
      this.published.push(Buffer.from(bytes).toString());
      for (const receive of receivers) receive({ bytes });
    },
    subscribe(_subject: string, receive: (message: { bytes: Uint8Array }) => void) {
      receivers.add(receive);
      return { stop: () => void receivers.delete(receive) };
    },
  };
}

let directory: string;
let bus: ReturnType<typeof memoryBus>;
let gateways: Access[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'login-news-'));
  bus = memoryBus();
  const table = memoryTable();
  gateways = [];
  for (let n = 0; n < 2; n += 1)
    gateways.push(
      await openAccess(table, {
        clock,
        random,
        keysDirectory: directory,
        hashingMs: 240_000,
        failedLoginsPerMinute: maxFailures,
        loginNews: openLoginNews(bus as never, loginsSubject, random),
      }),
    );
  await gateways[0]?.createServiceUser({
    username: 'till',
    password: 'right password',
    operator: 'acme',
    brands: null,
  });
});
afterEach(async () => {
  for (const gateway of gateways) await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});

const login = (gateway: number, password: string, address = '10.0.0.1') =>
  gateways[gateway]?.loginService({ username: 'till', password, address });

test('failures count together at all gateways, for the same pair only', async () => {
  for (let n = 0; n < maxFailures; n += 1) expect(await login(n % 2, 'wrong')).toEqual({ kind: 'invalid' });
  for (const gateway of [0, 1])
    expect(await login(gateway, 'right password')).toEqual({ kind: 'blocked', seconds: 60 });
  expect(await login(1, 'right password', '10.0.0.2')).toMatchObject({ kind: 'token' });
});

test('a log-in proves the address at every gateway', async () => {
  expect(await login(0, 'right password')).toMatchObject({ kind: 'token' });
  for (let n = 0; n < maxFailures; n += 1) await login(1, 'wrong');
  // Over the limit, who is proven waits for its turn and is not blocked.
  expect(await login(1, 'right password')).toMatchObject({ kind: 'token' });
});

test('what it does not understand changes nothing, and nothing is heard at the end', async () => {
  const heard: LoginEvent[] = [];
  const news = openLoginNews(bus as never, loginsSubject, random);
  const hearing = news.hear((event) => heard.push(event));
  for (const text of [
    '',
    '{}',
    '{"v":2,"from":"a","kind":"failed","pair":"p"}',
    '{"v":1,"from":"a","kind":"x","pair":"p"}',
  ])
    bus.publish(loginsSubject, Buffer.from(text));
  news.announce({ kind: 'failed', pair: 'mine' });
  expect(heard).toEqual([]);
  bus.publish(loginsSubject, Buffer.from('{"v":1,"from":"a","kind":"failed","pair":"p"}'));
  hearing.stop();
  bus.publish(loginsSubject, Buffer.from('{"v":1,"from":"a","kind":"failed","pair":"q"}'));
  expect(heard).toEqual([{ kind: 'failed', pair: 'p' }]);
});
