import { connect } from '@potstream/client';
import { useLayoutEffect, useReducer } from 'preact/hooks';
import { readFeedTicket } from '../session/feed-ticket.ts';
import { readOptIn } from '../session/opt-in.ts';
import { readSession } from '../session/session.ts';
import type { Session, SessionPlayer } from '../session/shapes.ts';
import { messageOf } from './messages.ts';
import { evolve, initialState, type PageEvent, type PageState } from './state.ts';

/** Rounds begin and end while the page is open. */
const refreshMs = 30_000;
/** Until there is a session. */
const retryMs = 2_000;

/** Chosen in place of a player: somebody who is not logged in, and sees what everybody may see of the first brand. */
export const visitor = 'visitor';

/** Connects the page as one player. The state it gives back is all there is to render. */
export function usePage(chosenPlayer: string | null): {
  state: PageState;
  player: SessionPlayer | null;
  /** Whose jackpots are shown; null: not known yet. */
  brand: string | null;
  tell: (event: PageEvent) => void;
} {
  const [state, tell] = useReducer(evolve, initialState);
  const player = playerOf(state.session, chosenPlayer);
  const brand = player?.brand_id ?? state.session?.brands[0]?.brand_id ?? null;
  const hasSession = state.session !== undefined;

  useLayoutEffect(() => {
    const ask = () => void refresh(tell).catch(() => {});
    if (!hasSession) ask();
    const asking = setInterval(ask, hasSession ? refreshMs : retryMs);
    return () => clearInterval(asking);
  }, [hasSession]);

  // Before the next frame: nothing of the player before is shown to the new one.
  useLayoutEffect(() => {
    tell({ kind: 'player changed' });
    if (brand === null) return;
    const feed = connect({
      url: location.origin,
      brand,
      ...(player === null ? {} : { ticket: () => freshTicket(player.player_id, tell) }),
    });
    feed.on('state', (connection) => tell({ kind: 'connection', state: connection }));
    feed.on('any', (event) => {
      const message = messageOf(event);
      if (message !== null) tell({ kind: 'feed', message, nowMs: Date.now() });
    });
    return () => feed.close();
  }, [player?.player_id, brand]);

  return { state, player, brand, tell };
}

async function refresh(tell: (event: PageEvent) => void): Promise<Session | null> {
  const session = await readSession();
  tell({ kind: 'session', session });
  return session;
}

async function freshTicket(playerId: string, tell: (event: PageEvent) => void): Promise<string> {
  const session = await refresh(tell);
  const player = session?.players.find(({ player_id }) => player_id === playerId);
  if (!session || !player) throw new Error('There is no such player now.');
  void readOptIns(session, player, tell);
  return readFeedTicket(player);
}

function playerOf(session: Session | null | undefined, chosen: string | null): SessionPlayer | null {
  if (chosen === visitor) return null;
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
