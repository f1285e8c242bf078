import { expect, it } from 'vitest';
import { AddressReputation, maxRefusalsOfAddress } from '../../src/access/players/address-reputation.ts';
import { createAttempts } from '../../src/access/sessions/attempts.ts';
import { createLoginLimit } from '../../src/access/sessions/login-limit.ts';
import { OperatorQuotas } from '../../src/gateway/api/contribution/operator-quotas.ts';
import { OptInStatuses } from '../../src/gateway/api/services/opt-in-statuses.ts';
import { TokenBuckets } from '../../src/gateway/base/token-buckets.ts';
import { BatchLag } from '../../src/gateway/lanes/lane-health.ts';
import { outboxLimits } from '../../src/outbox/delivery/limits.ts';
import { Breaker } from '../../src/outbox/send/dispatcher.ts';
import { DueTimer } from '../../src/outbox/store/due-timer.ts';
import type { Clock } from '../../src/ports.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A wall clock that can be set, and timers that never fire. */
class SetClock implements Clock {
  #stepMs = hourMs;
  #elapsedMs = 10 * minuteMs;
  nowMs(): number {
    return 1_700_000_000_000 + this.#stepMs + this.#elapsedMs;
  }
  elapsedMs(): number {
    return this.#elapsedMs;
  }
  after(): () => void {
    return () => {};
  }
  setBack(): void {
    this.#stepMs -= hourMs;
  }
  setAhead(): void {
    this.#stepMs += hourMs;
  }
  pass(ms: number): void {
    this.#elapsedMs += ms;
  }
}

/** Each begins something at a clock. It says whether that still holds; `lastsMs` later it must not. */
const ages: Readonly<
  Record<string, { readonly lastsMs: number; begin(clock: Clock): () => boolean | Promise<boolean> }>
> = {
  'a limit of a caller': {
    lastsMs: minuteMs,
    begin(clock) {
      const buckets = new TokenBuckets(clock, { perSecond: 1, burstSeconds: 1, maxCallers: 4, callers: 'x' });
      buckets.take('a');
      return () => isRefused(() => buckets.take('a'));
    },
  },
  'a quota of an operator': {
    lastsMs: minuteMs,
    begin(clock) {
      const quota = { contributions_per_second: 1, bytes_per_second: null };
      const quotas = new OperatorQuotas(clock, () => quota as never);
      quotas.take('acme', 1);
      return () => isRefused(() => quotas.take('acme', 1));
    },
  },
  'an answer about an opt-in': {
    lastsMs: minuteMs,
    begin(clock) {
      let asked = 0;
      const query = async () => {
        asked += 1;
        return { kind: 'opt_in_status', status: {} } as never;
      };
      const statuses = new OptInStatuses({ query }, clock);
      const known = { lane: 0, description: { instance: 'one' } } as never;
      void statuses.of(known, 'acme:main', 'ada');
      return async () => {
        await statuses.of(known, 'acme:main', 'ada');
        return asked === 1;
      };
    },
  },
  'a message that waits for its outcome': {
    lastsMs: Number.POSITIVE_INFINITY,
    begin(clock) {
      const lag = new BatchLag(clock);
      lag.stored(1, 1, 1);
      return () => !lag.tooFarBehind();
    },
  },
  'a window of failed log-ins': {
    lastsMs: 2 * minuteMs,
    begin(clock) {
      const limit = createLoginLimit(clock, { maxFailures: 1, windowMs: minuteMs, maxPairs: 4 });
      void limit.begin('a').then((begun) => typeof begun === 'number' || begun.failed());
      return async () => typeof (await limit.begin('a')) === 'number';
    },
  },
  'a window of attempts': {
    lastsMs: 2 * minuteMs,
    begin(clock) {
      const attempts = createAttempts(clock, { max: 1, windowMs: minuteMs, names: 4 });
      attempts.count('a');
      return () => attempts.blockedSeconds('a') > 0;
    },
  },
  'refused tokens of an address': {
    lastsMs: minuteMs,
    begin(clock) {
      const reputation = new AddressReputation(clock);
      for (let time = 0; time < maxRefusalsOfAddress; time += 1) reputation.refused('b', 'a');
      return () => reputation.blockedSeconds('b', 'a') > 0;
    },
  },
  'a receiver that is down': {
    lastsMs: minuteMs,
    begin(clock) {
      const breaker = new Breaker(clock);
      for (let time = 0; time < outboxLimits.failuresToOpen; time += 1) breaker.unanswered();
      return () => (breaker.waitMs() ?? 0) > 0;
    },
  },
  'a pause before the next try': {
    lastsMs: minuteMs,
    begin(clock) {
      const due = new DueTimer(clock, () => {});
      due.plan('a', clock.nowMs() + 5_000);
      return () => due.takeDue() === null;
    },
  },
};

it.each(Object.entries(ages))(
  '%s lasts as long as ever when the clock is set back or ahead',
  async (_, age) => {
    for (const step of ['setBack', 'setAhead'] as const) {
      const clock = new SetClock();
      const holds = age.begin(clock);
      clock[step]();
      expect(await holds(), step).toBe(true);
      if (age.lastsMs === Number.POSITIVE_INFINITY) continue;
      clock.pass(age.lastsMs);
      expect(await holds(), step).toBe(false);
    }
  },
);

function isRefused(take: () => void): boolean {
  try {
    take();
    return false;
  } catch {
    return true;
  }
}
