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
        since: () => lastSeen(newest.current),
        state: (connection) => tell({ kind: 'connection', state: connection }),
        message: (message) => tell({ kind: 'feed', message, nowMs: Date.now() }),
      }),
    [],
  );

  return { state, tell };
}

/** From nothing seen, the feed sends the wins of the last two minutes: the list then does not begin empty. */
function lastSeen(state: PageState): Record<string, number> {
  const known = (state.session?.jackpots ?? []).slice(0, mostRecovered);
  return Object.fromEntries(known.map(({ instance_id }) => [instance_id, state.counters[instance_id] ?? 0]));
}
