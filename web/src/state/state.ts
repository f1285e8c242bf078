import type { FeedState } from '@potstream/client';
import { parseAtoms } from '../money/decimal.ts';
import type { Session, SessionWinner } from '../session/shapes.ts';
import type { FeedMessage, JackpotUpdated, Won } from './messages.ts';

/** Everything the page shows; changed only by `evolve`. */
export interface PageState {
  /** undefined: not asked yet; null: the demo does not run here. */
  readonly session: Session | null | undefined;
  readonly connection: FeedState;
  readonly jackpots: ReadonlyMap<string, LiveJackpot>;
  /** Newest first. */
  readonly winners: readonly Won[];
  /** Wins that are being celebrated now: only those that happened while the page watched. */
  readonly celebrated: Won | null;
  /** Whether the player has opted in, where somebody said so. */
  readonly optIns: ReadonlyMap<string, boolean>;
  /** The player's raffle tickets, by instance. */
  readonly tickets: ReadonlyMap<string, number>;
}

export interface LiveJackpot extends JackpotUpdated {
  /** What has flowed into the pots since the page was opened, over the last minute and a half, oldest first. */
  readonly history: readonly { readonly atMs: number; readonly inflowAtoms: bigint }[];
}

export type PageEvent =
  | { readonly kind: 'session'; readonly session: Session | null }
  | { readonly kind: 'connection'; readonly state: FeedState }
  | { readonly kind: 'feed'; readonly message: FeedMessage; readonly nowMs: number }
  | { readonly kind: 'opt-in'; readonly instanceId: string; readonly optedIn: boolean }
  /** Somebody else looks: what was shown to the player before is none of theirs. */
  | { readonly kind: 'player changed' }
  | { readonly kind: 'celebration over' };

const keptWinners = 30;
const keptJackpots = 100;
const historyMs = 90_000;
const keptPoints = 120;
/** Older wins are recovered ones: they go to the list without a celebration. */
const celebrateWithinMs = 15_000;

export const initialState: PageState = {
  session: undefined,
  connection: 'connecting',
  jackpots: new Map(),
  winners: [],
  celebrated: null,
  optIns: new Map(),
  tickets: new Map(),
};

export function evolve(state: PageState, event: PageEvent): PageState {
  switch (event.kind) {
    case 'session':
      return withSession(state, event.session);
    case 'connection':
      return state.connection === event.state ? state : { ...state, connection: event.state };
    case 'celebration over':
      return { ...state, celebrated: null };
    case 'opt-in':
      return withOptIn(state, event.instanceId, event.optedIn);
    case 'player changed':
      return {
        ...initialState,
        session: state.session,
        winners: newestFirst((state.session?.winners ?? []).map(wonOf)),
      };
    case 'feed':
      return evolveByFeed(state, event.message, event.nowMs);
  }
}

/** A session brings the winners of before, also those that were missed while the connection was away. */
function withSession(state: PageState, session: Session | null): PageState {
  const earlier = (session?.winners ?? []).map(wonOf);
  const unknown = earlier.filter((won) => !state.winners.some((other) => sameWin(other, won)));
  return { ...state, session, winners: newestFirst([...state.winners, ...unknown]) };
}

function wonOf(winner: SessionWinner): Won {
  return {
    kind: 'won',
    instanceId: winner.instance_id,
    timestampMs: winner.timestamp,
    pot: winner.win_pot_id,
    atoms: parseAtoms(winner.win_amount) ?? 0n,
    currency: winner.jackpot_currency,
    player: winner.player_id,
    shown: Object.fromEntries(
      winner.shown.map(({ player_id, amount, currency }) => [
        player_id,
        { atoms: parseAtoms(amount) ?? 0n, currency },
      ]),
    ),
  };
}

function newestFirst(winners: readonly Won[]): readonly Won[] {
  return [...winners].sort((first, second) => second.timestampMs - first.timestampMs).slice(0, keptWinners);
}

function evolveByFeed(state: PageState, message: FeedMessage, nowMs: number): PageState {
  switch (message.kind) {
    case 'updated':
      return update(state, message, nowMs);
    case 'won':
      return win(state, message, nowMs);
    case 'opted in':
      return withOptIn(state, message.instanceId, message.optedIn);
    case 'tickets':
      return { ...state, tickets: new Map(state.tickets).set(message.instanceId, message.count) };
    case 'status': {
      const known = state.jackpots.get(message.instanceId);
      if (known === undefined) return state;
      const jackpots = new Map(state.jackpots).set(known.instanceId, { ...known, status: message.status });
      return { ...state, jackpots };
    }
  }
}

function withOptIn(state: PageState, instanceId: string, optedIn: boolean): PageState {
  return { ...state, optIns: new Map(state.optIns).set(instanceId, optedIn) };
}

function update(state: PageState, message: JackpotUpdated, nowMs: number): PageState {
  const known = state.jackpots.get(message.instanceId);
  if (known === undefined && state.jackpots.size >= keptJackpots) return state;
  const inflowAtoms = (known?.history.at(-1)?.inflowAtoms ?? 0n) + grown(known, message);
  const recent = (known?.history ?? []).filter((point) => nowMs - point.atMs < historyMs);
  const history = [...recent, { atMs: nowMs, inflowAtoms }].slice(-keptPoints);
  const jackpots = new Map(state.jackpots).set(message.instanceId, { ...message, history });
  return { ...state, jackpots };
}

/** A win takes a pot down; what flows in meanwhile is the rise of the others. */
function grown(known: LiveJackpot | undefined, message: JackpotUpdated): bigint {
  let rise = 0n;
  for (const pot of message.pots) {
    const before = known?.pots.find((other) => other.id === pot.id);
    if (before !== undefined && pot.atoms > before.atoms) rise += pot.atoms - before.atoms;
  }
  return rise;
}

function win(state: PageState, message: Won, nowMs: number): PageState {
  if (state.winners.some((other) => sameWin(other, message))) return state;
  const winners = newestFirst([message, ...state.winners]);
  const fresh = nowMs - message.timestampMs < celebrateWithinMs;
  return { ...state, winners, celebrated: fresh ? message : state.celebrated };
}

function sameWin(first: Won, second: Won): boolean {
  return (
    first.instanceId === second.instanceId &&
    first.pot === second.pot &&
    first.timestampMs === second.timestampMs &&
    shownOf(first.player) === shownOf(second.player)
  );
}

/** Players see themselves in full and each other masked: the first two characters are there in both. */
function shownOf(player: string): string {
  return [...player].slice(0, 2).join('');
}
