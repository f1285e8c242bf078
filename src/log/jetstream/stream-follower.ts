import { LoopTurn } from '../../lib/turns.ts';
import { type Follower, isUnreadable, LogError } from '../../ports.ts';
import { streamState } from './api.ts';
import { ConsumerSession, CreationPatience } from './consumer-session.ts';
import { readMessage, readStoredBatch } from './direct-read.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

/** This many messages behind, direct reads in batches are faster than a consumer. */
const catchUpByBatchesFrom = 5_000;
/** Requests nothing more while this many received messages wait for the reader… */
const pauseAtQueued = 512;
/** …until this many are left: the next ones come while it reads these. */
const resumeAtQueued = 256;
const retryMinMs = 50;
const retryMaxMs = 1_000;
/** A missing stream may be one whose server is starting; after this many tries it is an error. */
const retriesOfRefusals = 20;
/** A newly elected server may not know its whole stream; after this many checks its end is lost. */
const lostEndAttempts = 10;

interface FollowTarget {
  readonly stream: string;
  readonly filter: string;
  /** Whether every sequence is delivered: then gaps are fetched, and a missing message is a hole. */
  readonly gapless: boolean;
  readonly replicas: number;
}

interface StreamHandlers {
  message(message: StoredMessage): undefined | void | Promise<void>;
  caughtUp?(lastSequence: number): void;
}

/** Reads a stream from a sequence on, for ever and in order, whatever happens to servers and connections. */
export class StreamFollower implements Follower {
  readonly done: Promise<void>;
  readonly #requester: Requester;
  readonly #target: FollowTarget;
  readonly #handlers: StreamHandlers;
  readonly #queue: StoredMessage[] = [];
  readonly #turn = new LoopTurn();
  readonly #start: () => Promise<number>;
  /** Both are 0 until the start is known. */
  #from = 0;
  #next = 0;
  /** The leader's last sequence when the tail was joined: the server that delivers may be behind. */
  #lastAtJoining = 0;
  #lostEndAttempts = 0;
  readonly #patience = new CreationPatience();
  #stopped = false;
  #wake: () => void = () => {};

  /** `start` finds the first sequence to read; it is asked again after an outage. */
  constructor(
    requester: Requester,
    target: FollowTarget,
    start: () => Promise<number>,
    handlers: StreamHandlers,
  ) {
    this.#requester = requester;
    this.#target = target;
    this.#handlers = handlers;
    this.#start = start;
    this.done = this.#run();
    // A caller that ignores `done` must not end the process.
    this.done.catch(() => {});
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.done.catch(() => {});
  }

  async #run(): Promise<void> {
    let delayMs = retryMinMs;
    let refusals = 0;
    while (!this.#stopped) {
      const before = this.#next;
      try {
        if (this.#from === 0) this.#next = this.#from = Math.max(1, await this.#start());
        await this.#catchUp();
        await this.#followTail();
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        refusals = error.retryable ? 0 : refusals + 1;
        const final = error.code === 'hole' || isUnreadable(error);
        if (final || refusals > retriesOfRefusals) throw error;
      }
      if (this.#stopped) return;
      delayMs = this.#next > before ? retryMinMs : Math.min(retryMaxMs, delayMs * 2);
      await this.#pause(delayMs);
    }
  }

  async #catchUp(): Promise<void> {
    const { stream, gapless } = this.#target;
    if (!gapless) return;
    let state = await streamState(this.#requester, stream);
    if (this.#next < state.first_seq) {
      throw new LogError('hole', `${stream} begins at ${state.first_seq}: message ${this.#next} is gone.`);
    }
    this.#requireWhatWasRead(state.last_seq);
    while (!this.#stopped && state.last_seq - this.#next >= catchUpByBatchesFrom) {
      await this.#readUpTo(state.last_seq - catchUpByBatchesFrom / 10);
      state = await streamState(this.#requester, stream);
    }
    this.#lastAtJoining = state.last_seq;
  }

  /** Refuses a stream that ends before the last message read: new ones would take the lost places. */
  #requireWhatWasRead(lastSequence: number): void {
    const read = this.#next - 1;
    if (read < this.#from || lastSequence >= read) {
      this.#lostEndAttempts = 0;
      return;
    }
    this.#lostEndAttempts += 1;
    throw new LogError(
      this.#lostEndAttempts < lostEndAttempts ? 'unavailable' : 'hole',
      `${this.#target.stream} ends at ${lastSequence}, but message ${read} was read: its last messages are gone.`,
    );
  }

  /** Batch by batch; requests each while the one before it is delivered. */
  async #readUpTo(lastSequence: number): Promise<void> {
    const { stream } = this.#target;
    let reading: Promise<readonly StoredMessage[]> = readStoredBatch(this.#requester, stream, this.#next);
    while (!this.#stopped) {
      const messages = await reading;
      this.#turn.begin();
      const next = (messages.at(-1)?.sequence ?? this.#next) + 1;
      const goOn = next <= lastSequence;
      if (goOn) {
        reading = readStoredBatch(this.#requester, stream, next);
        // Not awaited if a handler fails meanwhile.
        reading.catch(() => {});
      }
      if (messages.length === 0) await this.#deliver(await this.#fetch(this.#next));
      for (const message of messages) {
        const waiting = this.#deliver(message);
        if (waiting !== undefined) await waiting;
        if (this.#turn.isOver) await this.#turn.next();
        if (this.#stopped) return;
      }
      if (!goOn) return;
    }
  }

  async #followTail(): Promise<void> {
    const { stream, filter, replicas } = this.#target;
    let ended = false;
    let pending = Number.POSITIVE_INFINITY;
    let isCaughtUp = false;
    const noteProgress = (): void => {
      if (isCaughtUp || pending > 0 || this.#next <= this.#lastAtJoining) return;
      isCaughtUp = true;
      this.#handlers.caughtUp?.(this.#next - 1);
    };
    const session: ConsumerSession = new ConsumerSession(
      this.#requester,
      { stream, filter, replicas, fromSequence: this.#next, createWithinMs: this.#patience.limitMs },
      {
        message: (message) => {
          this.#queue.push(message);
          if (this.#queue.length >= pauseAtQueued) session.pause();
          if (this.#queue.length === 1) this.#wake();
        },
        ended: () => {
          ended = true;
          this.#wake();
        },
      },
    );
    this.#queue.length = 0;
    try {
      pending = await this.#patience.within(() => session.open());
      noteProgress();
      while (!this.#stopped) {
        // The queue is read in place: what arrives while a handler is awaited is appended.
        for (let index = 0; index < this.#queue.length; index += 1) {
          const waiting = this.#deliver(this.#queue[index]!);
          if (waiting !== undefined) await waiting;
          if (this.#turn.isOver) await this.#turn.next();
          if (this.#stopped) return;
          pending -= 1;
          noteProgress();
          if (this.#queue.length - index > resumeAtQueued || !session.paused) continue;
          this.#queue.splice(0, index + 1);
          index = -1;
          session.goOn();
        }
        this.#queue.length = 0;
        session.goOn();
        if (ended) return;
        await this.#woken();
        this.#turn.begin();
      }
    } finally {
      session.close();
    }
  }

  #deliver(message: StoredMessage): void | Promise<void> {
    if (message.sequence < this.#next) return;
    if (this.#target.gapless && message.sequence > this.#next) return this.#fillGap(message);
    this.#next = message.sequence + 1;
    return this.#handlers.message(message);
  }

  async #fillGap(message: StoredMessage): Promise<void> {
    while (this.#next < message.sequence && !this.#stopped) {
      const missing = await this.#fetch(this.#next);
      this.#next = missing.sequence + 1;
      await this.#handlers.message(missing);
    }
    if (this.#stopped) return;
    this.#next = message.sequence + 1;
    await this.#handlers.message(message);
  }

  async #fetch(sequence: number): Promise<StoredMessage> {
    const { stream, replicas } = this.#target;
    const found = await readMessage(this.#requester, stream, { seq: sequence }, replicas);
    if (found === null) throw new LogError('hole', `${stream} has no message ${sequence}.`);
    return found;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#queue.length > 0 || this.#stopped) resolve();
    });
  }

  /** Until the delay is over, or the connection is back, or following ends. */
  async #pause(delayMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let stopListening = (): void => {};
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, delayMs);
      stopListening = this.#requester.connection.onUp(resolve);
    });
    clearTimeout(timer);
    stopListening();
  }
}
