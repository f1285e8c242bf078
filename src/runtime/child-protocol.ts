/**
 * The messages between `potstream up` and its children over Node's process channel. A role without a parent
 * sends nothing and is released at once.
 */

/** From a role to `up`. */
export type MessageToParent =
  /** The role listens: its own port (null where it has none) and the port of /livez, /readyz and /metrics. */
  | { readonly type: 'listening'; readonly port: number | null; readonly operationsPort: number | null }
  /** The role is ready. */
  | { readonly type: 'ready' }
  /** The demo's operator, brands, sources and instances exist. */
  | { readonly type: 'seeded' }
  /** Its event loop turns; repeated. `connections`: those of a gateway that could move to another. */
  | { readonly type: 'alive'; readonly connections?: number };

/** How often a role sends `alive`. */
const beatEveryMs = 500;

/** From `up` to a role. */
export type MessageToChild =
  /** The gateway may answer 200 to /readyz. Sent again after each restart of the gateway. */
  | { readonly type: 'release' }
  /** Drain and end: other gateways of this machine take the work over, now. */
  | { readonly type: 'hand_over' }
  /** This number of connections moves to other gateways of this machine. */
  | { readonly type: 'move'; readonly connections: number };

export type ParentConnection = {
  readonly hasParent: boolean;
  /** Reports where this role listens; `port` is null for a role without one. */
  listening(port: number | null, operationsPort: number | null): void;
  ready(): void;
  seeded(): void;
  /** Calls back once, when the parent has released this role; at once if there is no parent. */
  onRelease(release: () => void): void;
  /** Calls back with each other message of the parent. */
  onMessage(receive: (message: Exclude<MessageToChild, { type: 'release' }>) => void): void;
  /** Each `alive` says from now on how many connections this gateway has. */
  reportConnections(count: () => number): void;
};

let connection: ParentConnection | undefined;

/** This process's connection to its parent; every call returns the same one. */
export function connectToParent(): ParentConnection {
  connection ??= connect();
  return connection;
}

function connect(): ParentConnection {
  const hasParent = process.send !== undefined;
  const waiting: (() => void)[] = [];
  let released = !hasParent;
  const send = (message: MessageToParent): void => {
    // A parent that has just gone is noticed by its disconnect, not here.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  };
  const receivers: ((message: Exclude<MessageToChild, { type: 'release' }>) => void)[] = [];
  let connections: (() => number) | null = null;
  process.on('message', (message: MessageToChild) => {
    if (message.type !== 'release') {
      for (const receive of receivers) receive(message);
      return;
    }
    released = true;
    for (const release of waiting.splice(0)) release();
  });
  if (hasParent)
    beatUntilTheEnd(() => ({
      type: 'alive',
      ...(connections === null ? {} : { connections: connections() }),
    }));
  return {
    hasParent,
    listening: (port, operationsPort) => send({ type: 'listening', port, operationsPort }),
    ready: () => send({ type: 'ready' }),
    seeded: () => send({ type: 'seeded' }),
    onRelease(release) {
      if (released) release();
      else waiting.push(release);
    },
    onMessage: (receive) => void receivers.push(receive),
    reportConnections(count) {
      connections = count;
    },
  };
}

/** One beat is under way at a time: a parent that does not read costs no memory. */
function beatUntilTheEnd(beatOf: () => MessageToParent): void {
  let underWay = false;
  const beat = (): void => {
    if (underWay || !process.connected) return;
    underWay = true;
    process.send?.(beatOf(), undefined, undefined, () => {
      underWay = false;
    });
  };
  beat();
  setInterval(beat, beatEveryMs).unref();
}
