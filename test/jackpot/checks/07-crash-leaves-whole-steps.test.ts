import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { EngineMessage, LaneEngine } from '../../../src/jackpot/engine.ts';
import type { Hashing } from '../../../src/jackpot/hashing.ts';
import { restoreLane } from '../../../src/jackpot/lane.ts';
import { Random } from '../mixed/random.ts';
import { MixedRun } from '../mixed/run.ts';
import { testHashing } from '../support/hashing.ts';
import { settings } from '../support/lane.ts';
import { patienceMs, scaled } from './scale.ts';

const HISTORY = 1200;

/**
 * Proves: a host that dies anywhere (before the message is in the log, in the middle of applying it, in the middle of a
 * snapshot) comes back with none of a contribution or with all of it: what the log holds is done once, and only that.
 * Hosts and processes that are really killed are in test/sim, test/actors and test/e2e.
 */
it('check 7: a crash between any two steps leaves either no contribution or the whole one', {
  timeout: patienceMs,
}, () => {
  const histories = scaled(5, 250);
  let crashes = 0;
  for (let seed = 1; seed <= histories; seed++) crashes += play(seed);
  expect(crashes).toBeGreaterThan(histories * 20);
});

function play(seed: number): number {
  const run = new MixedRun(seed);
  const chance = new Random(seed + 1_000_000);
  // The disk of the host that crashes: the log so far, and the last snapshot that was written to its end.
  const log: EngineMessage[] = [];
  let kept: readonly Uint8Array[] = [...run.lane.engine.snapshot()];
  let crashes = 0;
  run.apply(run.begin());
  log.push(run.lane.log[0]!);
  while (run.commands < HISTORY) {
    const before = digestOf(run.lane.engine);
    run.apply(run.next());
    const message = run.lane.log[log.length]!;
    if (chance.once(4)) {
      crashes += 1;
      const isLogged = chance.once(2);
      dieWhileApplying(recovered(kept, log), message, 1 + chance.below(12));
      // Whatever it had done in memory is gone; the log tells whether the message ever was.
      const again = recovered(kept, isLogged ? [...log, message] : log);
      expect(digestOf(again), `history ${seed}, message ${message.sequence}`).toBe(
        isLogged ? digestOf(run.lane.engine) : before,
      );
    }
    log.push(message);
    if (chance.once(10)) kept = snapshotOf(run.lane.engine, chance) ?? kept;
  }
  return crashes;
}

class Died extends Error {}

/** Hashes left until the process dies; null: it lives. */
let fuse: number | null = null;

const mortal: Hashing = new Proxy(testHashing, {
  get(target, name, receiver) {
    const member = Reflect.get(target, name, receiver);
    return (...given: unknown[]) => {
      if (fuse !== null && --fuse <= 0) throw new Died();
      return member.apply(target, given);
    };
  },
});

/** What a host does when it starts: the snapshot, then the log behind it. */
function recovered(kept: readonly Uint8Array[], log: readonly EngineMessage[]): LaneEngine {
  const engine = restoreLane(kept, mortal, { ...settings, epochMs: 10_000_000, epochSequences: 60 });
  for (const message of log) if (message.sequence > engine.appliedSequence) engine.apply(message);
  return engine;
}

/** A step makes a hash here and there: the process dies at one of them, wherever in the step that is. */
function dieWhileApplying(engine: LaneEngine, message: EngineMessage, hashes: number): void {
  fuse = hashes;
  try {
    engine.apply(message);
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  } finally {
    fuse = null;
  }
}

/** null: the host died while it wrote it, and what there is of it is refused. */
function snapshotOf(engine: LaneEngine, chance: Random): readonly Uint8Array[] | null {
  const chunks = [...engine.snapshot()];
  if (chance.once(2)) return chunks;
  const torn = chunks.slice(0, chance.below(chunks.length));
  expect(() => restoreLane(torn, testHashing, settings)).toThrow();
  return null;
}

function digestOf(engine: LaneEngine): string {
  const hash = createHash('sha256');
  for (const chunk of engine.snapshot()) hash.update(chunk);
  return hash.digest('hex');
}
