import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { openFeed } from '../feed/connection.ts';
import { readOptIn } from '../session/opt-in.ts';
import { readSession } from '../session/session.ts';
import type { Session, SessionPlayer } from '../session/shapes.ts';
import { evolve, initialState, type PageEvent, type PageState } from './state.ts';

/** Rounds begin and end while the page is open. */
const refreshMs = 30_000;
/** A subscribe message has 4 KiB at most; so many instances fit. */
const maxRecovered = 60;

/** Connects the page as one player: session, feed, reconnects. The state it gives back is all there is to render. */
export function usePage(chosenPlayer: string | null): {
  state: PageState;
  player: SessionPlayer | null;
  tell: (event: PageEvent) => void;
} {
  const [state, tell] = useReducer(evolve, initialState);
  const newest = useRef(state);
  newest.current = state;
  const player = playerOf(state.session, chosenPlayer);

  // Before the next frame: nothing of the player before is shown to the new one.
  useLayoutEffect(() => {
    tell({ kind: 'player changed' });
    const refreshing = setInterval(() => {
      readSession().then(
        (session) => tell({ kind: 'session', session }),
        () => {},
      );
    }, refreshMs);
    const close = openFeed({
      async address() {
        const session = await readSession();
        tell({ kind: 'session', session });
        const current = playerOf(session, chosenPlayer);
        if (session === null || current === null) return null;
        if (current.token === null) throw new Error('The player has no session yet.');
        void readOptIns(session, current, tell);
        return feedAddress(session, current, current.token);
      },
      since: () => lastSeen(newest.current.counters),
      state: (connection) => tell({ kind: 'connection', state: connection }),
      message: (message) => tell({ kind: 'feed', message, nowMs: Date.now() }),
    });
    return () => {
      clearInterval(refreshing);
      close();
    };
  }, [chosenPlayer]);

  return { state, player, tell };
}

function playerOf(session: Session | null | undefined, chosen: string | null): SessionPlayer | null {
  const players = session?.players ?? [];
  return players.find(({ player_id }) => player_id === chosen) ?? players[0] ?? null;
}

async function readOptIns(
  session: Session,
  player: SessionPlayer,
  tell: (event: PageEvent) => void,
): Promise<void> {
  for (const jackpot of session.jackpots) {
    if (!jackpot.opt_in_required) continue;
    const optedIn = await readOptIn(jackpot, player).catch(() => null);
    if (optedIn !== null) tell({ kind: 'opt-in', instanceId: jackpot.instance_id, optedIn });
  }
}

function feedAddress(session: Session, player: SessionPlayer, token: string): string {
  const brand = player.brand_id.slice(player.brand_id.indexOf(':') + 1);
  const query = new URLSearchParams({ token, currency: player.currency });
  return `/events/${session.operator_id}/${brand}?${query}`;
}

/** What the page has seen, as far as a subscribe message can hold it. */
function lastSeen(counters: PageState['counters']): Record<string, number> {
  return Object.fromEntries(Object.entries(counters).slice(0, maxRecovered));
}
