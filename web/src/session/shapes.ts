/** What `GET /demo/session` gives the page: a feed token of a few minutes, and the demo's cast. */
export interface Session {
  readonly feed_token: string;
  readonly operator_id: string;
  readonly brands: readonly { readonly brand_id: string; readonly name: string }[];
  readonly players: readonly SessionPlayer[];
  readonly sources: readonly { readonly source_id: string; readonly name: string }[];
  readonly jackpots: readonly SessionJackpot[];
  readonly currencies: readonly string[];
  /** The newest of each jackpot. */
  readonly winners: readonly SessionWinner[];
}

/** Winner record, document 1; the player is masked. */
export interface SessionWinner {
  readonly instance_id: string;
  readonly win_pot_id: string;
  readonly win_amount: number | string;
  readonly jackpot_currency: string;
  readonly player_id: string;
  readonly timestamp: number;
  readonly brand_id: string;
}

export interface SessionPlayer {
  readonly player_id: string;
  readonly brand_id: string;
  readonly currency: string;
}

export interface SessionJackpot {
  readonly instance_id: string;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly opt_in_required: boolean;
  readonly sources: readonly string[];
}
