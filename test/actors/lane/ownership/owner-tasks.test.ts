import { describe, expect, it } from 'vitest';
import { OwnerTasks } from '../../../../src/actors/lane/ownership/owner-tasks.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import { contribution, createInstance, running, setStatus } from '../../../jackpot/support/commands.ts';
import { threePots } from '../../../jackpot/support/configurations.ts';
import { testHashing } from '../../../jackpot/support/hashing.ts';
import { TestLane } from '../../../jackpot/support/lane.ts';
import { ManualClock } from '../../manual-clock.ts';

const revealWithinMs = 60_000;
const epochs = 'jackpot';

/** A lane whose owner's tasks are written straight into it, on a clock that is told. */
class DutifulLane {
  readonly lane = new TestLane({ epochSequences: 2 });
  readonly alarms: string[] = [];
  readonly written: Command[] = [];
  /** Whether the key ring opens sealed seeds. */
  hasKey = true;
  readonly clock = new ManualClock();
  readonly #tasks: OwnerTasks;

  constructor() {
    const { lane } = this;
    const hashing = {
      ...testHashing,
      unseal: (_keyId: string, sealed: Uint8Array) => {
        if (!this.hasKey) throw new Error('the key is missing');
        return sealed;
      },
    };
    const replica = {
      lane: 0,
      engine: lane.engine,
      get appliedSequence() {
        return lane.engine.appliedSequence;
      },
    };
    const monitor = { alarm: (_lane: number, _code: string, message: string) => this.alarms.push(message) };
    const writer = {
      write: async (_identity: string, commands: readonly Command[]) => {
        this.written.push(...commands);
        lane.nowMs = Math.max(lane.nowMs, this.#nowMs);
        lane.apply(...(commands as readonly Command[]));
        return lane.engine.appliedSequence;
      },
    };
    const keyRing = { seal: (seed: Uint8Array) => ({ sealed: seed, keyId: 'test' }) };
    const random = { bytes: (count: number) => new Uint8Array(count).fill(this.written.length + 1) };
    const elapsedMs = () => this.clock.elapsedMs();
    const clock = { nowMs: () => this.#nowMs, elapsedMs, after: this.clock.after.bind(this.clock) };
    const ports = { clock, hashing, keyRing, monitor, random };
    this.#tasks = new OwnerTasks(replica as never, ports as never, writer as never);
  }

  get #nowMs(): number {
    return this.clock.nowMs() + this.#startedMs;
  }

  readonly #startedMs = 1_700_000_000_000;

  begin(): void {
    this.lane.apply(...running(threePots()));
    this.lane.apply(contribution(), contribution());
    this.#tasks.start();
  }

  /** Lets time pass step by step, so that what was written is known before the next check. */
  async pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 200) {
      this.clock.advance(200);
      await Promise.resolve();
      await Promise.resolve();
    }
  }

  kinds(): readonly string[] {
    return this.written.map(({ kind }) => kind);
  }
}

describe("the owner's tasks", () => {
  it('reveal an ended epoch and commit the next seed', async () => {
    const owner = new DutifulLane();
    owner.begin();
    await owner.pass(1000);
    expect(owner.kinds()).toEqual(['OpenEpoch', 'RevealEpoch']);
    expect(owner.alarms).toEqual([]);
    expect(owner.lane.engine.epochs(epochs)).toMatchObject([
      { state: 'revealed' },
      { state: 'running' },
      {},
      {},
    ]);
  });

  it('without the key of a seed: they raise an alarm, do everything else, and behind the deadline the instance pauses', async () => {
    const owner = new DutifulLane();
    owner.hasKey = false;
    owner.begin();
    await owner.pass(1000);
    expect(owner.kinds()).toEqual(['OpenEpoch']);
    expect(owner.alarms).toHaveLength(1);
    expect(owner.alarms[0]).toContain('the key is missing');
    await owner.pass(revealWithinMs);
    expect(owner.kinds()).toContain('Tick');
    expect(owner.lane.engine.liveValues(epochs)).toMatchObject({ status: 'Paused' });
    expect(owner.lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_suspended' }]);
  });

  it('with the key back: they reveal, and an administrator can resume', async () => {
    const owner = new DutifulLane();
    owner.hasKey = false;
    owner.begin();
    await owner.pass(revealWithinMs + 1000);
    owner.hasKey = true;
    await owner.pass(6000);
    expect(owner.kinds()).toContain('RevealEpoch');
    owner.lane.apply(setStatus('Active'));
    expect(owner.lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });
});

describe('of thousands of instances at once', () => {
  const instances = 3_000;

  it("look at each instance's tasks a few times, however many messages are written", async () => {
    const owner = new DutifulLane();
    const { engine } = owner.lane;
    let looks = 0;
    for (const name of ['epochTasks', 'deadlinesUntil'] as const) {
      const ask = engine[name].bind(engine) as (atMs: number, limit: number) => readonly unknown[];
      Object.assign(engine, {
        [name](atMs: number, limit: number) {
          const found = ask(atMs, limit);
          looks += found.length;
          return found;
        },
      });
    }
    for (let made = 0; made < instances; made += 100) {
      const configurations = Array.from({ length: 100 }, (_, index) =>
        createInstance(threePots(), { instance: `jackpot-${made + index}` }),
      );
      owner.lane.apply(...configurations);
    }
    owner.begin();
    await owner.pass(4_000);
    expect(owner.kinds().filter((kind) => kind === 'OpenEpoch').length).toBeGreaterThanOrEqual(instances);
    expect(engine.epochTasks()).toEqual([]);
    expect(looks).toBeLessThan(2 * instances);
  });
});
