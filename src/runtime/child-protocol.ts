/**
 * What `potstream up` and its children say to each other over Node's process channel. A role started on its own has
 * no parent: then everything it says goes nowhere and it is released at once.
 */

/** From a role to `up`. */
export type MessageToParent =
  /** The role listens: its own port (null where it has none) and the port of /livez, /readyz and /metrics. */
  | { readonly type: 'listening'; readonly port: number | null; readonly operationsPort: number | null }
  /** The role does its work now. */
  | { readonly type: 'ready' }
  /** The demo's operator, brands, sources and instances are there. */
  | { readonly type: 'seeded' }
  /** Its event loop turns: said again and again for as long as it does. */
  | { readonly type: 'alive' };

/** How often a role tells its parent that its event loop turns. */
export const beatEveryMs = 500;

/** From `up` to a role. */
export type MessageToChild =
  /** The gateway may answer 200 to /readyz on its public port. Said again after each restart of the gateway. */
  { readonly type: 'release' };

export type ParentConnection = {
  readonly hasParent: boolean;
  /** Says where this role listens; `port` is null for a role without one. */
  listening(port: number | null, operationsPort: number | null): void;
  ready(): void;
  seeded(): void;
  /** Calls back once, when the parent has released this role; at once where there is no parent. */
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

/** One beat is under way at a time: a parent that does not read for hours costs no memory here. */
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
