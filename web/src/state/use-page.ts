import { useEffect, useReducer, useRef } from 'preact/hooks';
import { openFeed } from '../feed/connection.ts';
import { readSession } from '../session/session.ts';
import type { Session } from '../session/shapes.ts';
import { readWinners } from '../session/winners.ts';
import { evolve, initialState, type PageEvent, type PageState } from './state.ts';

/** Connects the page: session, feed, reconnects. The state it gives back is all there is to render. */
export function usePage(): { state: PageState; tell: (event: PageEvent) => void } {
  const [state, tell] = useReducer(evolve, initialState);
  const newest = useRef(state);
  newest.current = state;

  useEffect(() => {
    let first = true;
    return openFeed({
      async token() {
        const session = await readSession();
        tell({ kind: 'session', session });
        if (session === null) return null;
        if (first) void showEarlierWinners(session, tell);
        first = false;
        return session.feed_token;
      },
      since: () => newest.current.counters,
      state: (connection) => tell({ kind: 'connection', state: connection }),
      message: (message) => tell({ kind: 'feed', message, nowMs: Date.now() }),
    });
  }, []);

  return { state, tell };
}

async function showEarlierWinners(session: Session, tell: (event: PageEvent) => void): Promise<void> {
  for (const jackpot of session.jackpots) {
    const winners = await readWinners(
      jackpot.instance_id,
      session.brands.map((brand) => brand.brand_id),
    );
    for (const message of winners) tell({ kind: 'feed', message, nowMs: Date.now() });
  }
}
