import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { natsServerPath } from '../support/nats-server.ts';
import { createNatsServers } from './system/nats-servers.ts';
import { loopback } from './system/network.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-test-chaos-'));
afterAll(() => rmSync(directory, { recursive: true }));

it.each([1, 3])('makes %i nats-servers whose configuration is whole', async (count) => {
  const places = Array.from({ length: count }, () => loopback);
  const { servers } = await createNatsServers(join(directory, String(count)), places, 1);
  const path = await natsServerPath();
  for (const { unit } of servers) {
    const { command, environment } = unit;
    const [program, ...args] = command;
    expect(program).toBe(path);
    execFileSync(path, [...args, '-t'], { env: environment, stdio: 'pipe' });
  }
});
