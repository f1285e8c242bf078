import { Worker } from 'node:worker_threads';
import { LogError } from '../../ports.ts';
import type { AlarmMonitor } from '../ports/actor-ports.ts';
import type { EpochFollowing, FollowEpochs, FollowingEvents } from '../ports/epoch-ports.ts';
import {
  appliedPlace,
  type FromFollower,
  newSequences,
  type OfFollowing,
  receivedError,
  recordedPlace,
  type ToFollower,
} from './messages.ts';

const announceEveryMs = 100;

export interface EpochThread {
  readonly follow: FollowEpochs;
  stop(): Promise<void>;
}

/**
 * Follows epochs on one thread of a low priority, which starts with the first of them and again after it has
 * ended. `program` and `settings`: what it runs, and with what.
 */
export function epochThread(program: string, settings: object, monitor: AlarmMonitor): EpochThread {
  let current: RunningThread | null = null;
  return {
    follow(plan, applied, events) {
      current ??= new RunningThread(program, settings, monitor, () => {
        current = null;
      });
      return current.follow(plan, applied, events);
    },
    async stop() {
      await current?.stop();
    },
  };
}

interface Open {
  readonly events: FollowingEvents;
  readonly applied: () => number;
  readonly sequences: BigInt64Array;
  resolve(): void;
  reject(error: Error): void;
}

class RunningThread {
  readonly #worker: Worker;
  readonly #monitor: AlarmMonitor;
  readonly #open = new Map<number, Open>();
  readonly #timer: NodeJS.Timeout;
  #followings = 0;

  constructor(program: string, settings: object, monitor: AlarmMonitor, ended: () => void) {
    this.#monitor = monitor;
    this.#worker = new Worker(program, { workerData: settings });
    this.#worker.unref();
    this.#timer = setInterval(() => this.#announce(), announceEveryMs).unref();
    let cause: unknown = null;
    this.#worker.on('message', (message: FromFollower) => this.#received(message));
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.once('exit', () => {
      clearInterval(this.#timer);
      ended();
      const why = cause instanceof Error ? `: ${cause.message}` : '';
      const error = new LogError('unavailable', `The thread that publishes epochs ended${why}.`, { cause });
      for (const open of this.#open.values()) open.reject(error);
      this.#open.clear();
    });
  }

  follow: FollowEpochs = (plan, applied, events) => {
    this.#followings += 1;
    const id = this.#followings;
    const shared = newSequences();
    const sequences = new BigInt64Array(shared);
    const done = new Promise<void>((resolve, reject) => {
      this.#open.set(id, { applied, events, sequences, resolve, reject });
    });
    this.#announce();
    this.#send({ kind: 'follow', id, plan, sequences: shared });
    return {
      done,
      recorded: () => Number(Atomics.load(sequences, recordedPlace)),
      stop: () => this.#end(id),
    } satisfies EpochFollowing;
  };

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Does not wait for the thread: what it still stores is the same for every owner. */
  #end(id: number): void {
    this.#send({ kind: 'stop', id });
    this.#open.get(id)?.resolve();
    this.#open.delete(id);
  }

  #send(message: ToFollower): void {
    this.#worker.postMessage(message);
  }

  #announce(): void {
    for (const { applied, sequences } of this.#open.values())
      Atomics.store(sequences, appliedPlace, BigInt(applied()));
  }

  #received(message: FromFollower): void {
    if (message.kind === 'alarm') this.#monitor.alarm(message.lane, message.code, message.text);
    else this.#happened(message);
  }

  #happened(message: OfFollowing): void {
    const open = this.#open.get(message.id);
    if (open === undefined) return;
    const { events } = open;
    if (message.kind === 'published') events.published(message.instance, message.epoch);
    else if (message.kind === 'fellBehind') events.fellBehind(message.messages);
    else if (message.kind === 'failed')
      events.failed(message.instance, message.epoch, receivedError(message.error));
    else {
      this.#open.delete(message.id);
      if (message.error === null) open.resolve();
      else open.reject(receivedError(message.error));
    }
  }
}
