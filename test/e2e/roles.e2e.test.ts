import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestSocket, until } from '../fanout/feed-world.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const hosts = {
  POTSTREAM_HOST: '127.0.0.2',
  POTSTREAM_FANOUT_HOST: '127.0.0.3',
  POTSTREAM_OPERATIONS_HOST: '127.0.0.4',
  POTSTREAM_WALLET_HOST: '127.0.0.5',
};

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem({
    environment: { ...hosts, KEY_OF_ANOTHER_SERVICE: 'secret', POTSTREAM_REPORTING: 'on' },
  });
}, 240_000);
afterAll(() => system?.stop(), 120_000);

const isOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

test('every listener is where its setting says, and nowhere else', async () => {
  const file = join(system.dataDirectory, 'run/ports.json');
  const ports = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  const wanted = {
    gateway: hosts.POTSTREAM_HOST,
    fanout: hosts.POTSTREAM_FANOUT_HOST,
    operations: hosts.POTSTREAM_OPERATIONS_HOST,
    wallet: hosts.POTSTREAM_WALLET_HOST,
  };
  for (const [name, host] of Object.entries(wanted)) {
    expect(await isOpen(host, ports[name]!), name).toBe(true);
    for (const other of ['127.0.0.1', '127.0.0.6'])
      expect(await isOpen(other, ports[name]!), `${name} on ${other}`).toBe(false);
  }
});

test('the processes find each other there', async () => {
  const { base_url, ops_url, wallet_url, players } = system.credentials;
  expect([base_url, ops_url, wallet_url].map((url) => new URL(url!).hostname)).toEqual([
    hosts.POTSTREAM_HOST,
    hosts.POTSTREAM_OPERATIONS_HOST,
    hosts.POTSTREAM_WALLET_HOST,
  ]);
  const metrics = async () => (await fetch(`${ops_url}/metrics`)).text();
  // They lack a role that is too busy to answer at once.
  await expect.poll(metrics, { timeout: 60_000, interval: 500 }).toContain('potstream_fanout_sockets');
  // The wallet knows the player, and the gateway the fan-out.
  const query = `token=${encodeURIComponent(players[0]!.token)}&currency=${players[0]!.currency}`;
  const feed = new TestSocket(`${base_url.replace('http', 'ws')}/events/demo/main?${query}`, {
    Origin: base_url,
  });
  await feed.opened;
  feed.subscribe();
  await until(() => feed.frames.length > 0);
  feed.terminate();
});

const withoutNats = ['demo', 'reference-wallet'];

test('each process is told its own password at nats-server and no other secret', async () => {
  const { passwords } = JSON.parse(await readFile(join(system.dataDirectory, 'run/nats.json'), 'utf8')) as {
    passwords: Record<string, string>;
  };
  const processes = await system.processes();
  for (const role of [
    'gateway',
    'actors',
    'fanout',
    'wallet',
    'outbox',
    'reporting',
    'nats-server',
    ...withoutNats,
  ]) {
    const environment = await readFile(`/proc/${processes.get(role)}/environ`, 'utf8');
    const told = Object.entries(passwords).flatMap(([of, password]) =>
      environment.includes(password) ? [of] : [],
    );
    expect(told, role).toEqual([...withoutNats, 'nats-server'].includes(role) ? [] : [role]);
    expect(environment, role).not.toContain('KEY_OF_ANOTHER_SERVICE');
  }
});

test('nothing that they do is denied by nats-server, and no log shows a password', async () => {
  const logs = join(system.dataDirectory, 'logs');
  const { passwords } = JSON.parse(await readFile(join(system.dataDirectory, 'run/nats.json'), 'utf8')) as {
    passwords: Record<string, string>;
  };
  for (const name of await readdir(logs)) {
    const text = await readFile(join(logs, name), 'utf8');
    expect(text, name).not.toMatch(/nats_permission_denied|Permissions Violation/i);
    for (const password of Object.values(passwords)) expect(text.includes(password), name).toBe(false);
  }
});

test('the keys of draws lie apart from those that gateways and the wallet role read', async () => {
  const keys = join(system.dataDirectory, 'keys');
  expect((await readdir(keys)).sort()).toEqual(['accounts.key', 'draws']);
  expect(await readdir(join(keys, 'draws'))).toEqual(['epoch-seeds.json']);
});
