/** What `GET /demo/session` gives the page: the demo's cast with their sessions, its jackpots, and the newest winners. */
export interface Session {
  readonly operator_id: string;
  readonly brands: readonly SessionBrand[];
  readonly players: readonly SessionPlayer[];
  readonly sources: readonly { readonly source_id: string; readonly name: string }[];
  readonly jackpots: readonly SessionJackpot[];
  /** The newest of each jackpot. */
  readonly winners: readonly SessionWinner[];
}

export interface SessionBrand {
  readonly brand_id: string;
  readonly name: string;
}

/** A winner, as O10 shows it; the player is masked. */
export interface SessionWinner {
  readonly instance_id: string;
  readonly win_pot_id: string;
  readonly win_amount: number | string;
  readonly jackpot_currency: string;
  readonly player_id: string;
  readonly timestamp: number;
  readonly brand_id: string;
  /** The amount as each player of the session sees it. */
  readonly shown: readonly {
    readonly player_id: string;
    readonly amount: number | string;
    readonly currency: string;
  }[];
}

export interface SessionPlayer {
  readonly player_id: string;
  readonly brand_id: string;
  readonly country: string;
  readonly currency: string;
  /** The player's session with the wallet; null while there is none. */
  readonly token: string | null;
}

export interface SessionJackpot {
  readonly instance_id: string;
  readonly name: string;
  readonly description: string;
  readonly jackpot_type: string;
  readonly currency: string;
  readonly opt_in_required: boolean;
  readonly sources: readonly string[];
  /** Brand paths; null: all brands of the operator. */
  readonly brands: readonly string[] | null;
  readonly timestamp_end: number | null;
  /** When the raffle's round ends; null: no raffle, or none is open. */
  readonly round_end: number | null;
  readonly pots: readonly SessionPot[];
}

export interface SessionPot {
  readonly id: string;
  /** Must be won before it passes this, in the jackpot's currency. */
  readonly must_hit_by: number | string | null;
  /** Must be won within this window; both below a day: milliseconds of every UTC day. */
  readonly window: { readonly start_time: number; readonly end_time: number } | null;
  /** Milliseconds; null: not lately. */
  readonly last_win: number | null;
  readonly awarded_by_operator: boolean;
}
