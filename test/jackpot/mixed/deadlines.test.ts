import { expect, it } from 'vitest';
import { deadlineOf } from '../../../src/jackpot/commands/status/tick.ts';
import type { LaneState } from '../../../src/jackpot/state/lane/lane-state.ts';
import { MixedRun } from './run.ts';

const commandCount = 2500;

it("every instance's deadline is the one that its state gives anew", { timeout: 120_000 }, () => {
  for (const seed of [11, 12]) {
    const run = new MixedRun(seed, { settings: { epochSequences: 200, epochMs: 3_600_000 } });
    for (let commands = run.begin(); run.commands < commandCount; commands = run.next()) {
      run.apply(commands);
      expectTrueDeadlines(run);
    }
  }
});

function expectTrueDeadlines({ lane: { engine } }: MixedRun): void {
  const { state } = engine as unknown as { readonly state: LaneState };
  /** Whatever is due is due at once. */
  const shown = (atMs: number | null): number | null => (atMs === null ? null : Math.max(atMs, state.nowMs));
  let first: number | null = null;
  for (const instance of state.instances.values()) {
    const anew = shown(deadlineOf(state, instance));
    expect(shown(engine.deadlineOf(instance.id)), instance.id).toBe(anew);
    if (anew !== null) first = Math.min(anew, first ?? anew);
  }
  if (state.touched.size > 0) return;
  expect(shown(engine.nextDeadline()?.atMs ?? null)).toBe(first);
  const due = engine.deadlinesUntil(state.nowMs, 3);
  expect(due.length > 0).toBe(first !== null && first <= state.nowMs);
}
