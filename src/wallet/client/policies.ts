import {
  bulkhead,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  isBrokenCircuitError,
  isBulkheadRejectedError,
  retry,
  wrap,
} from 'cockatiel';
import { FairQueue, QueueFull } from '../../access/passwords/fair-queue.ts';
import type { Clock } from '../../ports.ts';
import { unknown, type WalletAnswer } from './answer.ts';
import type { Caller } from './caller.ts';
import { walletLimits } from './limits.ts';

type Try = () => Promise<WalletAnswer>;

/** What a call that moves money is for. Each has places and a breaker, so that none waits for another. */
export const moneyPurposes = ['debit', 'cancel', 'credit'] as const;
export type MoneyPurpose = (typeof moneyPurposes)[number];

/**
 * Tries, breakers and bulkheads of one brand. Services, proven addresses and all others each have a breaker, and
 * services have separate places: a contribution never waits for other callers.
 */
export class Policies {
  readonly #services = bulkhead(walletLimits.callsAtOnce, walletLimits.callsWaiting);
  readonly #public: FairQueue;
  readonly #tries = { service: triesOf(), proven: triesOf(), unproven: triesOf() };
  readonly #money: Readonly<Record<MoneyPurpose, MoneyPolicy>> = {
    debit: new MoneyPolicy(walletLimits.debitsAtOnce),
    cancel: new MoneyPolicy(walletLimits.cancelsAtOnce),
    credit: new MoneyPolicy(walletLimits.creditsAtOnce),
  };

  constructor(clock: Clock) {
    this.#public = new FairQueue(clock, {
      concurrent: walletLimits.publicCallsAtOnce,
      concurrentUnproven: walletLimits.unprovenCallsAtOnce,
      unprovenRest: false,
      waiting: walletLimits.publicCallsWaiting,
      waitingPerAddress: walletLimits.publicCallsWaitingOfAddress,
      waitingPerUser: walletLimits.publicCallsWaitingOfAddress,
    });
  }

  async run(caller: Caller, once: Try): Promise<WalletAnswer> {
    const begunMs = performance.now();
    const inTurn = async (tries: IPolicy): Promise<WalletAnswer> =>
      performance.now() - begunMs > walletLimits.maxWaitMs ? unknown('too_many_calls') : tries.execute(once);
    try {
      if (caller.kind === 'service') return await this.#services.execute(() => inTurn(this.#tries.service));
      const { address, proven } = caller;
      const tries = proven ? this.#tries.proven : this.#tries.unproven;
      return await this.#public.run({ address, user: '', proven }, () => inTurn(tries));
    } catch (error) {
      return notSent(error);
    }
  }

  attempt(purpose: MoneyPurpose, once: Try): Promise<WalletAnswer> {
    return this.#money[purpose].attempt(once);
  }

  mayAttempt(purpose: MoneyPurpose): boolean {
    return this.#money[purpose].mayAttempt();
  }

  onRecovery(purpose: MoneyPurpose, recovered: () => void): void {
    this.#money[purpose].breaker.onReset(recovered);
  }
}

/** Places and the breaker of one purpose. Nobody waits here: a call without a place was not sent. */
class MoneyPolicy {
  readonly breaker = breakerOf();
  readonly #places: IPolicy;
  #grantedMs = Number.NEGATIVE_INFINITY;

  constructor(atOnce: number) {
    this.#places = wrap(bulkhead(atOnce), this.breaker);
  }

  /** For calls with preparations that cost something: while the breaker is open, true once for each call that it lets through. */
  mayAttempt(): boolean {
    if (this.breaker.state === CircuitState.Closed) return true;
    const nowMs = performance.now();
    if (nowMs - this.#grantedMs < walletLimits.halfOpenAfterMs) return false;
    this.#grantedMs = nowMs;
    return true;
  }

  async attempt(once: Try): Promise<WalletAnswer> {
    try {
      return await this.#places.execute(once);
    } catch (error) {
      return notSent(error);
    }
  }
}

/** @throws what is a bug */
function notSent(error: unknown): WalletAnswer {
  if (isBrokenCircuitError(error)) return unknown('breaker_open');
  if (isBulkheadRejectedError(error) || error instanceof QueueFull) return unknown('too_many_calls');
  throw error;
}

function breakerOf(): CircuitBreakerPolicy {
  const isUnknown = handleWhenResult((answer) => (answer as WalletAnswer).kind === 'unknown');
  return circuitBreaker(isUnknown, {
    halfOpenAfter: walletLimits.halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(walletLimits.failuresToOpen),
  });
}

function triesOf(): IPolicy {
  const mayChange = handleWhenResult((answer) => {
    const { kind, reason } = answer as Extract<WalletAnswer, { kind: 'unknown' }>;
    return kind === 'unknown' && reason !== 'address_not_allowed';
  });
  return wrap(
    retry(mayChange, {
      maxAttempts: walletLimits.tries - 1,
      backoff: new ExponentialBackoff({
        initialDelay: walletLimits.firstPauseMs,
        maxDelay: walletLimits.maxPauseMs,
      }),
    }),
    breakerOf(),
  );
}
