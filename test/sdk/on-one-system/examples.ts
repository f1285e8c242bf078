import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPotstream, type SourceContribution } from '../../../sdk/src/index.ts';
import { freePort } from '../../support/free-port.ts';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';
import { type Fate, type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts';
import { repository } from '../support/page.ts';
import { type Administrator, administratorOf, practiceInstance } from '../support/practice.ts';
import { run } from '../support/run.ts';

const patienceMs = 240_000;
const patience = { timeout: patienceMs, interval: 50 };
const ran = new Set<string>();
const children: ChildProcess[] = [];

let system: RunningSystem;
let administrator: Administrator;
let folder: string;
let credentials: string;
let fate: Fate = 'deliver';
let proxy: LossyProxy;
beforeAll(async () => {
  system = await oneSystem();
  administrator = await administratorOf(system);
  folder = mkdtempSync(join(tmpdir(), 'potstream-examples-'));
  credentials = join(system.dataDirectory, 'credentials.json');
  proxy = await startLossyProxy(system.baseUrl, () => fate);
}, patienceMs);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await proxy?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
}, patienceMs);

function example(name: string): string {
  ran.add(name);
  return join('examples/sdk', name);
}

/** Starts an example; resolves when it has printed `text`. */
async function start(name: string, programArguments: readonly string[], text: string): Promise<() => string> {
  const child = spawn(process.execPath, [example(name), ...programArguments], { cwd: repository });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (output += part));
  await expect.poll(() => output, patience).toContain(text);
  return () => output;
}

const bet: SourceContribution = {
  token: 'session-of-ada',
  brand_id: 'demo:direct',
  player_id: 'ada',
  player_country: 'DE',
  base_wager: '1.00',
  currency: 'EUR',
};

describe('the examples', () => {
  it(
    'play.mjs: a contribution whose answer never came is found applied at the next start',
    async () => {
      const play = (rounds: number) =>
        run(process.execPath, [
          example('play.mjs'),
          proxy.baseUrl,
          credentials,
          join(folder, 'journal.ndjson'),
          String(rounds),
        ]);
      expect(await play(2)).toMatch(/^(applied: [0-9a-f-]{36} won [0-9.]+ EUR\n){2}$/);
      fate = 'lose answer';
      const [, lost] = /^unknown: ([0-9a-f-]{36}) no_answer\n$/.exec(await play(1)) ?? [];
      fate = 'deliver';
      expect(await play(1)).toMatch(new RegExp(`^applied before: ${lost} won [0-9.]+ EUR\napplied: .*\n$`));
      expect(await play(0)).toBe('');
    },
    patienceMs,
  );

  it(
    'wallet.mjs: answers the calls of Potstream, and no others',
    async () => {
      const port = await freePort();
      const [bearer, secret] = ['bearer-of-the-brand', 'secret of the brand'];
      await administrator.call('POST', '/config/operators/demo/brands', [
        { id: 'wallet', name: 'With a wallet' },
      ]);
      await administrator.call('PUT', '/config/operators/demo/brands/demo:wallet/wallet', {
        base_url: `http://127.0.0.1:${port}`,
        bearer_key: bearer,
        hmac_secret: secret,
        provider_id: 'provider',
      });
      const user = { username: 'of-the-example', password: 'a long password' };
      await administrator.call('POST', '/config/service-users', { ...user, operator_id: 'demo' });
      const output = await start('wallet.mjs', [String(port), bearer, secret], 'listening');
      const potstream = createPotstream({ baseUrl: system.baseUrl, credentials: user });
      const body = { ...bet, brand_id: 'demo:wallet' };
      expect(await potstream.contributeBySource('slot-1', body)).toMatchObject({ replayed: false });
      await expect.poll(output, patience).toContain('asked about a session: ada');
      await expect(
        potstream.contributeBySource('slot-1', { ...body, token: 'stolen' }),
      ).rejects.toMatchObject({
        code: 'player_token_invalid',
        outcome: 'not_applied',
      });
      for (const signature of [undefined, '0'.repeat(64)]) {
        const headers = { authorization: `Bearer ${bearer}`, 'x-server-authorization': signature ?? '' };
        const forged = await fetch(`http://127.0.0.1:${port}/authenticate`, {
          method: 'POST',
          headers,
          body: '{}',
        });
        expect([forged.status, await forged.json()]).toEqual([
          401,
          expect.objectContaining({ status_code: 401 }),
        ]);
      }
    },
    patienceMs,
  );

  it(
    'live-wins.mjs: prints wins as they happen, and those that it missed',
    async () => {
      const instance = await practiceInstance(administrator);
      const potstream = createPotstream({ baseUrl: system.baseUrl, credentials: system.credentials.service });
      const win = () => potstream.contributeToInstance(instance, bet);
      const printed = (count: number) => new RegExp(`(${instance}: ada won [0-9.]+ EUR\n[^]*){${count}}`);
      const output = await start('live-wins.mjs', [system.baseUrl, credentials, '1000'], 'subscribed');
      const shows = (count: number) => expect.poll(output, patience).toMatch(printed(count));
      await win();
      await shows(1);
      await system.kill('fanout');
      await win();
      await win();
      await system.ready();
      await shows(3);
      expect(output()).toContain('disconnected: ');
    },
    patienceMs,
  );

  it('are all run here', () => {
    expect([...ran].sort()).toEqual(readdirSync(join(repository, 'examples/sdk')).sort());
  });
});
