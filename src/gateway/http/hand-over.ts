import type { Socket } from 'node:net';
import type { FastifyListenOptions } from 'fastify';
import { pause } from '../../lib/pauses.ts';
import type { Clock } from '../../ports.ts';
import { httpLimits } from './limits.ts';

/** Any address that is not looked up: where a socket is inherited, it is not used. */
const unused = '127.0.0.1';

/** Where a gateway listens: at its own port, or at a socket that it shares with others. */
export function placeOf({
  host,
  port,
  listenFd = null,
}: {
  readonly host: string;
  readonly port: number;
  readonly listenFd?: number | null;
}): FastifyListenOptions {
  // Fastify passes on what it does not know itself.
  return listenFd === null ? { host, port } : ({ host: unused, fd: listenFd } as FastifyListenOptions);
}

/** Resolves when no connection is left, or after `handOverMs`: then those that are idle are cut. */
export async function untilGone(connections: () => number, clock: Clock): Promise<void> {
  const deadlineMs = clock.elapsedMs() + httpLimits.handOverMs;
  while (connections() > 0 && clock.elapsedMs() < deadlineMs) await pause(clock, httpLimits.handOverCheckMs);
}

/** Feeds that leave for another gateway, a slice at a time: they do not come back all at once. */
export async function leaveInSlices<Feed>(
  feeds: Iterable<Feed>,
  leave: (feed: Feed) => void,
  clock: Clock,
): Promise<void> {
  const { leaveFeedsMs, leaveSliceEveryMs, leaveSliceFeeds } = httpLimits;
  const open = [...feeds];
  const slices = Math.min(leaveFeedsMs / leaveSliceEveryMs, Math.ceil(open.length / leaveSliceFeeds));
  for (let left = slices; left > 0; left -= 1) {
    for (const feed of open.splice(0, Math.ceil(open.length / left))) leave(feed);
    if (left > 1) await pause(clock, leaveSliceEveryMs);
  }
}

/**
 * Connections that leave for another gateway of this machine: the next answer on each says that it ends
 * (docs/decisions/0364).
 */
export class MovingConnections {
  readonly #moving = new WeakSet<Socket>();
  #due = 0;

  /** The connections of the next N requests move; what an earlier call has left is void. */
  move(connections: number): void {
    this.#due = connections;
  }

  get isDue(): boolean {
    return this.#due > 0;
  }

  includes(socket: Socket): boolean {
    if (this.#due === 0) return this.#moving.has(socket);
    if (!this.#moving.has(socket)) {
      this.#due -= 1;
      this.#moving.add(socket);
    }
    return true;
  }
}
