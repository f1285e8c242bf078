import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  backOffMs,
  decide,
  firstDelayMs,
  fruitlessStartsInARow,
  maxDelayMs,
  noFailures,
  type RestartHistory,
  restartsPerWindow,
  stableAfterMs,
  windowMs,
} from '../../src/supervisor/restart-policy.ts';

/** Lets a child fail again and again, each time after running `ranMs`, and collects what is decided. */
function failRepeatedly(times: number, run: { ranMs: number; wasReady: boolean }) {
  let history: RestartHistory = noFailures;
  let nowMs = 1_000_000;
  const directives = [];
  for (let count = 0; count < times; count += 1) {
    nowMs += run.ranMs;
    const decision = decide(history, { ...run, nowMs });
    history = decision.history;
    directives.push(decision.directive);
    if (decision.directive.kind === 'restart') nowMs += decision.directive.afterMs;
  }
  return { directives, history, nowMs };
}

test('the wait doubles from 100 ms to 5 s', () => {
  const { directives } = failRepeatedly(8, { ranMs: 10, wasReady: true });
  const waits = directives.map((directive) => (directive.kind === 'restart' ? directive.afterMs : null));
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

test('a role that works and is killed every few seconds is back at once each time, for as long as it goes on', () => {
  const { directives } = failRepeatedly(200, { ranMs: 2500, wasReady: true });
  expect(new Set(directives.map((directive) => JSON.stringify(directive)))).toEqual(
    new Set([JSON.stringify({ kind: 'restart', afterMs: 0 })]),
  );
});

test('who ran long enough starts again at once', () => {
  const failed = failRepeatedly(6, { ranMs: 10, wasReady: true });
  const ended = { ranMs: stableAfterMs, wasReady: true, nowMs: failed.nowMs + stableAfterMs };
  const { directive } = decide(failed.history, ended);
  expect(directive).toEqual({ kind: 'restart', afterMs: 0 });
});

test('a long run that never became ready is no recovery', () => {
  const failed = failRepeatedly(3, { ranMs: 10, wasReady: true });
  const ended = { ranMs: stableAfterMs * 2, wasReady: false, nowMs: failed.nowMs + stableAfterMs * 2 };
  expect(decide(failed.history, ended).directive).toEqual({ kind: 'restart', afterMs: 800 });
});

test('who never comes up is given up', () => {
  const { directives } = failRepeatedly(fruitlessStartsInARow, { ranMs: 10, wasReady: false });
  expect(directives.slice(0, -1).every((directive) => directive.kind === 'restart')).toBe(true);
  expect(directives.at(-1)?.kind).toBe('escalate');
});

test('more restarts in a minute than the limit are too many', () => {
  let history: RestartHistory = noFailures;
  for (let count = 0; count < restartsPerWindow; count += 1) {
    const decision = decide(history, { ranMs: 500, wasReady: true, nowMs: 1000 + count });
    expect(decision.directive.kind).toBe('restart');
    history = decision.history;
  }
  expect(decide(history, { ranMs: 500, wasReady: true, nowMs: 2000 }).directive.kind).toBe('escalate');
  const later = { ranMs: 500, wasReady: true, nowMs: 2000 + windowMs };
  expect(decide(history, later).directive.kind).toBe('restart');
});

test('no history grows without limit, and no wait leaves its bounds', () => {
  const runs = fc.array(
    fc.record({ ranMs: fc.nat(20_000), wasReady: fc.boolean(), pauseMs: fc.nat(30_000) }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(runs, (list) => {
      let history: RestartHistory = noFailures;
      let nowMs = 0;
      for (const { ranMs, wasReady, pauseMs } of list) {
        nowMs += ranMs + pauseMs;
        const decision = decide(history, { ranMs, wasReady, nowMs });
        if (decision.directive.kind === 'escalate') return;
        history = decision.history;
        expect(history.restartsAtMs.length).toBeLessThanOrEqual(restartsPerWindow);
        const recovered = wasReady && ranMs >= stableAfterMs;
        expect(decision.directive.afterMs).toBeGreaterThanOrEqual(recovered ? 0 : firstDelayMs);
        expect(decision.directive.afterMs).toBeLessThanOrEqual(maxDelayMs);
      }
    }),
  );
});

test('the back-off of absurd counts stays finite', () => {
  expect(backOffMs(0)).toBe(firstDelayMs);
  expect(backOffMs(1_000_000)).toBe(maxDelayMs);
});
