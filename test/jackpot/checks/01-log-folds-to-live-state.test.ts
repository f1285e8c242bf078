import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { MixedRun } from '../mixed/run.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const history = 20_000;

/**
 * Proves: the log alone is the truth, and a restart from any snapshot goes on as if nothing had happened.
 * In whole: a million commands of every kind, each applied live and folded once more.
 */
it('check 1: the fold of the log is the live state, byte for byte, whatever was restarted in between', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(6_000, 1_000_000);
  const seen = { commands: 0, histories: 0, restarts: 0 };
  for (let seed = 1; seen.commands < commands; seed++) {
    const run = new MixedRun(seed);
    run.apply(run.begin());
    while (run.commands < Math.min(history, commands - seen.commands)) {
      run.apply(run.next());
      if (!run.random.once(400)) continue;
      run.lane.restart();
      seen.restarts += 1;
    }
    seen.commands += run.commands;
    seen.histories += 1;
    const folded = run.lane.replayed();
    for (const id of run.instances) {
      expect(folded.liveValues(id), `history ${seed}`).toEqual(run.lane.engine.liveValues(id));
    }
    expect(digestOf(folded), `history ${seed}`).toBe(digestOf(run.lane.engine));
  }
  saw('check 1', seen);
});

/** Of everything that a lane remembers: its snapshot. */
function digestOf(engine: LaneEngine): string {
  const hash = createHash('sha256');
  for (const chunk of engine.snapshot()) hash.update(chunk);
  return hash.digest('hex');
}
