import { useEffect, useReducer, useRef } from 'preact/hooks';
import { openFeed } from '../feed/connection.ts';
import { readSession } from '../session/session.ts';
import { evolve, initialState, type PageEvent, type PageState } from './state.ts';

/** A subscribe message has 4 KiB at most; so many instances fit. */
const mostRecovered = 60;

/** Connects the page: session, feed, reconnects. The state it gives back is all there is to render. */
export function usePage(): { state: PageState; tell: (event: PageEvent) => void } {
  const [state, tell] = useReducer(evolve, initialState);
  const newest = useRef(state);
  newest.current = state;

  useEffect(
    () =>
      openFeed({
        async token() {
          const session = await readSession();
          tell({ kind: 'session', session });
          return session?.feed_token ?? null;
        },
        since: () => lastSeen(newest.current.counters),
        state: (connection) => tell({ kind: 'connection', state: connection }),
        message: (message) => tell({ kind: 'feed', message, nowMs: Date.now() }),
      }),
    [],
  );

  return { state, tell };
}

/** What the page has seen, as far as a subscribe message can hold it. */
function lastSeen(counters: PageState['counters']): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).slice(0, mostRecovered));
}
