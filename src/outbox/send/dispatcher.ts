import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import type { Receiver } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { Breaker } from './breaker.ts';
import { Queue } from './queue.ts';

/** One try that waits for its turn. */
export interface WaitingTry {
  /** Sends; resolves to whether the receiver answered, whatever it said. */
  run(): Promise<boolean>;
  /** Nothing was sent: a probe of the receiver had no answer while this waited. */
  receiverIsDown(): void;
  /** Nothing was sent, and never will be: the dispatcher has stopped. */
  dropped(): void;
}

interface Host {
  inFlight: number;
}

interface ReceiverState {
  readonly receiver: Receiver;
  readonly host: Host;
  readonly operator: Host;
  readonly breaker: Breaker;
  /** First tries, whose content is in memory, and repeats, whose content is not. */
  readonly first: Queue<WaitingTry>;
  readonly repeats: Queue<WaitingTry>;
  inFlight: number;
  repeatsNext: boolean;
  cancelProbe: (() => void) | null;
}

/**
 * Decides which try is sent when: at most 8 at a time to a host and 64 of an operator, receivers in turn, and only probes to
 * a receiver that is down. A receiver is one operator's host, so that its failures count for nobody else.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #receivers = new Map<string, ReceiverState>();
  readonly #hosts = new Map<string, Host>();
  readonly #operators = new Map<string, Host>();
  #inFlight = 0;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False: too many first tries wait for the receiver. */
  offerFirst(receiver: Receiver, turn: WaitingTry): boolean {
    if (this.#isDropped(turn)) return true;
    const state = this.#stateOf(receiver);
    if (state.first.length >= outboxLimits.firstTriesWaiting) return false;
    state.first.push(turn);
    this.#pump();
    return true;
  }

  /** Repeats wait as long as it takes: their content is stored. */
  offerRepeat(receiver: Receiver, turn: WaitingTry): void {
    if (this.#isDropped(turn)) return;
    this.#stateOf(receiver).repeats.push(turn);
    this.#pump();
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Nothing new begins. What waits is dropped: it is stored, or will be read again. */
  stop(): void {
    this.#stopped = true;
    for (const state of this.#receivers.values()) {
      state.cancelProbe?.();
      for (const turn of waiting(state)) turn.dropped();
    }
    this.#receivers.clear();
  }

  /** Somebody may wait for the turn, and others for him: a turn that never ends would keep the process from its end. */
  #isDropped(turn: WaitingTry): boolean {
    if (this.#stopped) turn.dropped();
    return this.#stopped;
  }

  #stateOf(receiver: Receiver): ReceiverState {
    const key = `${receiver.operator} ${receiver.origin}`;
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const made: ReceiverState = {
      receiver,
      host: hostOf(this.#hosts, receiver.origin),
      operator: hostOf(this.#operators, receiver.operator),
      breaker: new Breaker(this.#clock),
      first: new Queue(),
      repeats: new Queue(),
      inFlight: 0,
      repeatsNext: false,
      cancelProbe: null,
    };
    this.#receivers.set(key, made);
    return made;
  }

  /** Rounds over all receivers, one try each, until nobody may begin one more. */
  #pump(): void {
    for (let begun = true; begun && !this.#stopped; ) {
      begun = false;
      for (const [key, state] of this.#receivers) {
        if (this.#inFlight >= outboxLimits.inFlight) return;
        if (!this.#mayBegin(state)) continue;
        // Who had a turn comes last in the next round.
        this.#receivers.delete(key);
        this.#receivers.set(key, state);
        this.#begin(state);
        begun = true;
        break;
      }
    }
  }

  #mayBegin(state: ReceiverState): boolean {
    if (state.first.length + state.repeats.length === 0) return false;
    if (state.host.inFlight >= outboxLimits.inFlightPerHost) return false;
    if (state.operator.inFlight >= outboxLimits.inFlightPerOperator) return false;
    const waitMs = state.breaker.waitMs();
    if (waitMs !== null && waitMs > 0) this.#probeLater(state, waitMs);
    return waitMs === 0;
  }

  #probeLater(state: ReceiverState, waitMs: number): void {
    state.cancelProbe ??= this.#clock.after(waitMs, () => {
      state.cancelProbe = null;
      this.#pump();
    });
  }

  #begin(state: ReceiverState): void {
    const { host, operator, breaker } = state;
    const turn = nextOf(state);
    if (turn === undefined) return;
    breaker.begun();
    const wasProbe = breaker.isOpen;
    for (const each of [host, operator, state]) each.inFlight += 1;
    this.#inFlight += 1;
    turn
      .run()
      .then((answered) => {
        if (answered) breaker.answered();
        else breaker.unanswered();
        if (!answered && wasProbe) for (const each of waiting(state)) each.receiverIsDown();
      })
      .finally(() => {
        for (const each of [host, operator, state]) each.inFlight -= 1;
        this.#inFlight -= 1;
        this.#forget(state);
        this.#pump();
      })
      .catch(crash);
  }

  /** Receivers and hosts without work are not kept, unless one is down. */
  #forget({ receiver, host, operator, breaker, first, repeats, inFlight }: ReceiverState): void {
    if (inFlight + first.length + repeats.length === 0 && !breaker.isOpen)
      this.#receivers.delete(`${receiver.operator} ${receiver.origin}`);
    if (host.inFlight === 0 && !this.#hasReceiver((each) => each.host === host))
      this.#hosts.delete(receiver.origin);
    if (operator.inFlight === 0 && !this.#hasReceiver((each) => each.operator === operator))
      this.#operators.delete(receiver.operator);
  }

  #hasReceiver(matches: (state: ReceiverState) => boolean): boolean {
    for (const state of this.#receivers.values()) if (matches(state)) return true;
    return false;
  }
}

function hostOf(hosts: Map<string, Host>, name: string): Host {
  const known = hosts.get(name);
  if (known !== undefined) return known;
  const made = { inFlight: 0 };
  hosts.set(name, made);
  return made;
}

/** First tries and repeats take turns: neither waits for all of the others. */
function nextOf(state: ReceiverState): WaitingTry | undefined {
  const [one, other] = state.repeatsNext ? [state.repeats, state.first] : [state.first, state.repeats];
  state.repeatsNext = !state.repeatsNext;
  return one.shift() ?? other.shift();
}

function waiting({ first, repeats }: ReceiverState): WaitingTry[] {
  return [...first.take(), ...repeats.take()];
}
