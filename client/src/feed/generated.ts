// Generated from the AsyncAPI document by `npm run sdk:generate`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SubscribeRequest: {
            SubscribeRequest: {
                events: ({
                    /** @constant */
                    source: "jackpot";
                    /** @enum {string} */
                    event_type: "*" | "JackpotUpdate" | "WinEvent" | "InstanceStatusEvent" | "OptInEvent" | "RaffleTicketEvent" | "RaffleWinEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent";
                    instance_ids?: string[] | null;
                    since?: {
                        [key: string]: number;
                    } | null;
                } | {
                    /** @enum {string} */
                    source: "campaign" | "drop";
                    event_type: string;
                    instance_ids?: string[] | null;
                    since?: {
                        [key: string]: number;
                    } | null;
                })[];
            };
        };
        UnsubscribeRequest: {
            UnsubscribeRequest: Record<string, never>;
        };
        RefreshTokenRequest: {
            RefreshTokenRequest: {
                token: string;
            };
        };
        AuthenticateRequest: {
            AuthenticateRequest: {
                token: string;
                operator_id?: string | null;
                brand_id?: string | null;
                currency?: string | null;
            };
        };
        JackpotUpdate: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "JackpotUpdate";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                id: string;
                jackpot_type: string;
                currency: string;
                pots: {
                    id: string;
                    is_progressive: boolean;
                    current_value: string;
                    community_split: string;
                }[];
                allowed_brands: string[];
                allowed_sources: string[];
                status: string;
                timestamp_start: number;
                timestamp_end: number | null;
                last_updated: number;
                head: string;
                epoch: number;
                event_seq: number;
                recovered?: boolean;
            };
        };
        WinEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "WinEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                win_pot_id: string;
                /** @description An exact decimal. */
                win_amount: string;
                currency: string;
                player_id: string;
                community_winners: {
                    player_id: string;
                    /** @description An exact decimal. */
                    win_amount: string;
                    currency: string;
                }[];
                instance_count: number;
                /** @description An exact decimal. */
                seed: string;
                /** @description An exact decimal. */
                seed_deficit: string;
                rate_version: number;
                win_withheld: boolean;
                external: boolean;
                event_metadata: unknown;
            };
        };
        InstanceStatusEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "InstanceStatusEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                instance_id: string;
                status: string;
                reason: string;
            };
        };
        OptInEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "OptInEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                /** @constant */
                doc_version: "V1";
                instance_id: string;
                player_id: string;
                ext_player_id: string;
                player_brand_id: string;
                preferred_contribution_value: string | null;
                preferred_contribution_currency: string | null;
                contribution_preferences: {
                    [key: string]: string;
                };
                contribution_count: number;
                /** @description An exact decimal. */
                contribution_value: string;
                pot_contributions: {
                    [key: string]: {
                        contribution_count: number;
                        /** @description An exact decimal. */
                        contribution_value: string;
                    };
                };
                opted_in: boolean;
                opted_out: boolean;
                last_updated: number;
            };
        };
        RaffleTicketEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "RaffleTicketEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                instance_id: string;
                brand_id: string;
                player_id: string;
                ext_player_id: string;
                ticket_count: number;
                accumulated_cost: string;
                timestamp_start: number;
                timestamp_end: number;
            };
        };
        RaffleWinEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "RaffleWinEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                win_pot_id: string;
                instance_count: number;
                round: number;
                tickets: number;
                currency: string;
                winners: {
                    player_id: string;
                    brand_id: string;
                    tier: number;
                    ticket: number;
                    /** @description An exact decimal. */
                    win_amount: string;
                    win_withheld: boolean;
                }[];
                /** @description An exact decimal. */
                seed: string;
                /** @description An exact decimal. */
                seed_deficit: string;
            };
        };
        PayoutEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "PayoutEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                transaction_id: string;
                batch_id: string | null;
                /** @enum {string} */
                kind: "main" | "community" | "raffle";
                /** @enum {string} */
                state: "pending" | "withheld" | "unknown" | "dead" | "settled";
                reason: string | null;
                win_pot_id: string;
                instance_count: number;
                player_id: string;
                /** @description An exact decimal. */
                win_amount: string;
                currency: string;
                /** @description An exact decimal. */
                paid_amount: string;
                paid_currency: string;
                rate_version: number;
            };
        };
        CommunityPayoutErrorEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "CommunityPayoutErrorEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                transaction_id: string;
                batch_id: string | null;
                /** @enum {string} */
                kind: "main" | "community" | "raffle";
                /** @enum {string} */
                state: "pending" | "withheld" | "unknown" | "dead" | "settled";
                reason: string | null;
                win_pot_id: string;
                instance_count: number;
                player_id: string;
                /** @description An exact decimal. */
                win_amount: string;
                currency: string;
                /** @description An exact decimal. */
                paid_amount: string;
                paid_currency: string;
                rate_version: number;
            };
        };
        ForeignEvent: {
            /** @constant */
            msg_type: "Event";
            /** @enum {string} */
            source: "campaign" | "drop";
            event_type: string;
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: unknown;
        };
        PublicJackpotUpdate: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "JackpotUpdate";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                id: string;
                currency: string;
                pots: {
                    id: string;
                    current_value: string;
                }[];
                allowed_sources: string[];
                status: string;
                timestamp_start: number;
                timestamp_end: number | null;
                last_updated: number;
                event_seq: number;
                recovered?: boolean;
            };
        };
        PublicWinEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "WinEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                win_pot_id: string;
                /** @description An exact decimal. */
                win_amount: string;
                currency: string;
                player_id: string;
                community_winners: {
                    player_id: string;
                    /** @description An exact decimal. */
                    win_amount: string;
                    currency: string;
                }[];
            };
        };
        PublicRaffleWinEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "RaffleWinEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                win_pot_id: string;
                currency: string;
                winners: {
                    player_id: string;
                    /** @description An exact decimal. */
                    win_amount: string;
                }[];
            };
        };
        PublicInstanceStatusEvent: {
            /** @constant */
            msg_type: "Event";
            /** @constant */
            source: "jackpot";
            /** @constant */
            event_type: "InstanceStatusEvent";
            operator_id: string | null;
            brand_id: string | null;
            player_id: string | null;
            instance_id: string | null;
            seq: number;
            timestamp: number;
            data: {
                instance_id: string;
                status: string;
            };
        };
        JackpotStatus: {
            /** @constant */
            msg_type: "JackpotStatus";
            timestamp: number;
            part: number;
            parts: number;
            incomplete_lanes?: number[];
            jackpots: {
                id: string;
                jackpot_type: string;
                currency: string;
                pots: {
                    id: string;
                    is_progressive: boolean;
                    current_value: string;
                    community_split: string;
                }[];
                allowed_brands: string[];
                allowed_sources: string[];
                status: string;
                timestamp_start: number;
                timestamp_end: number | null;
                last_updated: number;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Where events have decimals, by event type; `*` is each item. */
export const decimals: Readonly<Record<string, readonly string[]>> = {
  "WinEvent": [
    "data.community_winners.*.win_amount",
    "data.seed",
    "data.seed_deficit",
    "data.win_amount"
  ],
  "OptInEvent": [
    "data.contribution_value",
    "data.pot_contributions.*.contribution_value",
    "data.preferred_contribution_value"
  ],
  "RaffleWinEvent": [
    "data.seed",
    "data.seed_deficit",
    "data.winners.*.win_amount"
  ],
  "PayoutEvent": [
    "data.paid_amount",
    "data.win_amount"
  ],
  "CommunityPayoutErrorEvent": [
    "data.paid_amount",
    "data.win_amount"
  ],
  "PublicWinEvent": [
    "data.community_winners.*.win_amount",
    "data.win_amount"
  ],
  "PublicRaffleWinEvent": [
    "data.winners.*.win_amount"
  ]
};
