import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { oneSystem } from '../../support/one-system.ts';
import { addSecondAdministrator, second } from '../../support/second-administrator.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Two administrators of a real system, whose gateway is killed between intent and outcome, and between approval and execution. */

const patienceMs = 300_000;
const repository = resolve(import.meta.dirname, '../../..');
let system: RunningSystem;
let proposer = '';
let approver = '';
let instance = '';

beforeAll(async () => {
  system = await oneSystem();
  await addSecondAdministrator(system);
  await logIn();
  await makeInstance();
}, patienceMs);

describe('a gateway that is killed', () => {
  it(
    'between intent and outcome leaves a change whose outcome is unknown',
    async () => {
      const path = `/config/instances/${instance}/pots/gold/surplus-seed`;
      await whileActorsStand(async () => {
        const lost = call('PUT', path, { adjustment: 7, reason: 'buffer' }, proposer).catch(() => null);
        await vi.waitUntil(async () => (await newest('A22'))?.outcome === 'unknown', { timeout: patienceMs });
        await system.kill('gateway');
        await lost;
      });
      await system.ready();
      await logIn();
      const record = await newest('A22');
      expect(record).toMatchObject({
        user: system.credentials.admin.username,
        reason: 'buffer',
        outcome: 'unknown',
      });
      const { code, report } = await verify();
      expect([code, report.verified, report.open.map(({ id }) => id)]).toEqual([0, true, [record!.id]]);
    },
    patienceMs,
  );

  it(
    'between approval and execution loses nothing and doubles nothing',
    async () => {
      await succeed('PATCH', `/config/operators/acme`, { four_eyes: { enabled: true } });
      const path = `/config/instances/${instance}/pots/gold/trigger`;
      const win = { brand_id: 'acme:main', player_id: 'ada', source_id: 'slot-1' };
      const proposed = await call('POST', path, win, proposer);
      expect(proposed.status).toBe(202);
      const id = proposed.json.id;
      await whileActorsStand(async () => {
        const lost = call('POST', `/config/approvals/${id}/approve`, win, approver).catch(() => null);
        await vi.waitUntil(async () => (await newest('A30'))?.approval?.id === id, { timeout: patienceMs });
        await system.kill('gateway');
        await lost;
      });
      await system.ready();
      await logIn();
      await vi.waitUntil(async () => (await approvals('executed')).includes(id), {
        timeout: patienceMs,
        interval: 500,
      });
      const winners = await call('GET', `/config/instances/${instance}/winners`, undefined, approver);
      expect(Object.values(winners.json).flat()).toHaveLength(1);
      const again = await call('POST', `/config/approvals/${id}/approve`, win, approver);
      expect([again.status, again.json.code]).toEqual([404, 'approval_not_found']);
      expect(await newest('A30')).toMatchObject({
        outcome: 'applied',
        approval: { id, approved_by: 'second' },
      });
    },
    patienceMs,
  );
});

describe('potstream audit', () => {
  it(
    'verifies the trail, and an export of it in which a byte is changed fails',
    async () => {
      // The demo may log in again at any time, so what is exported may end with a later head.
      const { report } = await verify();
      expect((await verify('--head', report.head)).code).toBe(0);
      expect((await verify('--head', 'a'.repeat(64))).code).toBe(1);
      const stdout = await exportSlowly();
      // More than a pipe holds.
      expect(stdout.length).toBeGreaterThan(65_536);
      const file = join(system.dataDirectory, 'trail.ndjson');
      await writeFile(file, stdout);
      const exported = await verify(file, '--head', report.head);
      expect([exported.code, exported.report.verified]).toEqual([0, true]);
      await writeFile(file, stdout.replace('"reason":"buffer"', '"reason":"buffed"'));
      const changed = await verify(file);
      expect(changed.code).toBe(1);
      expect(changed.report.faults[0]).toMatchObject({ kind: 'changed' });
      const lines = (await readFile(file, 'utf8')).split('\n');
      await writeFile(file, lines.toSpliced(2, 1).join('\n'));
      expect((await verify(file)).code).toBe(1);
    },
    patienceMs,
  );

  it('lists changes', async () => {
    const one = ['audit', 'list', '--operation', 'A30', '--limit', '1'];
    expect((await potstream(...one)).stdout).toMatch(/ \(A30\) of acme, acme:main, .*\. Done\. /);
    const { stdout } = await potstream(...one, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      operation: 'A30',
      outcome: 'applied',
      owners: ['acme', 'acme:main'],
    });
  });
});

/** POST /config/users may not exist yet; the account is as it would store it. */
async function logIn(): Promise<void> {
  const token = async (credentials: object): Promise<string> => {
    const answer = await vi.waitUntil(
      async () => {
        const tried = await call('POST', '/auth/admin', credentials, '').catch(() => null);
        return tried?.status === 200 ? tried : null;
      },
      { timeout: patienceMs, interval: 200 },
    );
    return answer.json.token;
  };
  proposer = await token(system.credentials.admin);
  approver = await token(second);
}

async function makeInstance(): Promise<void> {
  await succeed('POST', '/config/operators', [{ id: 'acme', name: 'Acme' }]);
  await succeed('POST', '/config/operators/acme/brands', [{ id: 'main', name: 'Main' }]);
  const source = { owner_id: 'acme:main', source_id: 'slot-1', source_name: 'Slot', jackpots: [] };
  await succeed('POST', '/config/sources', [source]);
  await succeed('PUT', '/config/currencies', { base_currency: 'EUR', multipliers: { USD: '1.08' } });
  const pot = {
    id: 'gold',
    contribution: { Percentage: 0.25 },
    seed_strategy: { initial_seed_value: 100, min_reseed_value: '100' },
    pot_types: [{ External: {} }],
  };
  await succeed('POST', '/config/templates', {
    owner_id: 'acme',
    id: 'external',
    name: 'External',
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: 0.1 }, opt_in_required: false },
    pots: [pot],
  });
  const asked = { template_owner_id: 'acme', template_id: 'external', owner_id: 'acme', name: 'One' };
  instance = (await succeed('POST', '/config/instances', asked)).json.id;
  const active = { status: 'Active', reason: 'begin' };
  await vi.waitUntil(
    async () => (await call('POST', `/config/instances/${instance}/status`, active, proposer)).status === 200,
    { timeout: patienceMs, interval: 200 },
  );
}

/** The lanes answer nothing until `task` is done. */
async function whileActorsStand(task: () => Promise<void>): Promise<void> {
  const pid = (await system.processes()).get('actors') as number;
  process.kill(pid, 'SIGSTOP');
  try {
    await task();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

interface Listed {
  readonly id: string;
  readonly outcome: string;
  readonly approval: { readonly id: string } | null;
}

async function newest(operation: string): Promise<Listed | undefined> {
  return (await call('GET', `/config/audit?operation=${operation}&limit=1`, undefined, approver)).json[0];
}

async function approvals(state: string): Promise<readonly string[]> {
  const { json } = await call('GET', `/config/approvals?state=${state}`, undefined, approver);
  return json.map(({ id }: { readonly id: string }) => id);
}

async function succeed(method: string, path: string, body: unknown) {
  const answer = await call(method, path, body, proposer);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  return answer;
}

async function call(method: string, path: string, body: unknown, token: string) {
  const answer = await fetch(`${system.baseUrl}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? null : JSON.parse(text) };
}

interface Verified {
  readonly code: number;
  readonly report: {
    readonly verified: boolean;
    readonly head: string;
    readonly faults: readonly object[];
    readonly open: readonly { readonly id: string }[];
  };
}

async function verify(...args: readonly string[]): Promise<Verified> {
  const { code, stdout } = await potstream('audit', 'verify', '--json', ...args);
  return { code, report: JSON.parse(stdout) };
}

/** The trail, to a reader who takes his time. */
async function exportSlowly(): Promise<string> {
  const env = { ...process.env, POTSTREAM_DATA: system.dataDirectory };
  const line = `"${process.execPath}" bin/potstream audit export | (sleep 1; cat)`;
  const options = { cwd: repository, env, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)('/bin/sh', ['-c', line], options)).stdout;
}

async function potstream(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly stdout: string }> {
  const env = { ...process.env, POTSTREAM_DATA: system.dataDirectory };
  const options = { cwd: repository, env, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/potstream', ...args], options);
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { code, stdout };
  }
}
