import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CountedTraffic, type Sent } from '../support/counted-traffic.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** A process that is there and does nothing: SIGSTOP, in a whole system under traffic. */

const repository = resolve(import.meta.dirname, '../..');
/** A question costs: it makes `up` ask each of its children, or reads every process of the machine. */
const patience = { timeout: 90_000, interval: 300 };
const roles = ['actors', 'gateway', 'wallet', 'nats-server'] as const;
/** Longer than a busy machine keeps a process from its cores. */
const hungAfterSeconds = 8;
const oneLane = '1';
/** Between a sender's contributions. Those under way when a process stops are what counts here. */
const pauseMs = 200;

/** A system under traffic; the cases of one go side by side with those of the other. */
class World {
  system!: RunningSystem;
  counted!: CountedTraffic;

  async start(action: 'replace' | 'report', afterSeconds: number): Promise<void> {
    const environment = {
      POTSTREAM_LANES: oneLane,
      POTSTREAM_HUNG_ACTION: action,
      POTSTREAM_HUNG_AFTER_SECONDS: String(afterSeconds),
    };
    this.system = await startSystem({ args: ['--no-traffic'], environment });
    this.counted = await CountedTraffic.open(this.system);
  }

  async pidOf(role: string): Promise<number> {
    const pid = (await this.system.processes()).get(role);
    if (pid === undefined) throw new Error(`No process has the role ${role}.`);
    return pid;
  }

  async expectNothingLost(sent: readonly Sent[], before: number): Promise<void> {
    expect(await this.counted.books(sent, before)).toEqual({
      surplus: 0,
      distinctIds: sent.length,
      changedRepeats: 0,
      conservation: '0',
      statuses: [200],
    });
  }
}

async function readiness(url: string): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

const goesOn = async (traffic: { answered(): number }): Promise<void> => {
  const answered = traffic.answered();
  await vi.waitFor(() => expect(traffic.answered()).toBeGreaterThan(answered + 20), patience);
};

describe('a process that hangs is replaced', { concurrent: true }, () => {
  const world = new World();
  beforeAll(() => world.start('replace', hungAfterSeconds), 240_000);
  afterAll(() => world.system?.stop());

  it.sequential.each(roles)('%s', async (role) => {
    const before = await world.counted.total();
    const traffic = world.counted.start(`replaced-${role}`, pauseMs);
    await goesOn(traffic);
    const pid = await world.pidOf(role);
    process.kill(pid, 'SIGSTOP');
    const replaced = async (): Promise<boolean> => {
      const now = (await world.system.processes()).get(role);
      return now !== undefined && now !== pid;
    };
    await vi.waitFor(async () => expect(await replaced()).toBe(true), patience);
    expect(world.system.output()).toMatch(new RegExp(`^\\S+Z ${role} is hung: .*Replacing it`, 'm'));
    await world.system.ready();
    await goesOn(traffic);
    await world.expectNothingLost(await traffic.stop(), before);
  });

  it.sequential('one that stands still for a short time is not', async () => {
    const before = await world.counted.total();
    const traffic = world.counted.start('short', pauseMs);
    const pids = await world.system.processes();
    const said = world.system.output().length;
    for (const role of roles) {
      process.kill(await world.pidOf(role), 'SIGSTOP');
      await new Promise((done) => setTimeout(done, 1000));
      process.kill(await world.pidOf(role), 'SIGCONT');
      await goesOn(traffic);
    }
    expect(await world.system.processes()).toEqual(pids);
    expect(world.system.output().slice(said)).toBe('');
    await world.expectNothingLost(await traffic.stop(), before);
  });

  it.sequential('when their parent stood still for long, its children are not to blame', async () => {
    const before = await world.counted.total();
    const traffic = world.counted.start('parent', pauseMs);
    const pids = await world.system.processes();
    const said = world.system.output().length;
    const up = await world.pidOf('up');
    process.kill(up, 'SIGSTOP');
    await new Promise((done) => setTimeout(done, (hungAfterSeconds + 4) * 1000));
    await goesOn(traffic);
    process.kill(up, 'SIGCONT');
    await world.system.ready();
    await goesOn(traffic);
    expect(await world.system.processes()).toEqual(pids);
    expect(world.system.output().slice(said)).toBe('');
    await world.expectNothingLost(await traffic.stop(), before);
  });
});

describe('a process that hangs is told of', { concurrent: true }, () => {
  const world = new World();
  beforeAll(() => world.start('report', 3), 240_000);
  afterAll(() => world.system?.stop());

  it.sequential.each(roles)('%s', async (role) => {
    const before = await world.counted.total();
    const traffic = world.counted.start(`told-${role}`, pauseMs);
    await goesOn(traffic);
    const pid = await world.pidOf(role);
    process.kill(pid, 'SIGSTOP');
    const { base_url, ops_url } = world.system.credentials;
    await vi.waitFor(async () => {
      const { status, text } = await readiness(ops_url);
      expect(status).toBe(503);
      expect(text).toContain(`${role} shows no sign of life`);
    }, patience);
    if (role === 'actors') {
      await vi.waitFor(async () => {
        const { status, text } = await readiness(base_url);
        expect(status).toBe(503);
        expect(text).toContain('lanes_hung. lane 0 is hung: no heartbeat of its owner for');
      }, patience);
    }
    if (role === 'nats-server')
      await vi.waitFor(async () => expect((await readiness(base_url)).status).toBe(503), patience);
    // A busy `up` may not answer the doctor in time.
    await vi.waitFor(async () => {
      const lanes = await doctorOnLanes(world.system);
      expect(lanes.ok).toBe(false);
      expect(lanes.detail).toContain(`${role} shows no sign of life`);
      if (role === 'actors') expect(lanes.detail).toContain('lane 0: no heartbeat of an owner');
      if (role === 'nats-server') expect(lanes.detail).toContain('nats-server: does not answer');
    }, patience);
    await vi.waitFor(() => expect(world.system.output()).toContain(`Z ${role} is hung`), patience);

    process.kill(pid, 'SIGCONT');
    await world.system.ready();
    expect(await world.pidOf(role)).toBe(pid);
    await goesOn(traffic);
    // What the gateway knows of a lane is as old as the lane's last heartbeat.
    await vi.waitFor(
      async () =>
        expect((await doctorOnLanes(world.system)).detail).toMatch(
          /^all \d+ lanes are owned and up to date$/,
        ),
      patience,
    );
    await world.expectNothingLost(await traffic.stop(), before);
  });
});

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

async function doctorOnLanes(system: RunningSystem): Promise<Finding> {
  const doctor = spawn(process.execPath, [join(repository, 'bin/potstream'), 'doctor', '--json'], {
    env: { ...process.env, POTSTREAM_DATA: system.dataDirectory, POTSTREAM_LANES: oneLane },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  doctor.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await new Promise((closed) => doctor.once('close', closed));
  const finding = (JSON.parse(text) as Finding[]).find(({ check }) => check === 'lanes');
  if (finding === undefined) throw new Error(text);
  return finding;
}
