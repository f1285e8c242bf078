/** What `GET /demo/session` gives the page: a feed token of a few minutes, and the demo's cast. */
export interface Session {
  readonly feed_token: string;
  readonly operator_id: string;
  readonly brands: readonly { readonly brand_id: string; readonly name: string }[];
  readonly players: readonly SessionPlayer[];
  readonly sources: readonly { readonly source_id: string; readonly name: string }[];
  readonly jackpots: readonly SessionJackpot[];
  readonly currencies: readonly string[];
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
