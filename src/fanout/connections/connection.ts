import { clientMessagesBurst, clientMessagesPerSecond } from '../base/limits.ts';
import type { EngineSocket } from '../engines/engine.ts';
import type { Interest } from '../scope/interest.ts';
import type { Scope } from '../scope/scope.ts';
import type { CatchUp } from './catch-up.ts';
import type { CloseReason } from './close-codes.ts';
import type { Credential } from './credentials.ts';

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
  /** Set while the socket is slow or its snapshot is on its way. */
  catchUp: CatchUp | null = null;
  /** O4: what is left of the last status, while the socket is slow. */
  statusParts: readonly Buffer[] = [];
  readonly openedMs: number;
  subscribedOnce = false;
  /** A token of this connection is being verified. */
  verifying = false;
  /** Set while a slow socket has to drain before it can be told why it is closed. */
  closing: { readonly reason: CloseReason; readonly sinceMs: number } | null = null;
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

  /** The operator's id of the player behind it; null: a service, or not said yet. */
  get player(): string | null {
    return this.credential?.kind === 'player' ? this.credential.player : null;
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
