// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.

export interface paths {
    "/v1/webhooks/signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Register webhook signature
         * @description Operation O1.
         */
        put: operations["o1-register-webhook-signature"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of other platforms
         * @description Operation events.publish.
         */
        post: operations["events-publish-events-of-other-platforms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feed-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tickets of feeds
         * @description Operation feed-tickets.issue.
         */
        post: operations["feed-tickets-issue-tickets-of-feeds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/{instance_id}/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contribute to an instance
         * @description Operation O8.
         */
        post: operations["o8-contribute-to-an-instance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/sources/{source_id}/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contribute by source
         * @description Operation O9.
         */
        post: operations["o9-contribute-by-source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jackpot/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contribute (version 2)
         * @description Operation O16.
         */
        post: operations["o16-contribute-version-2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jackpot/contributions/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stream of contributions
         * @description Operation contributions.stream.
         */
        post: operations["contributions-stream-stream-of-contributions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/currencies/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Brand currency rates
         * @description Operation O2.
         */
        get: operations["o2-brand-currency-rates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/{instance_id}/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt in or out (version 1)
         * @description Operation O14.
         */
        post: operations["o14-opt-in-or-out-version-1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jackpot/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt in or out (version 2)
         * @description Operation O18.
         */
        post: operations["o18-opt-in-or-out-version-2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/jackpot/instances/source/{source_id}/brand/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jackpot for a source (operator surface)
         * @description Operation O12.
         */
        get: operations["o12-jackpot-for-a-source-operator-surface"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/{instance_id}/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest winners of an instance
         * @description Operation O10.
         */
        get: operations["o10-latest-winners-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/{instance_id}/pots/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest pot winners of an instance
         * @description Operation O11.
         */
        get: operations["o11-latest-pot-winners-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jackpot/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Latest winners (version 2)
         * @description Operation O17.
         */
        post: operations["o17-latest-winners-version-2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jackpot/pots/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Latest pot winners (version 2)
         * @description Operation O19.
         */
        post: operations["o19-latest-pot-winners-version-2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sources of an owner
         * @description Operation O15.
         */
        get: operations["o15-list-sources-of-an-owner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/raffles/{instance_id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Raffle tickets of an instance
         * @description Operation O5.
         */
        get: operations["o5-raffle-tickets-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/raffles/{instance_id}/players/{player_id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Raffle tickets of a player in an instance
         * @description Operation O6.
         */
        get: operations["o6-raffle-tickets-of-a-player-in-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/raffles/players/{player_id}/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Raffle tickets of a player in all active raffles
         * @description Operation O7.
         */
        get: operations["o7-raffle-tickets-of-a-player-in-all-active-raffles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public currency rates
         * @description Operation O3.
         */
        get: operations["o3-public-currency-rates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/source/{source_id}/brand/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jackpot for a source (frontend)
         * @description Operation O13.
         */
        get: operations["o13-jackpot-for-a-source-frontend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jackpot/instances/{instance_id}/ticker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Instance ticker
         * @description Operation O20.
         */
        get: operations["o20-instance-ticker"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/{operator_id}/{brand_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public feed of a brand
         * @description Operation public.events.
         */
        get: operations["public-events-public-feed-of-a-brand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/{operator_id}/{brand_id}/jackpots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public jackpots of a brand
         * @description Operation public.jackpots.
         */
        get: operations["public-jackpots-public-jackpots-of-a-brand"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook subscriptions
         * @description Operation subscriptions.list.
         */
        get: operations["subscriptions-list-list-webhook-subscriptions"];
        put?: never;
        /**
         * Create a webhook subscription
         * @description Operation subscriptions.create.
         */
        post: operations["subscriptions-create-create-a-webhook-subscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook subscription
         * @description Operation subscriptions.read.
         */
        get: operations["subscriptions-read-read-a-webhook-subscription"];
        put?: never;
        post?: never;
        /**
         * Remove a webhook subscription
         * @description Operation subscriptions.remove.
         */
        delete: operations["subscriptions-remove-remove-a-webhook-subscription"];
        options?: never;
        head?: never;
        /**
         * Change a webhook subscription
         * @description Operation subscriptions.change.
         */
        patch: operations["subscriptions-change-change-a-webhook-subscription"];
        trace?: never;
    };
    "/v1/cors/origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cross-origin rules
         * @description Operation cors.list.
         */
        get: operations["cors-list-list-cross-origin-rules"];
        /**
         * Add or change cross-origin rules
         * @description Operation O23.
         */
        put: operations["o23-add-or-change-cross-origin-rules"];
        post?: never;
        /**
         * Remove cross-origin rules
         * @description Operation O24.
         */
        delete: operations["o24-remove-cross-origin-rules"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fairness/instances/{instance_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rules of an instance
         * @description Operation fairness.rules.
         */
        get: operations["fairness-rules-rules-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fairness/instances/{instance_id}/epochs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Epochs of an instance
         * @description Operation fairness.epochs.
         */
        get: operations["fairness-epochs-epochs-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fairness/instances/{instance_id}/epochs/{epoch}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One epoch of an instance
         * @description Operation fairness.epoch.
         */
        get: operations["fairness-epoch-one-epoch-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fairness/instances/{instance_id}/conservation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Accounts of an instance and their sum
         * @description Operation fairness.conservation.
         */
        get: operations["fairness-conservation-accounts-of-an-instance-and-their-sum"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticate an external service
         * @description Operation O25.
         */
        post: operations["o25-authenticate-an-external-service"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/service/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the token of a service
         * @description Operation service-tokens.renew.
         */
        post: operations["service-tokens-renew-renew-the-token-of-a-service"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/service/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password of a service
         * @description Operation service-users.password.
         */
        put: operations["service-users-password-change-the-password-of-a-service"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contributions (services)
         * @description Operation reports.services.contributions.
         */
        get: operations["reports-services-contributions-list-contributions-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/contributions/{contribution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a contribution (services)
         * @description Operation reports.services.contribution.
         */
        get: operations["reports-services-contribution-explain-a-contribution-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/wins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wins (services)
         * @description Operation reports.services.wins.
         */
        get: operations["reports-services-wins-list-wins-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments (services)
         * @description Operation reports.services.payments.
         */
        get: operations["reports-services-payments-list-payments-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look a player up (services)
         * @description Operation reports.services.player.
         */
        get: operations["reports-services-player-look-a-player-up-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the books (services)
         * @description Operation reports.services.search.
         */
        get: operations["reports-services-search-search-the-books-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily report (services)
         * @description Operation reports.services.daily.
         */
        get: operations["reports-services-daily-daily-report-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/significant-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Significant events (services)
         * @description Operation reports.services.significant.
         */
        get: operations["reports-services-significant-significant-events-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/exports/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a table of the books (services)
         * @description Operation reports.services.export.
         */
        get: operations["reports-services-export-export-a-table-of-the-books-services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OpenAPI document of this API
         * @description Operation reference.openapi.
         */
        get: operations["reference-openapi-openapi-document-of-this-api"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * AsyncAPI document of the feeds
         * @description Operation reference.asyncapi.
         */
        get: operations["reference-asyncapi-asyncapi-document-of-the-feeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error400: {
            /** @constant */
            status_code: 400;
            /** @enum {string} */
            code: "malformed_http" | "invalid_json" | "duplicate_json_key" | "payload_too_deep" | "duplicate_header" | "invalid_request" | "invalid_parameter" | "invalid_identifier" | "csv_invalid";
            message: string;
        };
        Error401: {
            /** @constant */
            status_code: 401;
            /** @enum {string} */
            code: "unauthenticated" | "token_expired" | "token_revoked" | "invalid_credentials" | "signature_invalid" | "timestamp_out_of_window" | "replay_detected" | "player_token_required" | "player_token_invalid" | "feed_token_invalid";
            message: string;
        };
        Error403: {
            /** @constant */
            status_code: 403;
            /** @enum {string} */
            code: "forbidden" | "brand_forbidden" | "owner_disabled" | "player_mismatch" | "actor_mismatch" | "approval_by_proposer" | "origin_forbidden" | "approver_not_independent" | "second_factor_required" | "second_factor_invalid";
            message: string;
        };
        Error404: {
            /** @constant */
            status_code: 404;
            /** @enum {string} */
            code: "route_not_found" | "operator_not_found" | "brand_not_found" | "segment_not_found" | "source_not_found" | "instance_not_found" | "pot_not_found" | "jackpot_not_found" | "template_not_found" | "approval_not_found" | "user_not_found" | "simulation_not_found" | "identity_provider_not_found";
            message: string;
        };
        Error405: {
            /** @constant */
            status_code: 405;
            /** @enum {string} */
            code: "method_not_allowed";
            message: string;
        };
        Error408: {
            /** @constant */
            status_code: 408;
            /** @enum {string} */
            code: "request_timeout";
            message: string;
        };
        Error409: {
            /** @constant */
            status_code: 409;
            /** @enum {string} */
            code: "idempotency_in_progress" | "version_conflict" | "already_exists" | "switch_in_progress" | "approval_mismatch" | "approval_expired" | "owner_has_dependents" | "bootstrap_closed" | "approvers_missing" | "template_retired";
            message: string;
        };
        Error413: {
            /** @constant */
            status_code: 413;
            /** @enum {string} */
            code: "payload_too_large";
            message: string;
        };
        Error414: {
            /** @constant */
            status_code: 414;
            /** @enum {string} */
            code: "uri_too_long";
            message: string;
        };
        Error415: {
            /** @constant */
            status_code: 415;
            /** @enum {string} */
            code: "unsupported_media_type";
            message: string;
        };
        Error422: {
            /** @constant */
            status_code: 422;
            /** @enum {string} */
            code: "amount_negative" | "amount_precision" | "amount_out_of_range" | "currency_unknown" | "currency_not_supported" | "currency_mismatch" | "rate_invalid" | "pot_limit_exceeded" | "pot_empty" | "idempotency_key_reused" | "contribution_limit" | "debit_refused" | "instance_not_active" | "opt_in_required" | "brand_not_allowed" | "country_not_allowed" | "country_invalid" | "wager_below_minimum" | "trigger_not_supported" | "not_mapped" | "transfer_rules_invalid" | "reason_required" | "invalid_transition" | "config_invalid" | "group_mismatch" | "secret_too_weak" | "callback_address_not_allowed" | "endpoint_not_allowed" | "cors_pattern_invalid" | "cors_mode_unknown" | "cors_limit" | "player_limit" | "player_opted_out";
            message: string;
        };
        Error426: {
            /** @constant */
            status_code: 426;
            /** @enum {string} */
            code: "upgrade_required";
            message: string;
        };
        Error429: {
            /** @constant */
            status_code: 429;
            /** @enum {string} */
            code: "rate_limited" | "too_many_attempts" | "too_many_connections";
            message: string;
        };
        Error431: {
            /** @constant */
            status_code: 431;
            /** @enum {string} */
            code: "headers_too_large";
            message: string;
        };
        Error500: {
            /** @constant */
            status_code: 500;
            /** @enum {string} */
            code: "internal_error";
            message: string;
        };
        Error503: {
            /** @constant */
            status_code: 503;
            /** @enum {string} */
            code: "overloaded" | "shutting_down" | "storage_unavailable" | "wallet_unavailable" | "audit_unavailable" | "instance_suspended" | "instance_unavailable";
            message: string;
        };
        Error504: {
            /** @constant */
            status_code: 504;
            /** @enum {string} */
            code: "outcome_unknown";
            message: string;
        };
    };
    responses: {
        /** @description `malformed_http`, `invalid_json`, `duplicate_json_key`, `payload_too_deep`, `duplicate_header`, `invalid_request`, `invalid_parameter`, `invalid_identifier`, `csv_invalid` */
        Error400: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error400"];
            };
        };
        /** @description `unauthenticated`, `token_expired`, `token_revoked`, `invalid_credentials`, `signature_invalid`, `timestamp_out_of_window`, `replay_detected`, `player_token_required`, `player_token_invalid`, `feed_token_invalid` */
        Error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error401"];
            };
        };
        /** @description `forbidden`, `brand_forbidden`, `owner_disabled`, `player_mismatch`, `actor_mismatch`, `approval_by_proposer`, `origin_forbidden`, `approver_not_independent`, `second_factor_required`, `second_factor_invalid` */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /** @description `route_not_found`, `operator_not_found`, `brand_not_found`, `segment_not_found`, `source_not_found`, `instance_not_found`, `pot_not_found`, `jackpot_not_found`, `template_not_found`, `approval_not_found`, `user_not_found`, `simulation_not_found`, `identity_provider_not_found` */
        Error404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error404"];
            };
        };
        /** @description `method_not_allowed` */
        Error405: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error405"];
            };
        };
        /** @description `request_timeout` */
        Error408: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error408"];
            };
        };
        /** @description `idempotency_in_progress`, `version_conflict`, `already_exists`, `switch_in_progress`, `approval_mismatch`, `approval_expired`, `owner_has_dependents`, `bootstrap_closed`, `approvers_missing`, `template_retired` */
        Error409: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error409"];
            };
        };
        /** @description `payload_too_large` */
        Error413: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error413"];
            };
        };
        /** @description `uri_too_long` */
        Error414: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error414"];
            };
        };
        /** @description `unsupported_media_type` */
        Error415: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error415"];
            };
        };
        /** @description `amount_negative`, `amount_precision`, `amount_out_of_range`, `currency_unknown`, `currency_not_supported`, `currency_mismatch`, `rate_invalid`, `pot_limit_exceeded`, `pot_empty`, `idempotency_key_reused`, `contribution_limit`, `debit_refused`, `instance_not_active`, `opt_in_required`, `brand_not_allowed`, `country_not_allowed`, `country_invalid`, `wager_below_minimum`, `trigger_not_supported`, `not_mapped`, `transfer_rules_invalid`, `reason_required`, `invalid_transition`, `config_invalid`, `group_mismatch`, `secret_too_weak`, `callback_address_not_allowed`, `endpoint_not_allowed`, `cors_pattern_invalid`, `cors_mode_unknown`, `cors_limit`, `player_limit`, `player_opted_out` */
        Error422: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error422"];
            };
        };
        /** @description `upgrade_required` */
        Error426: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error426"];
            };
        };
        /** @description `rate_limited`, `too_many_attempts`, `too_many_connections` */
        Error429: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error429"];
            };
        };
        /** @description `headers_too_large` */
        Error431: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error431"];
            };
        };
        /** @description `internal_error` */
        Error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error500"];
            };
        };
        /** @description `overloaded`, `shutting_down`, `storage_unavailable`, `wallet_unavailable`, `audit_unavailable`, `instance_suspended`, `instance_unavailable` */
        Error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error503"];
            };
        };
        /** @description `outcome_unknown` */
        Error504: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error504"];
            };
        };
    };
    parameters: {
        /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
        "Idempotency-Key": string;
        /** @description The version that is to be changed; another one is refused with `version_conflict`. */
        "If-Match": string;
        /** @description The ETag of what the caller has; if it is current, the answer is 304. */
        "If-None-Match": string;
        /** @description The last id that the client has, as EventSource sends it by itself: what came after it is sent first. */
        "Last-Event-ID": string;
        /** @description A player's session token, which the wallet of the brand vouches for. */
        "X-Player-Token": string;
    };
    requestBodies: never;
    headers: {
        /** @description New for every answer. */
        "X-Request-Id": string;
        /** @description Seconds. */
        "Retry-After": number;
        /** @description The methods of the route. */
        Allow: string;
        /** @description For If-None-Match, while nothing changes. */
        ETag: string;
        /** @description Where the browser goes next. */
        Location: string;
        /** @description The session of a page: `__Host-potstream`, HttpOnly, Secure, SameSite=Strict. A log-in that has gone to an identity provider: `__Host-potstream-login`. */
        "Set-Cookie": string;
        /** @description Names the approval at /config/approvals. */
        "X-Approval-Id": string;
        /** @description Where the list stopped looking, in milliseconds; absent where it looked at everything. */
        "X-Unread-From": string;
        /** @description What the configuration costs or risks; absent where there is nothing to say. */
        "X-Configuration-Warnings": string;
        /** @description Lanes that do not serve, as `lanes 0,3`: what lives there is missing in the list, or is shown as it was last known. Of the books: `lanes 0,3 until 2026-11-29T18:19:45.000Z`, which they follow half a minute or more behind; `contribution` and its id, which was waited for and is not there yet. */
        "X-Incomplete": string;
        /** @description The last message of each lane that the books have, and its time in milliseconds, as `0;sequence=4711;time=1767225600000, 1;…`; of more than 64 lanes those that are furthest back. */
        "X-As-Of": string;
        /** @description The `cursor` of the next page; absent: there are no more rows. */
        "X-Next-Cursor": string;
        /** @description Rows of the list, with its first page; `10000+` above 10,000; absent where nobody has counted them. */
        "X-Total-Count": string;
        /** @description UUID of the contribution. */
        "X-Contribution-Id": string;
        /** @description The instance that received it. */
        "X-Instance-Id": string;
        /** @description Milliseconds since the epoch. */
        "X-Timestamp": number;
        /** @description An exact decimal; 0 without a win. */
        "X-Win-Amount": string;
        /** @description The jackpot's currency. */
        "X-Win-Currency": string;
        /** @description Only with a win. */
        "X-Win-Pot-Id": string;
        /** @description Raffle tickets. */
        "X-Tickets-Awarded": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "o1-register-webhook-signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id: string;
                    brand_id?: string | null;
                    secret_key: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status_code: 200;
                        /** @constant */
                        code: "ok";
                        message: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "events-publish-events-of-other-platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    source: "campaign" | "drop";
                    event_type: string;
                    brand_id: string;
                    player_id?: string | null;
                    data: unknown;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "feed-tickets-issue-tickets-of-feeds": {
        parameters: {
            query?: never;
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    brand_id: string;
                    player_id?: string | null;
                    currency: string;
                    instance_ids?: string[] | null;
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ticket: string;
                        expires_in: number;
                        path: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o8-contribute-to-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    token: string;
                    brand_id: string;
                    player_id: string;
                    player_country: string;
                    gameround_id?: string | null;
                    base_wager: string;
                    currency: string;
                    callback?: {
                        win_result_only?: boolean | null;
                        web_hook: string;
                    } | null;
                    idempotency_key?: string | null;
                    metadata?: unknown;
                    event_metadata?: unknown;
                };
            };
        };
        responses: {
            /** @description The result; with a callback: nothing yet, the contribution is accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        timestamp: number;
                        gameround_id: string | null;
                        /** @description An exact decimal. */
                        win_amount: string;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string;
                        /** @description An exact decimal. */
                        bonus_amount_used: string;
                        metadata: unknown;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "o9-contribute-by-source": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                source_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source_id?: string | null;
                    segments?: string[] | null;
                    token: string;
                    brand_id: string;
                    player_id: string;
                    player_country: string;
                    gameround_id?: string | null;
                    base_wager: string;
                    currency: string;
                    callback?: {
                        win_result_only?: boolean | null;
                        web_hook: string;
                    } | null;
                    idempotency_key?: string | null;
                    metadata?: unknown;
                    event_metadata?: unknown;
                };
            };
        };
        responses: {
            /** @description The result; with a callback: nothing yet, the contribution is accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        timestamp: number;
                        gameround_id: string | null;
                        /** @description An exact decimal. */
                        win_amount: string;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string;
                        /** @description An exact decimal. */
                        bonus_amount_used: string;
                        metadata: unknown;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "o16-contribute-version-2": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    target: {
                        id: string;
                        /** @enum {string} */
                        type: "instance" | "source";
                    };
                    source: {
                        id: string;
                        /** @enum {string} */
                        type: "gameround" | "deposit" | "bet" | "other";
                    };
                    operator_id: string;
                    player: {
                        id: string;
                        token: string;
                        country: string;
                        brand_id: string;
                        segments?: string[] | null;
                    };
                    base_wager: {
                        currency: string;
                        value: string;
                    };
                    metadata?: unknown;
                    event_metadata?: unknown;
                    options?: {
                        vertical_id?: string | null;
                        game_code?: string | null;
                        game_category?: string | null;
                        allow_linked_contributions?: boolean | null;
                        callback?: {
                            win_result_only?: boolean | null;
                            web_hook: string;
                        } | null;
                        idempotency_key?: string | null;
                        bonus?: {
                            bonus_id: string;
                            amount: string;
                            currency: string;
                        } | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The result; with a callback: nothing yet, the contribution is accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        timestamp: number;
                        gameround_id: string | null;
                        /** @description An exact decimal. */
                        win_amount: string;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string;
                        /** @description An exact decimal. */
                        bonus_amount_used: string;
                        metadata: unknown;
                    }[];
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Contribution-Id": components["headers"]["X-Contribution-Id"];
                    "X-Instance-Id": components["headers"]["X-Instance-Id"];
                    "X-Timestamp": components["headers"]["X-Timestamp"];
                    "X-Win-Amount": components["headers"]["X-Win-Amount"];
                    "X-Win-Currency": components["headers"]["X-Win-Currency"];
                    "X-Win-Pot-Id": components["headers"]["X-Win-Pot-Id"];
                    "X-Tickets-Awarded": components["headers"]["X-Tickets-Awarded"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "contributions-stream-stream-of-contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Lines, each of this shape and answered by itself, for as long as the caller likes. */
        requestBody?: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Lines of this shape, one for each line of the request, in the order of completion. With `end` the stream ended early: the caller goes on at `line`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o2-brand-currency-rates": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        brand_id: string;
                        base_currency: string;
                        multipliers: {
                            [key: string]: string;
                        };
                        exponents?: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            422: components["responses"]["Error422"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o14-opt-in-or-out-version-1": {
        parameters: {
            query?: never;
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    player_id: string;
                    brand_id: string;
                    player_country: string;
                    opt_in: boolean;
                    contribution_value?: (string) | null;
                    contribution_currency?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "o18-opt-in-or-out-version-2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    target: {
                        id: string;
                        /** @enum {string} */
                        type: "instance" | "source";
                    };
                    operator_id: string;
                    player: {
                        id: string;
                        country: string;
                        brand_id: string;
                        segments?: string[] | null;
                    };
                    contribution_preference?: {
                        currency: string;
                        value: string;
                    } | null;
                    opt_in: boolean;
                    opt_linked?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: string[];
                        failed: string[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "o12-jackpot-for-a-source-operator-surface": {
        parameters: {
            query: {
                player_id: string;
                country_code: string;
                segments?: string;
                game_code?: string;
            };
            header?: never;
            path: {
                source_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        currency: string;
                        opt_in_required: boolean;
                        opt_in_per_currency: boolean;
                        contribution_type: {
                            /** @description An exact decimal. */
                            Fixed: string;
                        } | {
                            Percentage: string;
                        };
                        contribution_values_alt: {
                            currency: string;
                            /** @description An exact decimal. */
                            value: string;
                        }[];
                        timestamp_start: number;
                        timestamp_end: number | null;
                        status: string;
                        game_code: string;
                        optin_status?: {
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
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string;
                                admin_fee: string;
                                payout_rules: {
                                    payout_percentage: string;
                                    rule: {
                                        ActivePlayers: {
                                            period_before_win: number;
                                            max_number_of_payouts: number;
                                        };
                                    } | {
                                        HighestContributors: {
                                            max_number_of_payouts: number;
                                        };
                                    } | {
                                        HighestLifetimeContributors: {
                                            max_number_of_payouts: number;
                                        };
                                    };
                                }[];
                            };
                            seed_strategy: {
                                /** @description An exact decimal. */
                                initial_seed_value: string;
                                /** @description An exact decimal. */
                                min_reseed_value: string;
                                fund_strategy: string;
                                reseed_strategy: string;
                            };
                            win_constraints: ({
                                AllowedSeedDeficit: string;
                            } | {
                                MinPotValue: string;
                            } | {
                                MinContributions: number;
                            } | {
                                MinInterval: number;
                            })[];
                            pot_types: ({
                                HitRate: {
                                    max_magic_number: number;
                                    /** @description An exact decimal. */
                                    cost_per_attempt: string;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string;
                                    /** @description An exact decimal. */
                                    max_value: string;
                                };
                            } | {
                                Time: {
                                    start_time: number;
                                    end_time: number;
                                };
                            } | {
                                External: Record<string, never>;
                            })[];
                            supports_external_trigger: boolean;
                            is_progressive: boolean;
                            criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string;
                                /** @description An exact decimal. */
                                min_contribution: string;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string;
                            /** @description An exact decimal. */
                            contributed_amount: string;
                            /** @description An exact decimal. */
                            contributed_seed: string;
                            /** @description An exact decimal. */
                            seed_value: string;
                            /** @description An exact decimal. */
                            current_value: string;
                            /** @description An exact decimal. */
                            overflow_amount: string;
                            total_contributions: number;
                            /** @description An exact decimal. */
                            initial_cost: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            422: components["responses"]["Error422"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o10-latest-winners-of-an-instance": {
        parameters: {
            query?: {
                limit?: number;
                brand_id?: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        win_pot_id: string;
                        /** @description An exact decimal. */
                        win_amount: string;
                        jackpot_currency: string;
                        player_id: string;
                        timestamp: number;
                        brand_id: string;
                        /** @constant */
                        win_withheld?: true;
                    } | {
                        instance_id: string;
                        win_pot_id: string;
                        /** @description An exact decimal. */
                        win_amount: string;
                        jackpot_currency: string;
                        player_id: string;
                        timestamp: number;
                    })[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o11-latest-pot-winners-of-an-instance": {
        parameters: {
            query?: {
                limit?: number;
                brand_id?: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: ({
                            win_pot_id: string;
                            /** @description An exact decimal. */
                            win_amount: string;
                            jackpot_currency: string;
                            player_id: string;
                            timestamp: number;
                            brand_id: string;
                            /** @constant */
                            win_withheld?: true;
                        } | {
                            instance_id: string;
                            win_pot_id: string;
                            /** @description An exact decimal. */
                            win_amount: string;
                            jackpot_currency: string;
                            player_id: string;
                            timestamp: number;
                        })[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o17-latest-winners-version-2": {
        parameters: {
            query?: never;
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id: string;
                    target: {
                        id: string;
                        /** @enum {string} */
                        type: "instance" | "source";
                    };
                    player: {
                        id: string;
                        country: string;
                        brand_id: string;
                        segments?: string[] | null;
                    };
                    limit?: number | null;
                    winners_for_player_brand?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        win_pot_id: string;
                        /** @description An exact decimal. */
                        win_amount: string;
                        jackpot_currency: string;
                        player_id: string;
                        timestamp: number;
                        brand_id: string;
                        /** @constant */
                        win_withheld?: true;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o19-latest-pot-winners-version-2": {
        parameters: {
            query?: never;
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id: string;
                    target: {
                        id: string;
                        /** @enum {string} */
                        type: "instance" | "source";
                    };
                    player: {
                        id: string;
                        country: string;
                        brand_id: string;
                        segments?: string[] | null;
                    };
                    limit?: number | null;
                    winners_for_player_brand?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        win_pot_id: string;
                        /** @description An exact decimal. */
                        win_amount: string;
                        jackpot_currency: string;
                        player_id: string;
                        timestamp: number;
                        brand_id: string;
                        /** @constant */
                        win_withheld?: true;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o15-list-sources-of-an-owner": {
        parameters: {
            query: {
                owner_id: string;
                name?: string;
                cursor?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "source_id" | "source_name" | "owner_id";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        owner_id: string;
                        source_name: string;
                        source_id: string;
                        jackpots: {
                            priority: number;
                            owner_id: string;
                            instance_id: string;
                        }[];
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o5-raffle-tickets-of-an-instance": {
        parameters: {
            query?: {
                brand_id?: string;
                cursor?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "player_id" | "ext_player_id" | "brand_id" | "ticket_count" | "accumulated_cost" | "timestamp_start" | "timestamp_end";
            };
            header?: never;
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        brand_id: string;
                        player_id: string;
                        ext_player_id: string;
                        ticket_count: number;
                        accumulated_cost: string;
                        timestamp_start: number;
                        timestamp_end: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o6-raffle-tickets-of-a-player-in-an-instance": {
        parameters: {
            query: {
                brand_id: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        brand_id: string;
                        player_id: string;
                        ext_player_id: string;
                        ticket_count: number;
                        accumulated_cost: string;
                        timestamp_start: number;
                        timestamp_end: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o7-raffle-tickets-of-a-player-in-all-active-raffles": {
        parameters: {
            query: {
                brand_id: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        brand_id: string;
                        player_id: string;
                        ext_player_id: string;
                        ticket_count: number;
                        accumulated_cost: string;
                        timestamp_start: number;
                        timestamp_end: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o3-public-currency-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        last_updated: number;
                        base_currency: string;
                        multipliers: {
                            [key: string]: string;
                        };
                        exponents?: {
                            [key: string]: number;
                        };
                    };
                };
            };
            400: components["responses"]["Error400"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o13-jackpot-for-a-source-frontend": {
        parameters: {
            query?: {
                player_id?: string;
                country_code?: string;
                segments?: string;
                game_code?: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                source_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        currency: string;
                        opt_in_required: boolean;
                        opt_in_per_currency: boolean;
                        contribution_type: {
                            /** @description An exact decimal. */
                            Fixed: string;
                        } | {
                            Percentage: string;
                        };
                        contribution_values_alt: {
                            currency: string;
                            /** @description An exact decimal. */
                            value: string;
                        }[];
                        timestamp_start: number;
                        timestamp_end: number | null;
                        status: string;
                        optin_status?: {
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
                        pots: {
                            id: string;
                            instance_count: number;
                            is_progressive: boolean;
                            /** @description An exact decimal. */
                            current_value: string;
                            community_split: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o20-instance-ticker": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                    };
                };
            };
            400: components["responses"]["Error400"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "public-events-public-feed-of-a-brand": {
        parameters: {
            query?: {
                currency?: string;
                instance_ids?: string;
            };
            header?: {
                /** @description The last id that the client has, as EventSource sends it by itself: what came after it is sent first. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                operator_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "public-jackpots-public-jackpots-of-a-brand": {
        parameters: {
            query?: {
                currency?: string;
            };
            header?: {
                /** @description The ETag of what the caller has; if it is current, the answer is 304. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                operator_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jackpots: {
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
                        }[];
                    };
                };
            };
            /** @description The caller has it. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "subscriptions-list-list-webhook-subscriptions": {
        parameters: {
            query?: {
                owner_id?: string;
                operator_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        operator_id: string;
                        brand_ids: string[] | null;
                        url: string;
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[];
                        created_timestamp: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "subscriptions-create-create-a-webhook-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    brand_ids?: string[] | null;
                    url: string;
                    event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[];
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        operator_id: string;
                        brand_ids: string[] | null;
                        url: string;
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[];
                        created_timestamp: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "subscriptions-read-read-a-webhook-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        operator_id: string;
                        brand_ids: string[] | null;
                        url: string;
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[];
                        created_timestamp: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "subscriptions-remove-remove-a-webhook-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "subscriptions-change-change-a-webhook-subscription": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: string | null;
                    event_types?: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[] | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        operator_id: string;
                        brand_ids: string[] | null;
                        url: string;
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent" | "MustDropEvent")[];
                        created_timestamp: number;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            409: components["responses"]["Error409"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "cors-list-list-cross-origin-rules": {
        parameters: {
            query?: {
                owner_id?: string;
                operator_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cors_origin_list: {
                            pattern: string;
                            /** @enum {string} */
                            match_mode: "exact" | "subdomain" | "regex";
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o23-add-or-change-cross-origin-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    cors_origin_list: {
                        pattern: string;
                        match_mode: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cors_origin_list: {
                            pattern: string;
                            /** @enum {string} */
                            match_mode: "exact" | "subdomain" | "regex";
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "o24-remove-cross-origin-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    cors_origin_list: string[];
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        removed: number;
                        cors_origin_list: {
                            pattern: string;
                            /** @enum {string} */
                            match_mode: "exact" | "subdomain" | "regex";
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "fairness-rules-rules-of-an-instance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        name: string;
                        jackpot_type: string;
                        currency: string;
                        status: string;
                        version: number;
                        funding: {
                            opt_in_required: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string;
                                /** @description An exact decimal. */
                                min_contribution: string;
                            };
                            qualified_contribution_only: boolean;
                            house_contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            diversion_percentage: string | null;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string;
                            } | {
                                Percentage: string;
                            };
                            seed_strategy: {
                                /** @description An exact decimal. */
                                initial_seed_value: string;
                                /** @description An exact decimal. */
                                min_reseed_value: string;
                                fund_strategy: string;
                                reseed_strategy: string;
                            };
                            is_progressive: boolean;
                            maximum_pot_value: string | null;
                            odds: ({
                                HitRate: {
                                    max_magic_number: number;
                                    /** @description An exact decimal. */
                                    cost_per_attempt: string;
                                    /** @description An exact decimal. */
                                    certain_at_contribution: string;
                                };
                                rule: string;
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string;
                                    /** @description An exact decimal. */
                                    max_value: string;
                                };
                                rule: string;
                            } | {
                                Time: {
                                    start_time: number;
                                    end_time: number;
                                };
                                rule: string;
                            } | {
                                External: Record<string, never>;
                                rule: string;
                            })[];
                            win_constraints: ({
                                AllowedSeedDeficit: string;
                            } | {
                                MinPotValue: string;
                            } | {
                                MinContributions: number;
                            } | {
                                MinInterval: number;
                            })[];
                            criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string;
                                /** @description An exact decimal. */
                                min_contribution: string;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string;
                                admin_fee: string;
                                payout_rules: {
                                    payout_percentage: string;
                                    rule: {
                                        ActivePlayers: {
                                            period_before_win: number;
                                            max_number_of_payouts: number;
                                        };
                                    } | {
                                        HighestContributors: {
                                            max_number_of_payouts: number;
                                        };
                                    } | {
                                        HighestLifetimeContributors: {
                                            max_number_of_payouts: number;
                                        };
                                    };
                                }[];
                            };
                            rtp_share: string | null;
                        }[];
                        rtp_share: string | null;
                        max_instantiation_count: number | null;
                        draw_beacon: string;
                        raffle_rules: {
                            cost_per_ticket: string;
                            /** @enum {string} */
                            cost_source: "Contribution" | "BaseWager";
                            /** @enum {string} */
                            allocation_mode: "Instant" | "Deferred";
                            duration: {
                                Seconds: number;
                            } | {
                                Minutes: number;
                            } | {
                                Hours: number;
                            } | {
                                Days: number;
                            } | {
                                Weeks: number;
                            } | {
                                Scheduled: {
                                    timestamps_end: number[];
                                };
                            };
                            prize_distribution: {
                                prize_percentage: string;
                                number_of_winners: number;
                            }[];
                        } | null;
                        raffle_draw: string | null;
                        win_selector_strategy: string;
                        simultaneous_wins: string;
                        fault_rules: string[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "fairness-epochs-epochs-of-an-instance": {
        parameters: {
            query?: {
                brand_id?: string;
                cursor?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "epoch";
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        epoch: number;
                        /** @enum {string} */
                        state: "committed" | "running" | "ended" | "revealed";
                        commit: string | null;
                        beacon: string | null;
                        first_sequence: number | null;
                        last_sequence: number | null;
                        seed: string | null;
                        published: boolean;
                        timestamp_end: number | null;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "fairness-epoch-one-epoch-of-an-instance": {
        parameters: {
            query?: {
                page?: number;
                brand_id?: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
                epoch: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        instance_id: string;
                        epoch: number;
                        /** @enum {string} */
                        state: "committed" | "running" | "ended" | "revealed";
                        commit: string | null;
                        beacon?: string | null;
                        /** @constant */
                        published?: false;
                        pages?: number;
                        seed: string | null;
                        header: {
                            [key: string]: unknown;
                        } | null;
                        groups: unknown[] | null;
                    } & {
                        [key: string]: unknown;
                    }) | {
                        instance_id: string;
                        epoch: number;
                        /** @constant */
                        v: 1;
                        page: number;
                        groups: unknown[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "fairness-conservation-accounts-of-an-instance-and-their-sum": {
        parameters: {
            query?: {
                brand_id?: string;
            };
            header?: {
                /** @description A player's session token, which the wallet of the brand vouches for. */
                "X-Player-Token"?: components["parameters"]["X-Player-Token"];
            };
            path: {
                instance_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        instance_id: string;
                        currency: string;
                        accounts: {
                            [key: string]: string;
                        };
                        /** @description An exact decimal. */
                        sum: string;
                        sequence: number;
                        head: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "o25-authenticate-an-external-service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    username: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "service-tokens-renew-renew-the-token-of-a-service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "service-users-password-change-the-password-of-a-service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token: string;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            408: components["responses"]["Error408"];
            413: components["responses"]["Error413"];
            414: components["responses"]["Error414"];
            415: components["responses"]["Error415"];
            422: components["responses"]["Error422"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
            504: components["responses"]["Error504"];
        };
    };
    "reports-services-contributions-list-contributions-services": {
        parameters: {
            query?: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                wait?: string;
                from?: number;
                to?: number;
                player_id?: string;
                cursor?: string;
                limit?: number;
                sort_direction?: 1 | -1;
                contribution_id?: string;
                idempotency_key?: string;
                gameround_id?: string;
                source_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contribution_id: string;
                        is_link: boolean;
                        timestamp: number;
                        operator_id: string;
                        brand_id: string;
                        player_id: string;
                        player_country: string | null;
                        segments: string[];
                        instance_id: string;
                        instance_sequence: number;
                        epoch: number;
                        source_id: string | null;
                        game_code: string | null;
                        gameround_id: string | null;
                        vertical: string | null;
                        provider_id: string | null;
                        currency: string;
                        /** @description An exact decimal. */
                        base_wager: string;
                        /** @description An exact decimal. */
                        contribution_amount: string;
                        /** @description An exact decimal. */
                        debit_amount: string;
                        /** @description An exact decimal. */
                        bonus_amount: string;
                        jackpot_currency: string;
                        /** @description An exact decimal. */
                        jackpot_base_wager: string;
                        /** @description An exact decimal. */
                        jackpot_contribution: string;
                        /** @description An exact decimal. */
                        player_part: string;
                        /** @description An exact decimal. */
                        operator_part: string;
                        rate_version: number;
                        tickets: number;
                        postings: {
                            [key: string]: string;
                        };
                        win_pot_id: string | null;
                        win_amount: string | null;
                        lane: number;
                        sequence: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-contribution-explain-a-contribution-services": {
        parameters: {
            query?: {
                wait?: string;
            };
            header?: never;
            path: {
                contribution_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contributions: {
                            contribution_id: string;
                            is_link: boolean;
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            player_country: string | null;
                            segments: string[];
                            instance_id: string;
                            instance_sequence: number;
                            epoch: number;
                            source_id: string | null;
                            game_code: string | null;
                            gameround_id: string | null;
                            vertical: string | null;
                            provider_id: string | null;
                            currency: string;
                            /** @description An exact decimal. */
                            base_wager: string;
                            /** @description An exact decimal. */
                            contribution_amount: string;
                            /** @description An exact decimal. */
                            debit_amount: string;
                            /** @description An exact decimal. */
                            bonus_amount: string;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string;
                            /** @description An exact decimal. */
                            jackpot_contribution: string;
                            /** @description An exact decimal. */
                            player_part: string;
                            /** @description An exact decimal. */
                            operator_part: string;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: string | null;
                            lane: number;
                            sequence: number;
                            rules: {
                                set_timestamp: number;
                                configuration_hash: string;
                                contribution_rules: {
                                    opt_in_required: boolean;
                                    opt_in_per_currency: boolean;
                                    contribution_type: {
                                        /** @description An exact decimal. */
                                        Fixed: string;
                                    } | {
                                        Percentage: string;
                                    };
                                    contribution_values_alt: {
                                        currency: string;
                                        /** @description An exact decimal. */
                                        value: string;
                                    }[];
                                    max_contribution: {
                                        max_contribution_value: string | null;
                                        max_contribution_values_alt: {
                                            currency: string;
                                            /** @description An exact decimal. */
                                            value: string;
                                        }[];
                                        include_base_wager: boolean;
                                        cap_contribution_by_base_wager: string | null;
                                    } | null;
                                    operator_contribution_percentage: string;
                                    wager_criteria: {
                                        /** @description An exact decimal. */
                                        min_base_wager: string;
                                        /** @description An exact decimal. */
                                        min_contribution: string;
                                    };
                                    allowed_brands: string[] | null;
                                    country_filters: {
                                        black_list: string[];
                                        white_list: string[];
                                    };
                                    qualified_contribution_only: boolean;
                                };
                                house_contribution_type: {
                                    /** @description An exact decimal. */
                                    Fixed: string;
                                } | {
                                    Percentage: string;
                                };
                                pots: {
                                    id: string;
                                    contribution: {
                                        /** @description An exact decimal. */
                                        Fixed: string;
                                    } | {
                                        Percentage: string;
                                    };
                                    seed_contribution: {
                                        /** @description An exact decimal. */
                                        Fixed: string;
                                    } | {
                                        Percentage: string;
                                    };
                                    pot_types: ({
                                        HitRate: {
                                            max_magic_number: number;
                                            /** @description An exact decimal. */
                                            cost_per_attempt: string;
                                        };
                                    } | {
                                        Threshold: {
                                            /** @description An exact decimal. */
                                            min_value: string;
                                            /** @description An exact decimal. */
                                            max_value: string;
                                        };
                                    } | {
                                        Time: {
                                            start_time: number;
                                            end_time: number;
                                        };
                                    } | {
                                        External: Record<string, never>;
                                    })[];
                                }[];
                            } | null;
                            shares: {
                                pot_id: string | null;
                                account: string;
                                /** @description An exact decimal. */
                                amount: string;
                            }[];
                        }[];
                        wins: {
                            /** @enum {string} */
                            kind: "main" | "community" | "raffle" | "external";
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            instance_id: string;
                            instance_sequence: number;
                            pot_id: string;
                            cycle: number;
                            epoch: number | null;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            win_amount: string;
                            paid_currency: string | null;
                            paid_amount: string | null;
                            win_withheld: boolean;
                            transaction_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            round: number | null;
                            tier: number | null;
                            ticket: number | null;
                            lane: number;
                            sequence: number;
                        }[];
                        entries: {
                            timestamp: number;
                            instance_id: string;
                            kind: string;
                            phase: string;
                            postings: {
                                [key: string]: string;
                            };
                        }[];
                        payments: {
                            transaction_id: string;
                            kind: string;
                            state: string;
                            operator_id: string;
                            brand_id: string | null;
                            player_id: string | null;
                            instance_id: string;
                            pot_id: string | null;
                            jackpot_currency: string | null;
                            amount: string | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string;
                            bonus_amount: string | null;
                            batch_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            opened_timestamp: number;
                            changed_timestamp: number;
                            closed_timestamp: number | null;
                            reason: string | null;
                            changed_by: string | null;
                            changes: {
                                timestamp: number;
                                state_before: string | null;
                                state: string;
                                reason: string | null;
                                changed_by: string | null;
                            }[];
                            tries: {
                                timestamp: number;
                                took_ms: number;
                                call: string;
                                result: string;
                                code: string | null;
                                status: number | null;
                            }[];
                        }[];
                        callbacks: {
                            timestamp: number;
                            took_ms: number;
                            event_id: string;
                            origin: string;
                            result: string;
                            error: string | null;
                            status: number | null;
                            is_final: boolean;
                        }[];
                        draws: {
                            instance_id: string;
                            epoch: number;
                            sequence: number;
                            proof: string | null;
                            triggers: {
                                pot_id: string;
                                trigger: number;
                                is_evaluated: boolean;
                                is_hit: boolean;
                                is_void: boolean;
                                /** @description An exact decimal. */
                                pot_value_before: string;
                                /** @description An exact decimal. */
                                pot_value: string;
                                numerator: string;
                                denominator: string;
                                u: string;
                            }[] | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-wins-list-wins-services": {
        parameters: {
            query?: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                wait?: string;
                from?: number;
                to?: number;
                player_id?: string;
                cursor?: string;
                limit?: number;
                sort_direction?: 1 | -1;
                contribution_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        kind: "main" | "community" | "raffle" | "external";
                        timestamp: number;
                        operator_id: string;
                        brand_id: string;
                        player_id: string;
                        instance_id: string;
                        instance_sequence: number;
                        pot_id: string;
                        cycle: number;
                        epoch: number | null;
                        jackpot_currency: string;
                        /** @description An exact decimal. */
                        win_amount: string;
                        paid_currency: string | null;
                        paid_amount: string | null;
                        win_withheld: boolean;
                        transaction_id: string | null;
                        contribution_id: string | null;
                        gameround_id: string | null;
                        round: number | null;
                        tier: number | null;
                        ticket: number | null;
                        lane: number;
                        sequence: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-payments-list-payments-services": {
        parameters: {
            query?: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                wait?: string;
                from?: number;
                to?: number;
                player_id?: string;
                cursor?: string;
                limit?: number;
                sort_direction?: 1 | -1;
                contribution_id?: string;
                transaction_id?: string;
                batch_id?: string;
                state?: "pending" | "debited" | "applied" | "refused" | "cancelled" | "withheld" | "unknown" | "dead" | "settled" | "confirmed" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        transaction_id: string;
                        kind: string;
                        state: string;
                        operator_id: string;
                        brand_id: string | null;
                        player_id: string | null;
                        instance_id: string;
                        pot_id: string | null;
                        jackpot_currency: string | null;
                        amount: string | null;
                        paid_currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string;
                        bonus_amount: string | null;
                        batch_id: string | null;
                        contribution_id: string | null;
                        gameround_id: string | null;
                        opened_timestamp: number;
                        changed_timestamp: number;
                        closed_timestamp: number | null;
                        reason: string | null;
                        changed_by: string | null;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-player-look-a-player-up-services": {
        parameters: {
            query: {
                brand_id: string;
                wait?: string;
            };
            header?: never;
            path: {
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        brand_id: string;
                        player_id: string;
                        totals: {
                            instance_id: string;
                            jackpot_currency: string;
                            contributions: number;
                            /** @description An exact decimal. */
                            contributed: string;
                            /** @description An exact decimal. */
                            player_part: string;
                            wins: number;
                            /** @description An exact decimal. */
                            won: string;
                        }[];
                        contributions: {
                            contribution_id: string;
                            is_link: boolean;
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            player_country: string | null;
                            segments: string[];
                            instance_id: string;
                            instance_sequence: number;
                            epoch: number;
                            source_id: string | null;
                            game_code: string | null;
                            gameround_id: string | null;
                            vertical: string | null;
                            provider_id: string | null;
                            currency: string;
                            /** @description An exact decimal. */
                            base_wager: string;
                            /** @description An exact decimal. */
                            contribution_amount: string;
                            /** @description An exact decimal. */
                            debit_amount: string;
                            /** @description An exact decimal. */
                            bonus_amount: string;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string;
                            /** @description An exact decimal. */
                            jackpot_contribution: string;
                            /** @description An exact decimal. */
                            player_part: string;
                            /** @description An exact decimal. */
                            operator_part: string;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: string | null;
                            lane: number;
                            sequence: number;
                        }[];
                        wins: {
                            /** @enum {string} */
                            kind: "main" | "community" | "raffle" | "external";
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            instance_id: string;
                            instance_sequence: number;
                            pot_id: string;
                            cycle: number;
                            epoch: number | null;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            win_amount: string;
                            paid_currency: string | null;
                            paid_amount: string | null;
                            win_withheld: boolean;
                            transaction_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            round: number | null;
                            tier: number | null;
                            ticket: number | null;
                            lane: number;
                            sequence: number;
                        }[];
                        open_payments: {
                            transaction_id: string;
                            kind: string;
                            state: string;
                            operator_id: string;
                            brand_id: string | null;
                            player_id: string | null;
                            instance_id: string;
                            pot_id: string | null;
                            jackpot_currency: string | null;
                            amount: string | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string;
                            bonus_amount: string | null;
                            batch_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            opened_timestamp: number;
                            changed_timestamp: number;
                            closed_timestamp: number | null;
                            reason: string | null;
                            changed_by: string | null;
                        }[];
                        payments: {
                            transaction_id: string;
                            kind: string;
                            state: string;
                            operator_id: string;
                            brand_id: string | null;
                            player_id: string | null;
                            instance_id: string;
                            pot_id: string | null;
                            jackpot_currency: string | null;
                            amount: string | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string;
                            bonus_amount: string | null;
                            batch_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            opened_timestamp: number;
                            changed_timestamp: number;
                            closed_timestamp: number | null;
                            reason: string | null;
                            changed_by: string | null;
                        }[];
                        opt_ins: {
                            instance_id: string;
                            opted_in: boolean;
                            contribution_count: number;
                            /** @description An exact decimal. */
                            contribution_amount: string;
                            updated_timestamp: number;
                        }[];
                        tickets: {
                            instance_id: string;
                            timestamp: number;
                            round_start: number;
                            round_end: number;
                            first_ticket: number;
                            count: number;
                            tickets_in_round: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-search-search-the-books-services": {
        parameters: {
            query: {
                owner_id?: string;
                brand_id?: string;
                wait?: string;
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contributions: {
                            contribution_id: string;
                            is_link: boolean;
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            player_country: string | null;
                            segments: string[];
                            instance_id: string;
                            instance_sequence: number;
                            epoch: number;
                            source_id: string | null;
                            game_code: string | null;
                            gameround_id: string | null;
                            vertical: string | null;
                            provider_id: string | null;
                            currency: string;
                            /** @description An exact decimal. */
                            base_wager: string;
                            /** @description An exact decimal. */
                            contribution_amount: string;
                            /** @description An exact decimal. */
                            debit_amount: string;
                            /** @description An exact decimal. */
                            bonus_amount: string;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string;
                            /** @description An exact decimal. */
                            jackpot_contribution: string;
                            /** @description An exact decimal. */
                            player_part: string;
                            /** @description An exact decimal. */
                            operator_part: string;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: string | null;
                            lane: number;
                            sequence: number;
                        }[];
                        payments: {
                            transaction_id: string;
                            kind: string;
                            state: string;
                            operator_id: string;
                            brand_id: string | null;
                            player_id: string | null;
                            instance_id: string;
                            pot_id: string | null;
                            jackpot_currency: string | null;
                            amount: string | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string;
                            bonus_amount: string | null;
                            batch_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            opened_timestamp: number;
                            changed_timestamp: number;
                            closed_timestamp: number | null;
                            reason: string | null;
                            changed_by: string | null;
                        }[];
                        wins: {
                            /** @enum {string} */
                            kind: "main" | "community" | "raffle" | "external";
                            timestamp: number;
                            operator_id: string;
                            brand_id: string;
                            player_id: string;
                            instance_id: string;
                            instance_sequence: number;
                            pot_id: string;
                            cycle: number;
                            epoch: number | null;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            win_amount: string;
                            paid_currency: string | null;
                            paid_amount: string | null;
                            win_withheld: boolean;
                            transaction_id: string | null;
                            contribution_id: string | null;
                            gameround_id: string | null;
                            round: number | null;
                            tier: number | null;
                            ticket: number | null;
                            lane: number;
                            sequence: number;
                        }[];
                        players: {
                            brand_id: string;
                            player_id: string;
                        }[];
                        instances: {
                            instance_id: string;
                            owner_id: string;
                            name: string;
                            status: string;
                        }[];
                        changes: {
                            timestamp: number;
                            id: string;
                            /** @enum {string} */
                            kind: "intent" | "outcome" | "event";
                            request_id: string;
                            user: string;
                            operation: string;
                            method: string;
                            path: string;
                            owners: string[];
                            reason: string | null;
                            approval_id: string | null;
                            outcome: string | null;
                            status: number | null;
                            code: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-daily-daily-report-services": {
        parameters: {
            query: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                from: string;
                to: string;
                group_by?: string;
                players?: boolean;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        day?: string;
                        operator_id?: string;
                        brand_id?: string;
                        instance_id?: string;
                        pot_id?: string;
                        currency: string;
                        contributions: number;
                        players: number | null;
                        wins: number;
                        /** @description An exact decimal. */
                        wagered: string;
                        /** @description An exact decimal. */
                        contributed: string;
                        /** @description An exact decimal. */
                        player_part: string;
                        /** @description An exact decimal. */
                        operator_part: string;
                        /** @description An exact decimal. */
                        bonus: string;
                        /** @description An exact decimal. */
                        won: string;
                        /** @description An exact decimal. */
                        community: string;
                        /** @description An exact decimal. */
                        raffle: string;
                        /** @description An exact decimal. */
                        withheld: string;
                        /** @description An exact decimal. */
                        house: string;
                        /** @description An exact decimal. */
                        seed_collected: string;
                        /** @description An exact decimal. */
                        seed_fronted: string;
                        /** @description An exact decimal. */
                        repaid: string;
                        /** @description An exact decimal. */
                        fees: string;
                        /** @description An exact decimal. */
                        diverted: string;
                        /** @description An exact decimal. */
                        adjusted: string;
                        /** @description An exact decimal. */
                        transferred: string;
                        /** @description An exact decimal. */
                        fx: string;
                        /** @description An exact decimal. */
                        operator_cost: string;
                        actual_return: string | null;
                        configured_return: string | null;
                        liability: string | null;
                        pot_values: string | null;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-significant-significant-events-services": {
        parameters: {
            query?: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                from?: number;
                to?: number;
                kind?: "win" | "void" | "failure" | "parameters" | "status" | "adjustment";
                min_win?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    "X-Next-Cursor": components["headers"]["X-Next-Cursor"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        timestamp: number;
                        /** @enum {string} */
                        kind: "win" | "void" | "failure" | "parameters" | "status" | "adjustment";
                        operator_id: string;
                        instance_id: string;
                        brand_id: string | null;
                        player_id: string | null;
                        pot_id: string | null;
                        action: string | null;
                        amount: string | null;
                        currency: string | null;
                        state: string | null;
                        transaction_id: string | null;
                        contribution_id: string | null;
                        changed_by: string | null;
                        reason: string | null;
                        lane: number;
                        sequence: number;
                    }[];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reports-services-export-export-a-table-of-the-books-services": {
        parameters: {
            query?: {
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                format?: "csv" | "ndjson";
                from?: number;
                to?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                table: "contributions" | "wins" | "payments" | "payment_changes" | "opt_ins" | "opt_in_changes" | "tickets" | "daily_totals" | "daily_players" | "instances" | "entries" | "statuses" | "parameter_changes" | "daily_balances";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-As-Of": components["headers"]["X-As-Of"];
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            403: components["responses"]["Error403"];
            404: components["responses"]["Error404"];
            414: components["responses"]["Error414"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reference-openapi-openapi-document-of-this-api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Error400"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    "reference-asyncapi-asyncapi-document-of-the-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asyncapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Error400"];
            414: components["responses"]["Error414"];
            429: components["responses"]["Error429"];
            431: components["responses"]["Error431"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
}
