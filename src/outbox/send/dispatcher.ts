import { Counts } from '../../lib/counts.ts';
import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import type { Receiver } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';

/** One try that waits for its turn. */
export interface WaitingTry {
  /** Sends; resolves to whether the receiver answered, whatever it said. */
  run(): Promise<boolean>;
  /** Nothing was sent: a probe of the receiver had no answer while this waited. */
  receiverIsDown(): void;
  /** Nothing was sent, and never will be: the dispatcher has stopped. */
  dropped(): void;
}

interface ReceiverState {
  readonly receiver: Receiver;
  readonly breaker: Breaker;
  /** First tries, whose content is in memory, and repeats, whose content is not. */
  readonly first: Queue<WaitingTry>;
  readonly repeats: Queue<WaitingTry>;
  inFlight: number;
  repeatsNext: boolean;
  cancelProbe: (() => void) | null;
}

/**
 * Decides which try is sent when: at most 8 at a time to a host and 64 of an operator, receivers in turn, and
 * only probes to a receiver that is down. A receiver is one operator's host, so its failures count for no
 * other operator.
 */
export class Dispatcher {
  readonly #clock: Clock;
  readonly #receivers = new Map<string, ReceiverState>();
  /** Tries under way. */
  readonly #ofHost = new Counts();
  readonly #ofOperator = new Counts();
  #inFlight = 0;
  #stopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** False: too many first tries wait for the receiver. */
  offerFirst(receiver: Receiver, waiting: WaitingTry): boolean {
    if (this.#isDropped(waiting)) return true;
    const state = this.#stateOf(receiver);
    if (state.first.length >= outboxLimits.firstTriesWaiting) return false;
    state.first.push(waiting);
    this.#pump();
    return true;
  }

  /** Repeats wait as long as it takes: their content is stored. */
  offerRepeat(receiver: Receiver, waiting: WaitingTry): void {
    if (this.#isDropped(waiting)) return;
    this.#stateOf(receiver).repeats.push(waiting);
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
      for (const each of allWaiting(state)) each.dropped();
    }
    this.#receivers.clear();
  }

  /** A try that never ends would keep its caller, and so the process, from ending. */
  #isDropped(waiting: WaitingTry): boolean {
    if (this.#stopped) waiting.dropped();
    return this.#stopped;
  }

  #stateOf(receiver: Receiver): ReceiverState {
    const key = keyOf(receiver);
    const known = this.#receivers.get(key);
    if (known !== undefined) return known;
    const made: ReceiverState = {
      receiver,
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

  /** Rounds over all receivers, one try each, until no receiver may begin one more. */
  #pump(): void {
    for (let begun = true; begun && !this.#stopped; ) {
      begun = false;
      for (const [key, state] of this.#receivers) {
        if (this.#inFlight >= outboxLimits.inFlight) return;
        if (!this.#mayBegin(state)) continue;
        // A receiver that had its turn comes last in the next round.
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
    if (this.#ofHost.of(state.receiver.origin) >= outboxLimits.inFlightPerHost) return false;
    if (this.#ofOperator.of(state.receiver.operator) >= outboxLimits.inFlightPerOperator) return false;
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
    const { receiver, breaker } = state;
    const next = nextOf(state);
    if (next === undefined) return;
    breaker.begun();
    const wasProbe = breaker.isOpen;
    this.#inFlight += 1;
    state.inFlight += 1;
    this.#ofHost.add(receiver.origin);
    this.#ofOperator.add(receiver.operator);
    next
      .run()
      .then((answered) => {
        if (answered) breaker.answered();
        else breaker.unanswered();
        if (!answered && wasProbe) for (const each of allWaiting(state)) each.receiverIsDown();
      })
      .finally(() => {
        this.#inFlight -= 1;
        state.inFlight -= 1;
        this.#ofHost.remove(receiver.origin);
        this.#ofOperator.remove(receiver.operator);
        // Receivers without work are not kept, unless they are down.
        if (state.inFlight + state.first.length + state.repeats.length === 0 && !breaker.isOpen)
          this.#receivers.delete(keyOf(receiver));
        this.#pump();
      })
      .catch(crash);
  }
}

function keyOf({ operator, origin }: Receiver): string {
  return `${operator} ${origin}`;
}

/** First tries and repeats take turns: neither waits for all of the others. */
function nextOf(state: ReceiverState): WaitingTry | undefined {
  const [one, other] = state.repeatsNext ? [state.repeats, state.first] : [state.first, state.repeats];
  state.repeatsNext = !state.repeatsNext;
  return one.shift() ?? other.shift();
}

function allWaiting({ first, repeats }: ReceiverState): WaitingTry[] {
  return [...first.take(), ...repeats.take()];
}

/** First in, first out, without moving the others. */
class Queue<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (this.#head === this.#items.length) return undefined;
    this.#head += 1;
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Everything, which leaves the queue. */
  take(): T[] {
    const items = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return items;
  }
}

const { failuresToOpen, probeEveryMs } = outboxLimits;

/**
 * Whether a receiver may be sent to. After some tries without an answer it is down: one try probes it every 2
 * s, and the result holds for all that wait.
 */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #nextProbeMs = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#failures >= failuresToOpen;
  }

  /** How long the next try has to wait; null: until the probe that is under way has ended. */
  waitMs(): number | null {
    if (!this.isOpen) return 0;
    return this.#probing ? null : Math.max(0, this.#nextProbeMs - this.#clock.elapsedMs());
  }

  begun(): void {
    if (this.isOpen) this.#probing = true;
  }

  answered(): void {
    this.#failures = 0;
    this.#probing = false;
  }

  unanswered(): void {
    this.#failures += 1;
    this.#probing = false;
    if (this.isOpen) this.#nextProbeMs = this.#clock.elapsedMs() + probeEveryMs;
  }
}
