import { crash } from '../../lib/crash.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import type { Follower, Log, StoredCommand, StoredOutcome } from '../../ports.ts';

/** Messages of one stream that wait for those of the other. */
const maxWaiting = 512;

class Waiting<T> {
  readonly #messages: T[] = [];
  #makeRoom: () => void = () => {};

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** A promise: the stream waits until there is room. */
  add(message: T): Promise<void> | void {
    this.#messages.push(message);
    if (this.#messages.length < maxWaiting) return;
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  next(): T {
    this.free();
    return this.#messages.shift()!;
  }

  /** The stream goes on. */
  free(): void {
    this.#makeRoom();
    this.#makeRoom = () => {};
  }
}

/**
 * Follows a lane's commands together with their outcome records: `pair` gets each message with its record,
 * strictly in order, and is awaited before the next. What it throws ends following.
 */
export function followPairs(
  log: Pick<Log, 'follow' | 'followOutcomes'>,
  lane: number,
  fromSequence: number,
  turn: LoopTurn,
  pair: (command: StoredCommand, outcome: StoredOutcome) => Promise<void> | void,
): Follower {
  const commands = new Waiting<StoredCommand>();
  const outcomes = new Waiting<StoredOutcome>();
  let isStopped = false;
  let isPairing = false;
  let pairing: Promise<void> = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });

  async function pairAll(): Promise<void> {
    try {
      while (!isStopped && !commands.isEmpty && !outcomes.isEmpty) {
        await pair(commands.next(), outcomes.next());
        if (turn.isOver) await turn.next();
      }
    } catch (error) {
      isStopped = true;
      fail(error);
    }
    isPairing = false;
  }
  const go = (): void => {
    if (isPairing || isStopped) return;
    isPairing = true;
    pairing = pairAll();
    pairing.catch(crash);
  };
  const takes = <T>(waiting: Waiting<T>) => ({
    message(stored: T): Promise<void> | void {
      const room = waiting.add(stored);
      go();
      return room;
    },
  });
  const followers = [
    log.follow(lane, fromSequence, takes(commands)),
    log.followOutcomes(lane, fromSequence, {}, takes(outcomes)),
  ];

  async function stop(): Promise<void> {
    isStopped = true;
    commands.free();
    outcomes.free();
    await Promise.all([...followers.map((follower) => follower.stop()), pairing]);
  }
  const done = Promise.race([failed, ...followers.map((follower) => follower.done)]).finally(stop);
  // A caller that ignores `done` must not end the process.
  done.catch(() => {});
  return { done, stop };
}
