import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type EngineMessage, type LaneEngine, restoreLane } from '../../../src/jackpot/lane/lane.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import { finish } from '../../../src/lib/turns.ts';
import { Random } from '../mixed/random.ts';
import { MixedRun } from '../mixed/run.ts';
import { testHashing } from '../support/hashing.ts';
import { settings } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const history = 1200;

/**
 * Proves: a host that dies anywhere (before the message is in the log, in the middle of applying it, in the middle of a
 * snapshot) comes back with none of a contribution or with all of it: what the log holds is done once, and only that.
 * Hosts and processes that are really killed are in test/sim, test/actors and test/e2e.
 * In whole: a million commands of every kind, with a crash in one message of four.
 */
it('check 7: a crash between any two steps leaves either no contribution or the whole one', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(2000, 1_000_000);
  const seen = { commands: 0, messages: 0, crashes: 0 };
  for (let seed = 1; seen.commands < commands; seed++) play(seed, seen);
  saw('check 7', seen);
  expect(seen.crashes).toBeGreaterThan(seen.messages / 5);
});

function play(seed: number, seen: { commands: number; messages: number; crashes: number }): void {
  const run = new MixedRun(seed);
  const chance = new Random(seed + 1_000_000);
  // The disk of the host that crashes: the log so far, and the last snapshot that was written to its end.
  const log: EngineMessage[] = [];
  let kept: readonly Uint8Array[] = [...run.lane.engine.snapshot()];
  run.apply(run.begin());
  log.push(run.lane.log[0]!);
  while (run.commands < history) {
    const isCrash = chance.once(4);
    const isLogged = chance.once(2);
    const next = run.next();
    const before = isCrash && !isLogged ? digestOf(run.lane.engine) : '';
    run.apply(next);
    const message = run.lane.log[log.length]!;
    if (isCrash) {
      seen.crashes += 1;
      dieWhileApplying(recovered(kept, log, mortal), message, 1 + chance.below(12));
      // Whatever it had done in memory is gone; the log tells whether the message ever was.
      const again = recovered(kept, isLogged ? [...log, message] : log);
      const expected = isLogged ? digestOf(run.lane.engine) : before;
      expect(digestOf(again), `history ${seed}, message ${message.sequence}`).toBe(expected);
    }
    log.push(message);
    if (chance.once(10)) kept = snapshotOf(run.lane.engine, chance) ?? kept;
  }
  seen.commands += run.commands;
  seen.messages += log.length;
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
function recovered(
  kept: readonly Uint8Array[],
  log: readonly EngineMessage[],
  hashing: Hashing = testHashing,
): LaneEngine {
  const engine = finish(restoreLane(kept, hashing, settings));
  for (let at = engine.appliedSequence; at < log.length; at++) engine.apply(log[at]!);
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
  expect(() => finish(restoreLane(torn, testHashing, settings))).toThrow();
  return null;
}

function digestOf(engine: LaneEngine): string {
  const hash = createHash('sha256');
  for (const chunk of engine.snapshot()) hash.update(chunk);
  return hash.digest('hex');
}
