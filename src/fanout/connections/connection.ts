import { clientMessagesBurst, clientMessagesPerSecond, countedBacklogBytes } from '../base/limits.ts';
import type { EngineSocket } from '../engines/engine.ts';
import type { Interest } from '../scope/interest.ts';
import type { Scope } from '../scope/scope.ts';
import { type Credential, playerOf } from './credentials.ts';

/** Why a feed's websocket is closed (docs/rules/feeds.md "Closes"). All close codes are made here. */
export const closeCodes = {
  lifetime_over: 1000,
  shutdown: 1001,
  too_big: 1009,
  overloaded: 1013,
  bad_message: 4400,
  unauthenticated: 4401,
  forbidden: 4403,
  timeout: 4408,
  flood: 4429,
} as const;

export type CloseReason = keyof typeof closeCodes;

/** One socket of a feed. Only fields: a connection has no timer and no closure of its own. */
export class Connection {
  readonly listens: 'events' | 'status';
  /** The client's, as it is counted. */
  readonly address: string;
  socket: EngineSocket | null = null;
  /** null: O4 before the client has said who it is. */
  credential: Credential | null = null;
  scope: Scope | null = null;
  interest: Interest | null = null;
  /** The instances that its ticket binds it to; null: it is bound to none. */
  instances: ReadonlySet<string> | null = null;
  /** Set while the socket is slow or its snapshot is on its way. */
  catchUp: CatchUp | null = null;
  /** O4: what is left of the last status, while the socket is slow. */
  statusParts: readonly Buffer[] = [];
  readonly openedMs: number;
  subscribedOnce = false;
  /** A token of this connection is being verified. */
  verifying = false;
  /** Set while a slow socket has to drain before it can be told why it is closed. */
  closing: { readonly reason: CloseReason; readonly sinceMs: number; readonly retryMs: number } | null = null;
  /** `seq` of the last private or foreign event. */
  privateSequence = 0;
  #messageBudget = clientMessagesBurst;
  #budgetMs: number;

  constructor(listens: 'events' | 'status', address: string, nowMs: number) {
    this.listens = listens;
    this.address = address;
    this.openedMs = nowMs;
    this.#budgetMs = nowMs;
  }

  /** The operator's id of its player; null: a service, or not said yet. */
  get player(): string | null {
    return this.credential === null ? null : (playerOf(this.credential)?.player ?? null);
  }

  /** Counts a message of the client; false when it sends too many. */
  admitMessage(nowMs: number): boolean {
    const earned = ((nowMs - this.#budgetMs) * clientMessagesPerSecond) / 1000;
    this.#messageBudget = Math.min(clientMessagesBurst, this.#messageBudget + Math.max(0, earned));
    this.#budgetMs = nowMs;
    if (this.#messageBudget < 1) return false;
    this.#messageBudget -= 1;
    return true;
  }
}

/**
 * What a socket needs beside the common stream: its snapshot, counted events in order, and the newest updates
 * that it missed while slow.
 */
export class CatchUp {
  /** Instances whose newest update is to be sent, next one last. */
  #instances: string[] = [];
  #recovered: ReadonlyMap<string, boolean> | null = null;
  readonly #counted: Buffer[] = [];
  #countedBytes = 0;
  /** Instance → the counter of its first event that waits. */
  readonly #firstCounted = new Map<string, number>();
  /** Updates published after this round may have been missed; null: none was. */
  #staleSinceRound: number | null = null;

  /** `recovered`: what to say of the instances that were asked for with `since`. */
  snapshot(instances: readonly string[], recovered: ReadonlyMap<string, boolean> | null): void {
    this.#instances = [...instances].reverse();
    this.#recovered = recovered;
  }

  /** Another snapshot in place of what is left of the first one. */
  snapshotAnew(instances: readonly string[]): void {
    this.#instances = [...instances].reverse();
  }

  /** Keeps a counted event; false when too much waits for the socket. */
  queue(
    frame: Buffer,
    event: { readonly instance: string; readonly counter: number | null } | null,
  ): boolean {
    if (this.#countedBytes + frame.length > countedBacklogBytes) return false;
    this.#counted.push(frame);
    if (event !== null && event.counter !== null && !this.#firstCounted.has(event.instance))
      this.#firstCounted.set(event.instance, event.counter);
    this.#countedBytes += frame.length;
    return true;
  }

  /** The newest event of the instance that lies before what is sent now. */
  eventSequence(instance: string, newest: number): number {
    const waiting = this.#firstCounted.get(instance);
    return waiting === undefined ? newest : Math.min(newest, waiting - 1);
  }

  missedUpdates(sinceRound: number): void {
    this.#staleSinceRound ??= sinceRound;
  }

  /**
   * Hands over what is to be sent next: a snapshot first, then counted events, then missed updates. `newest`
   * encodes an instance's update (null: not to be seen any more), `publishedAfter` names what was published
   * after a round. Stops when `hasCapacity` says so; true when nothing is left.
   */
  pump(sink: {
    hasCapacity(): boolean;
    send(frame: Buffer): void;
    newest(instance: string, recovered: boolean | undefined): Buffer | null;
    publishedAfter(round: number): string[];
  }): boolean {
    for (;;) {
      if (!sink.hasCapacity()) return this.#isDone();
      const instance = this.#instances.pop();
      if (instance !== undefined) {
        const update = sink.newest(instance, this.#recovered?.get(instance));
        if (update !== null) sink.send(update);
        continue;
      }
      this.#recovered = null;
      const frame = this.#counted.shift();
      if (frame !== undefined) {
        this.#countedBytes -= frame.length;
        if (this.#counted.length === 0) this.#firstCounted.clear();
        sink.send(frame);
        continue;
      }
      if (this.#staleSinceRound === null) return true;
      this.#instances = sink.publishedAfter(this.#staleSinceRound).reverse();
      this.#staleSinceRound = null;
    }
  }

  #isDone(): boolean {
    return this.#instances.length === 0 && this.#counted.length === 0 && this.#staleSinceRound === null;
  }
}
