import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSystem, startSystem } from '../support/system.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem({ environment: { KEY_OF_ANOTHER_SERVICE: 'secret' } });
}, 240_000);
afterAll(() => system.stop());

const withoutNats = ['demo', 'reference-wallet'];

test('each process is told its own password at nats-server and no other secret', async () => {
  const { passwords } = JSON.parse(await readFile(join(system.dataDirectory, 'run/nats.json'), 'utf8')) as {
    passwords: Record<string, string>;
  };
  const processes = await system.processes();
  for (const role of ['gateway', 'actors', 'fanout', 'wallet', 'outbox', 'nats-server', ...withoutNats]) {
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
