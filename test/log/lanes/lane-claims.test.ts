import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claimRenewEveryMs,
  type LaneClaims,
  leaseMs,
  startLaneClaims,
} from '../../../src/log/lanes/lane-claims.ts';
import type { Clock } from '../../../src/ports.ts';
import { SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

let world: SimWorld;
let server: SimServer;
let events: string[];
const lanes = 3;

beforeEach(() => {
  world = new SimWorld(7);
  server = new SimServer(world, lanes);
  events = [];
});

afterEach(() => expect(events.filter((each) => each.startsWith('bug'))).toEqual([]));

interface Process {
  readonly node: SimNode;
  readonly claims: LaneClaims;
  /** SIGSTOP: its timers do not run. */
  isPaused: boolean;
}

async function start(name: string, holder = name): Promise<Process> {
  const node = new SimNode(server, name);
  const process = { node, isPaused: false } as Process & { claims: LaneClaims };
  const clock: Clock = {
    nowMs: () => world.nowMs,
    elapsedMs: () => world.nowMs,
    after(delayMs, task) {
      const run = (): void => {
        if (!node.alive) return;
        if (process.isPaused) cancel = world.schedule(100, run);
        else task();
      };
      let cancel = world.schedule(delayMs, run);
      return () => cancel();
    },
  };
  process.claims = startLaneClaims({
    table: await node.log.table('LEASES'),
    clock,
    role: 'wallet',
    holder,
    lanes,
    gained: (lane) => events.push(`${name} gained ${lane}`),
    lost: (lane) => events.push(`${name} lost ${lane}`),
    report: (error) => events.push(`bug ${String(error)}`),
  });
  return process;
}

const held = ({ claims }: Process): number[] =>
  Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => claims.holds(lane));
const all = [0, 1, 2];

describe('leases of lanes', () => {
  it('one process holds them all', async () => {
    const first = await start('first');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    const second = await start('second');
    await world.passes(5 * leaseMs);
    expect([held(first), held(second)]).toEqual([all, []]);
    expect(events.sort()).toEqual(['first gained 0', 'first gained 1', 'first gained 2']);
  });

  it('a process that dies loses them to another one', async () => {
    const first = await start('first');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    const second = await start('second');
    await world.passes(1_000);
    first.node.kill();
    await world.until(() => held(second).length === lanes, leaseMs + 3 * claimRenewEveryMs, 'the take-over');
  });

  it('a process that starts again has them at once', async () => {
    const first = await start('first', 'host-a');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    first.node.kill();
    const again = await start('again', 'host-a');
    await world.until(() => held(again).length === lanes, claimRenewEveryMs, 'the claim of the successor');
  });

  it('two processes of one name do not take them from each other', async () => {
    const first = await start('first', 'host-a');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    const second = await start('second', 'host-a');
    await world.passes(10 * leaseMs);
    expect([held(first), held(second)]).toEqual([[], all]);
    expect(events.filter((each) => each.includes('lost'))).toHaveLength(lanes);
  });

  it('a process that was stopped for long sees that they are gone', async () => {
    const first = await start('first');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    const second = await start('second');
    await world.passes(1_000);
    first.isPaused = true;
    await world.until(() => held(second).length === lanes, 2 * leaseMs, 'the take-over');
    first.isPaused = false;
    await world.until(() => held(first).length === 0, 2 * claimRenewEveryMs, 'the loss');
    expect(held(second)).toEqual(all);
  });

  it('a process that cannot renew them gives them up in time', async () => {
    const first = await start('first');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    server.up = false;
    await world.until(() => held(first).length === 0, leaseMs + claimRenewEveryMs, 'the loss');
    server.up = true;
    await world.until(() => held(first).length === lanes, 3 * leaseMs, 'the claim after the outage');
  });

  it('a process that ends gives them back', async () => {
    const first = await start('first');
    await world.until(() => held(first).length === lanes, 2_000, 'the first claim');
    const second = await start('second');
    await world.passes(1_000);
    const stopping = first.claims.stop();
    await world.until(() => held(second).length === lanes, 2 * claimRenewEveryMs, 'the take-over');
    await stopping;
    expect(held(first)).toEqual([]);
  });
});
