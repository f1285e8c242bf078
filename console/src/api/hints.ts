/** An EventSource. */
interface Source {
  readonly readyState: number;
  addEventListener(kind: string, listener: (event: { readonly data: string }) => void): void;
  close(): void;
}

interface Ports {
  readonly connect: (url: string) => Source;
  readonly page: {
    readonly visibilityState: string;
    addEventListener(kind: 'visibilitychange', listener: () => void): void;
    removeEventListener(kind: 'visibilitychange', listener: () => void): void;
  };
  /** Asks again for what is shown of the queries whose keys begin so. */
  readonly refresh: (queryKey: readonly string[]) => void;
}

/** What EventSource is where it does not come back by itself. */
const closed = 2;
/** How often what a hint is about is asked for at most, by the first part of the query's key. */
const gapsMs: Readonly<Record<string, number>> = {
  approvals: 500,
  settlements: 2_000,
  instance: 2_000,
  accounts: 5_000,
  instances: 10_000,
  lanes: 1_000,
  hosts: 1_000,
  failovers: 1_000,
};
/** Beside hints, which a gateway that ends loses. */
const slowMs = 60_000;
/** The browser has given up: the session is over, or there are too many streams. */
const againMs = 30_000;

/** What is stale, by the first part of its keys; of one thing where the hint names it. */
const staleBy: Readonly<Record<string, (id: string | undefined) => readonly (readonly string[])[]>> = {
  approval: () => [['approvals']],
  settlement: () => [['settlements']],
  instance: (id) => [
    ['instances'],
    ...['instance', 'accounts'].map((of) => (id === undefined ? [of] : [of, id])),
  ],
  lane: () => [['lanes'], ['hosts'], ['failovers']],
};

let isFollowing = false;
const listeners = new Set<() => void>();

function follows(now: boolean): void {
  isFollowing = now;
  for (const listener of listeners) listener();
}

/** Calls the listener when following begins or ends. */
export function onFollowing(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often to ask for what hints come of, now. */
export function periodNow(ms: number): number {
  return isFollowing ? slowMs : ms;
}

/**
 * Asks for what the gateway says has changed, while the page is in sight
 * (docs/rules/http.md "Events for screens"). Each tab has a connection of its own, of which browsers allow few:
 * one that is not in sight has none.
 */
export function follow({ connect, page, refresh }: Ports): () => void {
  const refreshing = refresher(refresh);
  let source: Source | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = connect('/config/events');
    source = opened;
    opened.addEventListener('open', () => {
      follows(true);
      // What changed meanwhile is not said again.
      for (const keysOf of Object.values(staleBy)) for (const key of keysOf(undefined)) refreshing.stale(key);
    });
    opened.addEventListener('error', () => {
      follows(false);
      if (opened.readyState === closed) again = setTimeout(open, againMs);
    });
    for (const [kind, keysOf] of Object.entries(staleBy))
      opened.addEventListener(kind, ({ data }) => {
        const { id } = JSON.parse(data) as { readonly id?: string };
        for (const key of keysOf(id)) refreshing.stale(key);
      });
  }
  function close(): void {
    clearTimeout(again);
    source?.close();
    source = null;
    follows(false);
  }
  const onVisible = (): void => {
    close();
    if (page.visibilityState === 'visible') open();
  };
  page.addEventListener('visibilitychange', onVisible);
  onVisible();
  return () => {
    page.removeEventListener('visibilitychange', onVisible);
    close();
    refreshing.stop();
  };
}

/** Refreshes what is stale at once, and again after its gap if it became stale meanwhile. */
function refresher(refresh: Ports['refresh']) {
  const gaps = new Map<string, { timer: ReturnType<typeof setTimeout>; isStale: boolean }>();

  function stale(queryKey: readonly string[]): void {
    const name = queryKey.join(' ');
    const gap = gaps.get(name);
    if (gap !== undefined) {
      gap.isStale = true;
      return;
    }
    refresh(queryKey);
    const timer = setTimeout(
      () => {
        const { isStale } = gaps.get(name) ?? {};
        gaps.delete(name);
        if (isStale === true) stale(queryKey);
      },
      gapsMs[queryKey[0] ?? ''] ?? slowMs,
    );
    gaps.set(name, { timer, isStale: false });
  }

  return {
    stale,
    stop(): void {
      for (const { timer } of gaps.values()) clearTimeout(timer);
    },
  };
}
