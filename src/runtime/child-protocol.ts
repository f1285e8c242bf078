/**
 * The messages between `potstream up` and its children over Node's process channel. A role without a parent sends nothing and is
 * released at once.
 */

/** From a role to `up`. */
export type MessageToParent =
  /** The role listens: its own port (null where it has none) and the port of /livez, /readyz and /metrics. */
  | { readonly type: 'listening'; readonly port: number | null; readonly operationsPort: number | null }
  /** The role is ready. */
  | { readonly type: 'ready' }
  /** The demo's operator, brands, sources and instances exist. */
  | { readonly type: 'seeded' }
  /** The sign of life of its event loop, repeated while it runs. */
  | { readonly type: 'alive' };

/** Interval of a role's signs of life to its parent. */
export const beatEveryMs = 500;

/** From `up` to a role. */
export type MessageToChild =
  /** The gateway may answer 200 to /readyz on its public port. Repeated after each restart of the gateway. */
  { readonly type: 'release' };

export type ParentConnection = {
  readonly hasParent: boolean;
  /** Reports where this role listens; `port` is null for a role without one. */
  listening(port: number | null, operationsPort: number | null): void;
  ready(): void;
  seeded(): void;
  /** Calls back once, when the parent has released this role; without a parent at once. */
  onRelease(release: () => void): void;
};

let connection: ParentConnection | undefined;

/** The one connection of this process to its parent; every call returns the same. */
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
  process.on('message', (message: MessageToChild) => {
    if (message.type !== 'release' || released) return;
    released = true;
    for (const release of waiting.splice(0)) release();
  });
  if (hasParent) beatUntilTheEnd();
  return {
    hasParent,
    listening: (port, operationsPort) => send({ type: 'listening', port, operationsPort }),
    ready: () => send({ type: 'ready' }),
    seeded: () => send({ type: 'seeded' }),
    onRelease(release) {
      if (released) release();
      else waiting.push(release);
    },
  };
}

/** Only one sign of life is under way, so a parent that does not read costs no memory here. */
function beatUntilTheEnd(): void {
  let underWay = false;
  const beat = (): void => {
    if (underWay || !process.connected) return;
    underWay = true;
    process.send?.({ type: 'alive' } satisfies MessageToParent, undefined, undefined, () => {
      underWay = false;
    });
  };
  beat();
  setInterval(beat, beatEveryMs).unref();
}
