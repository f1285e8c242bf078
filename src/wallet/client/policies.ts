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
import type { PlayerTokenRequest } from '../../contracts/payments/player-authentication.ts';
import type { Clock } from '../../ports.ts';
import { unknown, type WalletAnswer } from './answer.ts';
import { walletLimits } from './limits.ts';

type Try = () => Promise<WalletAnswer>;

/** What a call that moves money is for. Each has a queue and a breaker of its own. */
export const moneyPurposes = ['debit', 'cancel', 'credit'] as const;
export type MoneyPurpose = (typeof moneyPurposes)[number];

/**
 * Tries and breakers of one brand, and places of its calls that move no money. Services, proven addresses and
 * all others each have a breaker, and services have separate places: a contribution never waits for other
 * callers.
 */
export class Policies {
  readonly #services = bulkhead(walletLimits.callsAtOnce, walletLimits.callsWaiting);
  readonly #public: FairQueue;
  readonly #tries = { service: triesOf(), proven: triesOf(), unproven: triesOf() };
  readonly #money: Readonly<Record<MoneyPurpose, MoneyPolicy>> = {
    debit: new MoneyPolicy(),
    cancel: new MoneyPolicy(),
    credit: new MoneyPolicy(),
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

/** The breaker of one purpose. How many calls are under way is limited by the queues of the execution. */
class MoneyPolicy {
  readonly breaker = breakerOf();
  #grantedMs = Number.NEGATIVE_INFINITY;

  /**
   * For calls with costly preparations: while the breaker is open, true once for each call that it lets
   * through.
   */
  mayAttempt(): boolean {
    if (this.breaker.state === CircuitState.Closed) return true;
    const nowMs = performance.now();
    if (nowMs - this.#grantedMs < walletLimits.halfOpenAfterMs) return false;
    this.#grantedMs = nowMs;
    return true;
  }

  async attempt(once: Try): Promise<WalletAnswer> {
    try {
      return await this.breaker.execute(once);
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

/** For whom a wallet is called. */
export type Caller =
  | { readonly kind: 'service' }
  /** Any other caller, in turn by address. */
  | { readonly kind: 'public'; readonly address: string; readonly proven: boolean };

export const service: Caller = { kind: 'service' };
/** All open sockets of a brand together: they have shown a good token. */
const openSockets: Caller = { kind: 'public', address: 'open sockets', proven: true };

export function callerOfRequest({ caller, proven }: PlayerTokenRequest): Caller {
  switch (caller.kind) {
    case 'service':
      return service;
    case 'open_socket':
      return openSockets;
    case 'frontend':
      return { kind: 'public', address: caller.address, proven };
  }
}
