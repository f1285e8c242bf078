import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRoleKeys } from '../../src/cli/nats/keys.ts';
import { routesConfiguration, tlsFile } from '../support/nats-cluster.ts';
import { natsServerPath } from '../support/nats-server.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-nats-conf-'));
  cpSync('deploy/nats', directory, { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

/** What an operator's environment file has: nothing of it is secret. */
function environment(): Record<string, string> {
  const publicKeys = makeRoleKeys(join(directory, 'seeds')).map((line) => line.split('=', 2));
  return {
    ...(Object.fromEntries(publicKeys) as Record<string, string>),
    POTSTREAM_NATS_NAME: 'potstream-1',
    POTSTREAM_NATS_ZONE: 'az:a',
    POTSTREAM_NATS_LISTEN: '127.0.0.1:4222',
    POTSTREAM_NATS_MONITOR: '127.0.0.1:8222',
    POTSTREAM_NATS_ROUTES_LISTEN: '127.0.0.1:6222',
    POTSTREAM_NATS_STORE: join(directory, 'store'),
    POTSTREAM_NATS_PID_FILE: join(directory, 'nats.pid'),
    POTSTREAM_NATS_TLS_CERT: tlsFile('server.pem'),
    POTSTREAM_NATS_TLS_KEY: tlsFile('server.key'),
    POTSTREAM_NATS_TLS_CA: tlsFile('ca.pem'),
  };
}

async function natsServerSays() {
  const path = await natsServerPath();
  const { status, stderr } = spawnSync(path, ['-t', '-c', join(directory, 'nats.conf')], {
    env: environment(),
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('nats-server takes the shipped files with the routes that the script makes, and no secret of its environment', async () => {
  const servers = ['nats-1:6222', 'nats-2:6222', 'nats-3:6222'];
  const [first, second] = [routesConfiguration(servers), routesConfiguration(servers)];
  // A password of its own each time.
  expect(first).not.toBe(second);
  writeFileSync(join(directory, 'nats-routes.conf'), first);
  expect(await natsServerSays()).toMatchObject({ status: 0, stderr: expect.stringContaining('is valid') });
});

test('without the routes it does not start, rather than with routes that are open', async () => {
  expect(await natsServerSays()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nats-routes.conf'),
  });
});

test('nats.conf names no variable of a password but those of that file', () => {
  const text = readFileSync('deploy/nats/nats.conf', 'utf8');
  const named = [...text.matchAll(/\$(POTSTREAM_\w*(?:PASSWORD|ROUTE_\d))/g)].map(([, name]) => name);
  const made = [...routesConfiguration(['a:1', 'b:1', 'c:1']).matchAll(/^(\w+):/gm)].map(([, name]) => name);
  expect(named.length).toBe(4);
  expect(named.filter((name) => !made.includes(name))).toEqual([]);
});
