import { setTimeout as sleep } from 'node:timers/promises';
import { LoopTurn } from '../../lib/turns.ts';
import { type Follower, type FollowHandlers, LogError } from '../../ports.ts';

const retryMs = 250;

interface Sequenced {
  readonly sequence: number;
}

/**
 * Follows a stream, and reads from the archive what the stream has dropped. It begins at the stream, since
 * few readers want anything older.
 */
export class JoinedFollower<T extends Sequenced> implements Follower {
  readonly done: Promise<void>;
  readonly #handlers: FollowHandlers<T>;
  readonly #follow: (from: number, handlers: FollowHandlers<T>) => Follower;
  readonly #archived: (from: number) => Promise<readonly T[] | null>;
  readonly #first: () => Promise<number>;
  readonly #turn = new LoopTurn();
  #next: number;
  #live: Follower | null = null;
  #stopped = false;

  /**
   * `first` gives the stream's first sequence. `reportsHoles`: a follower of the stream fails if its first
   * message is gone; others begin after it.
   */
  constructor(
    fromSequence: number,
    handlers: FollowHandlers<T>,
    ports: {
      readonly follow: (from: number, handlers: FollowHandlers<T>) => Follower;
      readonly archived: (from: number) => Promise<readonly T[] | null>;
      readonly first: () => Promise<number>;
      readonly reportsHoles: boolean;
    },
  ) {
    this.#next = Math.max(1, fromSequence);
    this.#handlers = handlers;
    this.#follow = ports.follow;
    this.#archived = ports.archived;
    this.#first = ports.first;
    if (ports.reportsHoles) this.#live = this.#followLive();
    this.done = this.#run();
    // A caller that ignores `done` must not end the process.
    this.done.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#live?.stop();
    await this.done.catch(() => {});
  }

  async #run(): Promise<void> {
    if (this.#live === null) await this.#deliver();
    while (!this.#stopped) {
      this.#live ??= this.#followLive();
      try {
        return await this.#live.done;
      } catch (error) {
        this.#live = null;
        const isHole = error instanceof LogError && error.code === 'hole';
        if (!isHole || this.#stopped || !(await this.#deliver())) throw error;
      }
    }
  }

  #followLive(): Follower {
    const { message, caughtUp } = this.#handlers;
    return this.#follow(this.#next, {
      message: (stored) => {
        this.#next = stored.sequence + 1;
        return message.call(this.#handlers, stored);
      },
      caughtUp: (lastSequence) => caughtUp?.call(this.#handlers, lastSequence),
    });
  }

  /**
   * Delivers what the archive has from the next message on, if the stream has dropped that one: what the
   * stream has lost at its end must not come from the archive, since new messages would take its place.
   * False: nothing was delivered.
   */
  async #deliver(): Promise<boolean> {
    if (this.#next >= ((await this.#persistently(this.#first)) ?? 0)) return false;
    for (let isFirst = true; ; isFirst = false) {
      const messages = await this.#persistently(() => this.#archived(this.#next));
      if (messages === null || messages.length === 0) return !isFirst;
      this.#turn.begin();
      for (const message of messages) {
        if (this.#stopped) return true;
        this.#next = message.sequence + 1;
        await this.#handlers.message(message);
        if (this.#turn.isOver) await this.#turn.next();
      }
    }
  }

  async #persistently<R>(work: () => Promise<R>): Promise<R | null> {
    while (!this.#stopped) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof LogError && error.retryable)) throw error;
      }
      await sleep(retryMs);
    }
    return null;
  }
}
