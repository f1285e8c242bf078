import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario, World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';

const bytes = '96m';
const maxDiskBytes = 100 * 1024 * 1024;
const fillMs = 3_000;
const chunk = Buffer.alloc(64 * 1024);

/** A small disk of its own below JetStream, that somebody else fills. */
export const fullDisks: readonly Scenario[] = [
  {
    name: 'full-disk',
    description:
      'the disk of the only nats-server is full for --seconds; then there is room, and the server is restarted',
    topology: { servers: 1, hosts: 2, store: smallDisk },
    needs: ['mounts'],
    async round(world) {
      await fillFor(world, 'nats-1');
      await world.system.unit('nats-1').kill('SIGTERM');
    },
  },
  {
    name: 'full-disk-of-three',
    description:
      'the disk of one nats-server of three is full for --seconds; then there is room, and the server is restarted',
    topology: { servers: 3, hosts: 2, store: smallDisk },
    needs: ['mounts'],
    async round(world) {
      const name = world.random.pick('nats-1', 'nats-2', 'nats-3');
      await fillFor(world, name);
      const { unit } = world.system.server(name);
      await unit.kill('SIGTERM');
      await until(`${name} is healthy again`, async () => (await unit.fault()) ?? true);
    },
  },
  {
    name: 'full-disk-up',
    description: 'as full-disk under potstream up, which restarts the server by itself',
    topology: { servers: 1, hosts: 2, up: true, store: smallDisk },
    needs: ['mounts'],
    round: (world) => fillFor(world, 'up'),
  },
];

/** A tmpfs, in the mount namespace of this command. */
function smallDisk(name: string): string {
  const directory = join(tmpdir(), `potstream-chaos-disk-${process.pid}-${name}`);
  mkdirSync(directory, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory]);
  process.once('exit', () => {
    execFileSync('umount', ['--lazy', directory]);
    rmSync(directory, { recursive: true });
  });
  return join(directory, 'store');
}

async function fillFor({ system, seconds }: World, server: string): Promise<void> {
  const file = join(system.server(server).storeDirectory, '..', 'somebody-else');
  requireSmallDisk(dirname(file));
  const untilMs = performance.now() + fillMs;
  // The server may give room back meanwhile.
  while (performance.now() < untilMs) {
    fill(file);
    await pause(100);
  }
  await pause(seconds * 1_000);
  rmSync(file);
}

/** The machine's own disk is never filled. */
function requireSmallDisk(directory: string): void {
  const { bsize, blocks } = statfsSync(directory);
  if (bsize * blocks > maxDiskBytes) throw new Error(`${directory} is not on a small disk of its own.`);
}

function fill(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (;;) if (writeSync(handle, chunk) < chunk.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
}
