import type { ServicePrincipal } from '../access/principal.ts';
import type { CatchUp } from './catch-up.ts';
import type { CloseReason } from './close-codes.ts';
import type { WebSocket } from './engine.ts';
import type { Interest } from './interest.ts';
import { clientMessagesBurst, clientMessagesPerSecond } from './limits.ts';
import type { Scope } from './scope.ts';

/** What the engine keeps of a socket. */
export interface SocketData {
  readonly connection: Connection;
}

/** A verified token; sockets that came with the same one share it. */
export interface Credential {
  readonly token: string;
  readonly principal: ServicePrincipal;
}

/** One socket of a feed. Only fields: a connection has no timer and no closure of its own. */
export class Connection {
  socket: WebSocket<SocketData> | null = null;
  credential: Credential;
  scope: Scope;
  interest: Interest | null = null;
  /** Set while the socket is slow or its snapshot is on its way. */
  catchUp: CatchUp | null = null;
  readonly openedMs: number;
  subscribedOnce = false;
  /** Set while a slow socket has to drain before it can be told why it is closed. */
  closing: { readonly reason: CloseReason; readonly sinceMs: number } | null = null;
  /** `seq` of the last private event. */
  privateSequence = 0;
  #messageBudget = clientMessagesBurst;
  #budgetMs: number;

  constructor(credential: Credential, scope: Scope, nowMs: number) {
    this.credential = credential;
    this.scope = scope;
    this.openedMs = nowMs;
    this.#budgetMs = nowMs;
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
