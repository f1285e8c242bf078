import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Access, openAccess } from '../../src/access/access.ts';
import { resetSecondFactor } from '../../src/access/accounts/reset-second-factor.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import type { Log, Table } from '../../src/ports.ts';
import { systemClock, systemRandom } from '../../src/wiring.ts';
import { makeAdministrator } from '../support/accounts.ts';
import { makeSystemOn } from '../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { totp, wrongCode } from '../support/totp.ts';
import { equip } from './support/second-factors.ts';

/** One caller races two gateways with one code, over a real nats-server. docs/decisions/0497 */
const patienceMs = 180_000;
let server: TestNatsServer;
let data: string;
const logs: Log[] = [];
const gateways: Access[] = [];
let nowMs = systemClock.nowMs();
const clock = { ...systemClock, nowMs: () => nowMs };

beforeAll(async () => {
  server = await startNatsServer();
  data = await mkdtemp(join(tmpdir(), 'potstream-test-factors-'));
  for (let count = 0; count < 2; count += 1) {
    const { url, user, password } = server;
    const log = await connectLog({ servers: [url], user, password, replicas: 1 });
    logs.push(log);
    if (count === 0) await makeSystemOn(log, 1);
    gateways.push(
      await openAccess(await log.table('ACCOUNTS'), { clock, random: systemRandom, keysDirectory: data }),
    );
  }
}, patienceMs);
afterAll(async () => {
  for (const access of gateways) await access.stop();
  for (const log of logs) await log.close();
  await server?.stop();
  await rm(data, { recursive: true, force: true });
}, patienceMs);

const accountsTable = (): Promise<Table> => logs[0]!.table('ACCOUNTS');

/** An administrator with a factor that both gateways know. */
async function equipped(username: string): Promise<string> {
  const [first, second] = gateways as [Access, Access];
  const user = { username, roles: ['finance'] as const, owners: ['op'] };
  await makeAdministrator({ access: first, clock, random: systemRandom }, user);
  const { secret } = await equip({ access: first, call: undefined as never }, username, { nowMs });
  await expect.poll(() => second.secondFactors.has(username), { timeout: patienceMs }).toBe(true);
  return secret;
}

it(
  'a code counts once, whichever gateways it comes to at the same moment',
  async () => {
    const secret = await equipped('ada');
    for (let round = 0; round < 20; round += 1) {
      nowMs += 30_000;
      const code = totp(secret, nowMs);
      const answers = await Promise.all(
        [0, 1, 0, 1].map((gateway) => gateways[gateway]!.secondFactors.take('ada', code)),
      );
      const kinds = answers.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'right')).toHaveLength(1);
      // The three others are repeats, which count as wrong: a new hour for each round.
      nowMs += 3_600_000;
    }
  },
  patienceMs,
);

it(
  'ten wrong codes are all, however they are spread over gateways',
  async () => {
    const secret = await equipped('bob');
    const guesses = Array.from({ length: 7 }, () =>
      [0, 1].map((gateway) => gateways[gateway]!.secondFactors.take('bob', wrongCode(secret, nowMs))),
    );
    const settled = await Promise.allSettled(guesses.flat());
    const kinds = settled.map((each) => (each.status === 'fulfilled' ? each.value.kind : 'contention'));
    expect(kinds.filter((kind) => kind === 'wrong').length).toBeLessThanOrEqual(10);
    for (let guess = 0; guess < 10; guess += 1)
      await gateways[guess % 2]!.secondFactors.take('bob', wrongCode(secret, nowMs));
    for (const { secondFactors } of gateways)
      expect((await secondFactors.take('bob', totp(secret, nowMs))).kind).toBe('blocked');
  },
  patienceMs,
);

it(
  'one of two enrolments that were begun before either wins',
  async () => {
    const [first, second] = gateways as [Access, Access];
    const user = { username: 'cyd', roles: ['finance'] as const, owners: ['op'] };
    const account = await makeAdministrator({ access: first, clock, random: systemRandom }, user);
    const won = await Promise.all(
      [first, second].map(({ secondFactors }) => {
        const enrolment = secondFactors.open(account, secondFactors.begin(account).enrolmentId)!;
        return secondFactors.enrol('cyd', enrolment, 1);
      }),
    );
    expect(won.toSorted()).toEqual([false, true]);
  },
  patienceMs,
);

it(
  'a reset on the machine reaches every gateway, ends the tokens, and lets another be enrolled',
  async () => {
    await equipped('dan');
    const [first, second] = gateways as [Access, Access];
    const token = await second.tokens.issueAdministrator(second.accounts.find('administrator', 'dan')!);
    const ports = { random: systemRandom };
    expect(await resetSecondFactor(await accountsTable(), 'nobody', ports)).toBe('no_second_factor');
    expect(await resetSecondFactor(await accountsTable(), 'dan', ports)).toBe('done');
    expect(await resetSecondFactor(await accountsTable(), 'dan', ports)).toBe('no_second_factor');
    for (const { secondFactors } of gateways)
      await expect.poll(() => secondFactors.has('dan'), { timeout: patienceMs }).toBe(false);
    await expect
      .poll(() => second.tokens.verifyAdministrator(token), { timeout: patienceMs })
      .toBe('token_revoked');
    await equip({ access: first, call: undefined as never }, 'dan', { nowMs });
    await expect.poll(() => second.secondFactors.has('dan'), { timeout: patienceMs }).toBe(true);
  },
  patienceMs,
);
