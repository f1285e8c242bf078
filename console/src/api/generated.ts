// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.

export interface paths {
    "/config/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List brand currency configurations
         * @description Operation A1.
         */
        get: operations["a1-list-brand-currency-configurations"];
        /**
         * Set the default currency rates
         * @description Operation rates.default.
         */
        put: operations["rates-default-set-the-default-currency-rates"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operators
         * @description Operation A2.
         */
        get: operations["a2-list-operators"];
        put?: never;
        /**
         * Create operators
         * @description Operation A3.
         */
        post: operations["a3-create-operators"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/operators/{operator_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an operator
         * @description Operation A4.
         */
        get: operations["a4-get-an-operator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Modify an operator
         * @description Operation A6.
         */
        patch: operations["a6-modify-an-operator"];
        trace?: never;
    };
    "/config/operators/{operator_id}/brands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add brands under an operator
         * @description Operation A5.
         */
        post: operations["a5-add-brands-under-an-operator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/operators/{operator_id}/brands/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Modify a brand
         * @description Operation A6.
         */
        patch: operations["a6-modify-a-brand"];
        trace?: never;
    };
    "/config/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List segments
         * @description Operation A7.
         */
        get: operations["a7-list-segments"];
        put?: never;
        /**
         * Create segments
         * @description Operation A8.
         */
        post: operations["a8-create-segments"];
        /**
         * Delete segments
         * @description Operation A9.
         */
        delete: operations["a9-delete-segments"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/segments/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a jackpot to a segment
         * @description Operation A10.
         */
        post: operations["a10-assign-a-jackpot-to-a-segment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/segments/priorities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set jackpot priorities of a segment
         * @description Operation A11.
         */
        put: operations["a11-set-jackpot-priorities-of-a-segment"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/segments/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a jackpot from a segment
         * @description Operation A12.
         */
        post: operations["a12-remove-a-jackpot-from-a-segment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sources
         * @description Operation A13.
         */
        get: operations["a13-list-sources"];
        put?: never;
        /**
         * Create sources
         * @description Operation A14.
         */
        post: operations["a14-create-sources"];
        /**
         * Delete sources
         * @description Operation A15.
         */
        delete: operations["a15-delete-sources"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/sources/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign a jackpot to sources
         * @description Operation A16.
         */
        post: operations["a16-assign-a-jackpot-to-sources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/sources/priorities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set jackpot priorities of a source
         * @description Operation A17.
         */
        put: operations["a17-set-jackpot-priorities-of-a-source"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/sources/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a jackpot from sources
         * @description Operation A18.
         */
        post: operations["a18-remove-a-jackpot-from-sources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List instances
         * @description Operation A19.
         */
        get: operations["a19-list-instances"];
        put?: never;
        /**
         * Create an instance
         * @description Operation instances.create.
         */
        post: operations["instances-create-create-an-instance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Winners of an instance
         * @description Operation A20.
         */
        get: operations["a20-winners-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/pots/winners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pot winners of an instance
         * @description Operation A21.
         */
        get: operations["a21-pot-winners-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/pots/{pot_id}/current-value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pot value adjustment: current_value
         * @description Operation A22.
         */
        put: operations["a22-pot-value-adjustment-current-value"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/pots/{pot_id}/seed-value": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pot value adjustment: seed_value
         * @description Operation A22.
         */
        put: operations["a22-pot-value-adjustment-seed-value"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/pots/{pot_id}/surplus-seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pot value adjustment: surplus_seed
         * @description Operation A22.
         */
        put: operations["a22-pot-value-adjustment-surplus-seed"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/brands/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Allow a brand on an instance
         * @description Operation A23.
         */
        put: operations["a23-allow-a-brand-on-an-instance"];
        post?: never;
        /**
         * Disallow a brand on an instance
         * @description Operation A23.
         */
        delete: operations["a23-disallow-a-brand-on-an-instance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/opt-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt a player in or out
         * @description Operation A24.
         */
        post: operations["a24-opt-a-player-in-or-out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/opt-ins/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bulk opt-in and opt-out
         * @description Operation A25.
         */
        post: operations["a25-bulk-opt-in-and-opt-out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/players/{player_id}/opt-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player's opt-in records
         * @description Operation A26.
         */
        get: operations["a26-list-a-player-s-opt-in-records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/jackpot/source/{source_id}/brand/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Jackpot for a source
         * @description Operation A27.
         */
        get: operations["a27-jackpot-for-a-source"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/model-switch/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Model switch preview
         * @description Operation A28.
         */
        post: operations["a28-model-switch-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/model-switch/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Model switch execution
         * @description Operation A29.
         */
        post: operations["a29-model-switch-execution"];
        /**
         * Cancel a model switch
         * @description Operation switches.cancel.
         */
        delete: operations["switches-cancel-cancel-a-model-switch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/pots/{pot_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Trigger a pot win
         * @description Operation A30.
         */
        post: operations["a30-trigger-a-pot-win"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an instance
         * @description Operation A32.
         */
        get: operations["a32-get-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update instance details
         * @description Operation A31.
         */
        patch: operations["a31-update-instance-details"];
        trace?: never;
    };
    "/config/instances/{instance_id}/opt-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List opt-ins of an instance
         * @description Operation A33.
         */
        get: operations["a33-list-opt-ins-of-an-instance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/opt-in/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opt a player in or out, returning records
         * @description Operation A34.
         */
        post: operations["a34-opt-a-player-in-or-out-returning-records"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/contributions": {
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
         * @description Operation A35.
         */
        post: operations["a35-contribute-to-an-instance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/sources/{source_id}/contributions": {
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
         * @description Operation A36.
         */
        post: operations["a36-contribute-by-source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/providers/{provider_id}/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Contribute for a game provider
         * @description Operation A37.
         */
        post: operations["a37-contribute-for-a-game-provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description Operation templates.list.
         */
        get: operations["templates-list-list-templates"];
        put?: never;
        /**
         * Create a template
         * @description Operation templates.create.
         */
        post: operations["templates-create-create-a-template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/templates/{owner_id}/{template_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a template
         * @description Operation templates.read.
         */
        get: operations["templates-read-get-a-template"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the status of an instance
         * @description Operation instances.status.
         */
        post: operations["instances-status-change-the-status-of-an-instance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/epochs/{epoch}/beacon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hand in the beacon of a draw epoch
         * @description Operation instances.beacon.
         */
        put: operations["instances-beacon-hand-in-the-beacon-of-a-draw-epoch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the parameters of an instance
         * @description Operation instances.parameters.
         */
        put: operations["instances-parameters-change-the-parameters-of-an-instance"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/instances/{instance_id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the links of an instance
         * @description Operation instances.links.
         */
        put: operations["instances-links-set-the-links-of-an-instance"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/currencies/{brand_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the currency rates of a brand
         * @description Operation rates.brand.
         */
        put: operations["rates-brand-set-the-currency-rates-of-a-brand"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/operators/{operator_id}/brands/{brand_id}/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet settings of a brand
         * @description Operation wallet.read.
         */
        get: operations["wallet-read-read-the-wallet-settings-of-a-brand"];
        /**
         * Set the wallet of a brand
         * @description Operation wallet.set.
         */
        put: operations["wallet-set-set-the-wallet-of-a-brand"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/webhook-origins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook origins
         * @description Operation webhook-origins.list.
         */
        get: operations["webhook-origins-list-list-webhook-origins"];
        put?: never;
        /**
         * Register a webhook origin
         * @description Operation webhook-origins.create.
         */
        post: operations["webhook-origins-create-register-a-webhook-origin"];
        /**
         * Remove a webhook origin
         * @description Operation webhook-origins.remove.
         */
        delete: operations["webhook-origins-remove-remove-a-webhook-origin"];
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
    "/config/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Operation deliveries.list.
         */
        get: operations["deliveries-list-list-deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/deliveries/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List replays
         * @description Operation deliveries.list-replays.
         */
        get: operations["deliveries-list-replays-list-replays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay deliveries
         * @description Operation deliveries.replay-range.
         */
        post: operations["deliveries-replay-range-replay-deliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Operation deliveries.replay.
         */
        post: operations["deliveries-replay-replay-a-delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/deliveries/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a delivery
         * @description Operation deliveries.resolve.
         */
        post: operations["deliveries-resolve-resolve-a-delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlements
         * @description Operation settlements.list.
         */
        get: operations["settlements-list-list-settlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/settlements/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a withheld win
         * @description Operation settlements.release.
         */
        post: operations["settlements-release-release-a-withheld-win"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/settlements/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a payment
         * @description Operation settlements.retry.
         */
        post: operations["settlements-retry-retry-a-payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/settlements/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a payment
         * @description Operation settlements.resolve.
         */
        post: operations["settlements-resolve-resolve-a-payment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Operation approvals.list.
         */
        get: operations["approvals-list-list-approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change
         * @description Operation approvals.approve.
         */
        post: operations["approvals-approve-approve-a-change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a change
         * @description Operation approvals.reject.
         */
        post: operations["approvals-reject-reject-a-change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit log
         * @description Operation audit.list.
         */
        get: operations["audit-list-read-the-audit-log"];
        put?: never;
        post?: never;
        delete?: never;
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
    "/auth/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authenticate an administrator
         * @description Operation login.
         */
        post: operations["login-authenticate-an-administrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the token of an administrator
         * @description Operation administrator-tokens.renew.
         */
        post: operations["administrator-tokens-renew-renew-the-token-of-an-administrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Operation administrators.password.
         */
        put: operations["administrators-password-change-your-password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Renew a session
         * @description Operation sessions.renew.
         */
        put: operations["sessions-renew-renew-a-session"];
        /**
         * Begin a session
         * @description Operation sessions.begin.
         */
        post: operations["sessions-begin-begin-a-session"];
        /**
         * End a session
         * @description Operation sessions.end.
         */
        delete: operations["sessions-end-end-a-session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all your sessions
         * @description Operation sessions.end-all.
         */
        delete: operations["sessions-end-all-end-all-your-sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your account
         * @description Operation administrators.me.
         */
        get: operations["administrators-me-read-your-account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * JSON Web Key Set
         * @description Operation jwks.
         */
        get: operations["jwks-json-web-key-set"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/service-users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List service users
         * @description Operation service-users.list.
         */
        get: operations["service-users-list-list-service-users"];
        put?: never;
        /**
         * Create a service user
         * @description Operation service-users.create.
         */
        post: operations["service-users-create-create-a-service-user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/service-users/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a service user
         * @description Operation service-users.read.
         */
        get: operations["service-users-read-read-a-service-user"];
        put?: never;
        post?: never;
        /**
         * Remove a service user
         * @description Operation service-users.remove.
         */
        delete: operations["service-users-remove-remove-a-service-user"];
        options?: never;
        head?: never;
        /**
         * Change a service user
         * @description Operation service-users.change.
         */
        patch: operations["service-users-change-change-a-service-user"];
        trace?: never;
    };
    "/config/service-users/{username}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a signing key of a service user
         * @description Operation service-users.keys.
         */
        post: operations["service-users-keys-create-a-signing-key-of-a-service-user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Operation tokens.revoke.
         */
        delete: operations["tokens-revoke-revoke-a-token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List administrators
         * @description Operation users.list.
         */
        get: operations["users-list-list-administrators"];
        put?: never;
        /**
         * Add an administrator
         * @description Operation users.create.
         */
        post: operations["users-create-add-an-administrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/users/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an administrator
         * @description Operation users.read.
         */
        get: operations["users-read-get-an-administrator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an administrator
         * @description Operation users.change.
         */
        patch: operations["users-change-change-an-administrator"];
        trace?: never;
    };
    "/config/contributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contributions
         * @description Operation reports.contributions.
         */
        get: operations["reports-contributions-list-contributions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/contributions/{contribution_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a contribution
         * @description Operation reports.contribution.
         */
        get: operations["reports-contribution-explain-a-contribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/wins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wins
         * @description Operation reports.wins.
         */
        get: operations["reports-wins-list-wins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Operation reports.payments.
         */
        get: operations["reports-payments-list-payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look a player up
         * @description Operation reports.player.
         */
        get: operations["reports-player-look-a-player-up"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the books
         * @description Operation reports.search.
         */
        get: operations["reports-search-search-the-books"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Daily report
         * @description Operation reports.daily.
         */
        get: operations["reports-daily-daily-report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/config/exports/{table}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a table of the books
         * @description Operation reports.export.
         */
        get: operations["reports-export-export-a-table-of-the-books"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Are contributions accepted? */
        get: operations["readyz"];
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
            code: "forbidden" | "brand_forbidden" | "owner_disabled" | "player_mismatch" | "actor_mismatch" | "approval_by_proposer" | "origin_forbidden" | "approver_not_independent";
            message: string;
        };
        Error404: {
            /** @constant */
            status_code: 404;
            /** @enum {string} */
            code: "route_not_found" | "operator_not_found" | "brand_not_found" | "segment_not_found" | "source_not_found" | "instance_not_found" | "pot_not_found" | "jackpot_not_found" | "template_not_found" | "approval_not_found" | "user_not_found";
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
            code: "idempotency_in_progress" | "version_conflict" | "already_exists" | "switch_in_progress" | "approval_mismatch" | "approval_expired" | "owner_has_dependents" | "bootstrap_closed" | "approvers_missing";
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
        /** @description `forbidden`, `brand_forbidden`, `owner_disabled`, `player_mismatch`, `actor_mismatch`, `approval_by_proposer`, `origin_forbidden`, `approver_not_independent` */
        Error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error403"];
            };
        };
        /** @description `route_not_found`, `operator_not_found`, `brand_not_found`, `segment_not_found`, `source_not_found`, `instance_not_found`, `pot_not_found`, `jackpot_not_found`, `template_not_found`, `approval_not_found`, `user_not_found` */
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
        /** @description `idempotency_in_progress`, `version_conflict`, `already_exists`, `switch_in_progress`, `approval_mismatch`, `approval_expired`, `owner_has_dependents`, `bootstrap_closed`, `approvers_missing` */
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
        /** @description The session of a page: `__Host-potstream`, HttpOnly, Secure, SameSite=Strict. */
        "Set-Cookie": string;
        /** @description Names the approval at /config/approvals. */
        "X-Approval-Id": string;
        /** @description Where the list stopped looking, in milliseconds; absent where it looked at everything. */
        "X-Unread-From": string;
        /** @description What the configuration costs or risks; absent where there is nothing to say. */
        "X-Configuration-Warnings": string;
        /** @description Lanes that do not serve, as `lanes 0,3`: what lives there is missing in the list, or is shown as it was last known. Of the books: `contribution` and its id, which was waited for and is not there yet. */
        "X-Incomplete": string;
        /** @description The last message of each lane that the books have, and its time in milliseconds, as `0;sequence=4711;time=1767225600000, 1;…`; of more than 64 lanes those that are furthest back. */
        "X-As-Of": string;
        /** @description The `cursor` of the next page; absent: there are no more rows. */
        "X-Next-Cursor": string;
        /** @description Rows of the list, with its first page; `10000+` above 10,000. */
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
    "a1-list-brand-currency-configurations": {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "brand_id" | "base_currency";
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
                        brand_id: string;
                        base_currency: string;
                        multipliers: {
                            [key: string]: string | number;
                        };
                        exponents?: {
                            [key: string]: number;
                        };
                    }[];
                };
            };
        };
    };
    "rates-default-set-the-default-currency-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    base_currency: string;
                    multipliers: {
                        [key: string]: (string | number) | string;
                    };
                    exponents?: {
                        [key: string]: number;
                    } | null;
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
                        last_updated: number;
                        base_currency: string;
                        multipliers: {
                            [key: string]: string | number;
                        };
                        exponents?: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a2-list-operators": {
        parameters: {
            query?: {
                owner_id?: string;
                name?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "id" | "name" | "enabled" | "created_timestamp";
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
                        path: string;
                        name: string;
                        enabled: boolean;
                        created_timestamp: number;
                        /** @constant */
                        public_winners?: true;
                        /** @constant */
                        public_feed?: true;
                        brands: {
                            id: string;
                            path: string;
                            name: string;
                            enabled: boolean;
                            created_timestamp: number;
                            /** @constant */
                            public_winners?: true;
                            /** @constant */
                            public_feed?: true;
                        }[];
                        /** @constant */
                        fairness?: "signed_in";
                        four_eyes: {
                            enabled: boolean;
                            limit: string | null;
                        };
                        quota?: {
                            contributions_per_second: number | null;
                            bytes_per_second: number | null;
                        };
                    }[];
                };
            };
        };
    };
    "a3-create-operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    name: string;
                }[];
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
        };
    };
    "a4-get-an-operator": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operator_id: string;
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
                        path: string;
                        name: string;
                        enabled: boolean;
                        created_timestamp: number;
                        /** @constant */
                        public_winners?: true;
                        /** @constant */
                        public_feed?: true;
                        brands: {
                            id: string;
                            path: string;
                            name: string;
                            enabled: boolean;
                            created_timestamp: number;
                            /** @constant */
                            public_winners?: true;
                            /** @constant */
                            public_feed?: true;
                        }[];
                        /** @constant */
                        fairness?: "signed_in";
                        four_eyes: {
                            enabled: boolean;
                            limit: string | null;
                        };
                        quota?: {
                            contributions_per_second: number | null;
                            bytes_per_second: number | null;
                        };
                    };
                };
            };
        };
    };
    "a6-modify-an-operator": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operator_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    name?: string | null;
                    enabled?: boolean | null;
                    public_winners?: boolean | null;
                    public_feed?: boolean | null;
                    fairness?: ("public" | "signed_in") | null;
                    four_eyes?: {
                        enabled: boolean;
                        limit?: ((string | number) | string) | null;
                    } | null;
                    quota?: {
                        contributions_per_second?: number | null;
                        bytes_per_second?: number | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a5-add-brands-under-an-operator": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operator_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                    name: string;
                }[];
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
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a6-modify-a-brand": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operator_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    brand_id?: string | null;
                    name?: string | null;
                    enabled?: boolean | null;
                    public_winners?: boolean | null;
                    public_feed?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a7-list-segments": {
        parameters: {
            query?: {
                brand_id?: string;
                name?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "id" | "name" | "priority" | "owner_id";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        owner_id: string;
                        id: string;
                        name: string | null;
                        priority: number;
                        jackpots: {
                            priority: number;
                            owner_id: string;
                            instance_id: string;
                        }[];
                    }[];
                };
            };
        };
    };
    "a8-create-segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    id: string;
                    name?: string | null;
                    priority: number;
                    jackpots?: {
                        priority: number;
                        owner_id: string;
                        instance_id: string;
                    }[] | null;
                }[];
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
                        succeeded: string[];
                        duplicated: string[];
                        failed: string[];
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a9-delete-segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    segment_id: string;
                }[];
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
                        succeeded: string[];
                        failed: {
                            owner_id: string;
                            segment_id: string;
                            jackpots: string[];
                        }[];
                    };
                };
            };
        };
    };
    "a10-assign-a-jackpot-to-a-segment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    segment_id: string;
                    instance_id: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a11-set-jackpot-priorities-of-a-segment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    brand_id: string;
                    segment_id: string;
                    priorities: {
                        [key: string]: number;
                    };
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
                        owner_id: string;
                        id: string;
                        name: string | null;
                        priority: number;
                        jackpots: {
                            priority: number;
                            owner_id: string;
                            instance_id: string;
                        }[];
                    }[];
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a12-remove-a-jackpot-from-a-segment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    segment_id: string;
                    instance_id: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a13-list-sources": {
        parameters: {
            query?: {
                owner_id?: string;
                source_id?: string;
                name?: string;
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
        };
    };
    "a14-create-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
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
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        succeeded: string[];
                        duplicated: string[];
                        failed: string[];
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a15-delete-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    source_id: string;
                }[];
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
                        succeeded: string[];
                        failed: {
                            owner_id: string;
                            source_id: string;
                            jackpots: string[];
                        }[];
                    };
                };
            };
        };
    };
    "a16-assign-a-jackpot-to-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    source_id: string[];
                    instance_id: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a17-set-jackpot-priorities-of-a-source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    brand_id: string;
                    segment_id: string;
                    priorities: {
                        [key: string]: number;
                    };
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
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a18-remove-a-jackpot-from-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    source_id: string[];
                    instance_id: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a19-list-instances": {
        parameters: {
            query?: {
                owner_id?: string;
                status?: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                name?: string;
                ids?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "id" | "name" | "owner_id" | "status" | "created" | "last_updated";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    }[];
                };
            };
        };
    };
    "instances-create-create-an-instance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    template_owner_id: string;
                    template_id: string;
                    owner_id: string;
                    name: string;
                    description?: string | null;
                    game_code?: string | null;
                    group?: string | null;
                    timestamp_start?: number | null;
                    timestamp_end?: number | null;
                    overrides?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Configuration-Warnings": components["headers"]["X-Configuration-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a20-winners-of-an-instance": {
        parameters: {
            query?: {
                limit?: number;
                brand_id?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            win_pot_id: string;
                            /** @description An exact decimal. */
                            win_amount: string | number;
                            jackpot_currency: string;
                            player_id: string;
                            timestamp: number;
                            brand_id: string;
                            /** @constant */
                            win_withheld?: true;
                        }[];
                    };
                };
            };
        };
    };
    "a21-pot-winners-of-an-instance": {
        parameters: {
            query?: {
                limit?: number;
                brand_id?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            win_pot_id: string;
                            /** @description An exact decimal. */
                            win_amount: string | number;
                            jackpot_currency: string;
                            player_id: string;
                            timestamp: number;
                            brand_id: string;
                            /** @constant */
                            win_withheld?: true;
                        }[];
                    };
                };
            };
        };
    };
    "a22-pot-value-adjustment-current-value": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                pot_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    pot_id?: string | null;
                    adjustment: (string | number) | string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a22-pot-value-adjustment-seed-value": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                pot_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    pot_id?: string | null;
                    adjustment: (string | number) | string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a22-pot-value-adjustment-surplus-seed": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                pot_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    pot_id?: string | null;
                    adjustment: (string | number) | string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a23-allow-a-brand-on-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    brand_id?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a23-disallow-a-brand-on-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    brand_id?: string | null;
                } | null;
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a24-opt-a-player-in-or-out": {
        parameters: {
            query?: never;
            header?: never;
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
                    contribution_value?: ((string | number) | string) | null;
                    contribution_currency?: string | null;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a25-bulk-opt-in-and-opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id: string;
                    brand_id: string;
                    opt_ins: {
                        player_id: string;
                        currency: string;
                    }[];
                    opt_outs: {
                        player_id: string;
                        currency: string;
                    }[];
                }[];
                "text/csv": string;
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
                        errors: {
                            [key: string]: string;
                        };
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a26-list-a-player-s-opt-in-records": {
        parameters: {
            query: {
                brand_id: string;
                opted_id?: boolean;
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
                    "X-Incomplete": components["headers"]["X-Incomplete"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        doc_version: "V1";
                        instance_id: string;
                        player_id: string;
                        ext_player_id: string;
                        player_brand_id: string;
                        preferred_contribution_value: (string | number) | null;
                        preferred_contribution_currency: string | null;
                        contribution_preferences: {
                            [key: string]: string;
                        };
                        contribution_count: number;
                        /** @description An exact decimal. */
                        contribution_value: string | number;
                        pot_contributions: {
                            [key: string]: {
                                contribution_count: number;
                                /** @description An exact decimal. */
                                contribution_value: string | number;
                            };
                        };
                        opted_in: boolean;
                        opted_out: boolean;
                        last_updated: number;
                    }[];
                };
            };
        };
    };
    "a27-jackpot-for-a-source": {
        parameters: {
            query?: {
                player_id?: string;
                country_code?: string;
                segments?: string | string[];
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
                            Fixed: string | number;
                        } | {
                            Percentage: string | number;
                        };
                        contribution_values_alt: {
                            currency: string;
                            /** @description An exact decimal. */
                            value: string | number;
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
                            preferred_contribution_value: (string | number) | null;
                            preferred_contribution_currency: string | null;
                            contribution_preferences: {
                                [key: string]: string;
                            };
                            contribution_count: number;
                            /** @description An exact decimal. */
                            contribution_value: string | number;
                            pot_contributions: {
                                [key: string]: {
                                    contribution_count: number;
                                    /** @description An exact decimal. */
                                    contribution_value: string | number;
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
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                            /** @description An exact decimal. */
                            initial_cost: string | number;
                        }[];
                    };
                };
            };
        };
    };
    "a28-model-switch-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source_instance_id: string;
                    template_owner_id: string;
                    template_id: string;
                    target_instance_owner_id: string;
                    target_instance_name: string;
                    target_instance_game_code?: string | null;
                    target_instance_desc?: string | null;
                    dry_run: boolean;
                    pot_rules: {
                        source_pot: string;
                        target_pot: {
                            [key: string]: string;
                        };
                    }[];
                    transfer_optins: boolean;
                    reason: string;
                    override?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Configuration-Warnings": components["headers"]["X-Configuration-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        source_instance: {
                            id: string;
                            game_code: string;
                            template_owner_id: string;
                            template_id: string;
                            /** @enum {string} */
                            status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                            name: string;
                            description: string;
                            owner_id: string;
                            version: number;
                            currency: string;
                            contribution_rules: {
                                opt_in_required: boolean;
                                opt_in_per_currency: boolean;
                                contribution_type: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                max_contribution: {
                                    max_contribution_value: string | null;
                                    max_contribution_values_alt: {
                                        currency: string;
                                        /** @description An exact decimal. */
                                        value: string | number;
                                    }[];
                                    include_base_wager: boolean;
                                    cap_contribution_by_base_wager: string | null;
                                } | null;
                                operator_contribution_percentage: string;
                                wager_criteria: {
                                    /** @description An exact decimal. */
                                    min_base_wager: string | number;
                                    /** @description An exact decimal. */
                                    min_contribution: string | number;
                                };
                                allowed_brands: string[] | null;
                                country_filters: {
                                    black_list: string[];
                                    white_list: string[];
                                };
                                qualified_contribution_only: boolean;
                            };
                            jackpot_type: string;
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
                            win_selector_strategy: string;
                            max_instantiation_count: number | null;
                            draw_beacon?: string;
                            house_pot: {
                                contribution_type: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                timestamp_created: number;
                                /** @description An exact decimal. */
                                current_value: string | number;
                                /** @description An exact decimal. */
                                accumulated_seed_deficit: string | number;
                                total_contributions: number;
                                diversion_rules: {
                                    target: {
                                        External: {
                                            endpoint: string;
                                            account_id: string;
                                        };
                                    };
                                    diversion_percentage: string;
                                    flush_threshold: string | null;
                                } | null;
                                /** @description An exact decimal. */
                                diversion_pool: string | number;
                            };
                            pots: {
                                id: string;
                                enabled: boolean;
                                contribution: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                seed_contribution: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                payout_ruleset: {
                                    main_winner_percentage: string | number;
                                    admin_fee: string | number;
                                    payout_rules: {
                                        payout_percentage: string | number;
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
                                    initial_seed_value: string | number;
                                    /** @description An exact decimal. */
                                    min_reseed_value: string | number;
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
                                        cost_per_attempt: string | number;
                                    };
                                } | {
                                    Threshold: {
                                        /** @description An exact decimal. */
                                        min_value: string | number;
                                        /** @description An exact decimal. */
                                        max_value: string | number;
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
                                    min_base_wager: string | number;
                                    /** @description An exact decimal. */
                                    min_contribution: string | number;
                                };
                                maximum_pot_value: string | null;
                                instance_count: number;
                                timestamp_created: number;
                                /** @description An exact decimal. */
                                surplus_seed: string | number;
                                /** @description An exact decimal. */
                                contributed_amount: string | number;
                                /** @description An exact decimal. */
                                contributed_seed: string | number;
                                /** @description An exact decimal. */
                                seed_value: string | number;
                                /** @description An exact decimal. */
                                current_value: string | number;
                                /** @description An exact decimal. */
                                overflow_amount: string | number;
                                total_contributions: number;
                            }[];
                            total_contributions: number;
                            created: number;
                            timestamp_start: number;
                            timestamp_end: number | null;
                            last_updated: number;
                            group: string;
                            links: string[];
                            switched_to: string | null;
                            switch: {
                                target: string;
                                copied: number;
                                total: number;
                                /** @enum {string} */
                                state: "copying" | "refused" | "cancelled";
                                code: string | null;
                                message: string | null;
                            } | null;
                        };
                        target_instance: {
                            id: string;
                            game_code: string;
                            template_owner_id: string;
                            template_id: string;
                            /** @enum {string} */
                            status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                            name: string;
                            description: string;
                            owner_id: string;
                            version: number;
                            currency: string;
                            contribution_rules: {
                                opt_in_required: boolean;
                                opt_in_per_currency: boolean;
                                contribution_type: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                max_contribution: {
                                    max_contribution_value: string | null;
                                    max_contribution_values_alt: {
                                        currency: string;
                                        /** @description An exact decimal. */
                                        value: string | number;
                                    }[];
                                    include_base_wager: boolean;
                                    cap_contribution_by_base_wager: string | null;
                                } | null;
                                operator_contribution_percentage: string;
                                wager_criteria: {
                                    /** @description An exact decimal. */
                                    min_base_wager: string | number;
                                    /** @description An exact decimal. */
                                    min_contribution: string | number;
                                };
                                allowed_brands: string[] | null;
                                country_filters: {
                                    black_list: string[];
                                    white_list: string[];
                                };
                                qualified_contribution_only: boolean;
                            };
                            jackpot_type: string;
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
                            win_selector_strategy: string;
                            max_instantiation_count: number | null;
                            draw_beacon?: string;
                            house_pot: {
                                contribution_type: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                timestamp_created: number;
                                /** @description An exact decimal. */
                                current_value: string | number;
                                /** @description An exact decimal. */
                                accumulated_seed_deficit: string | number;
                                total_contributions: number;
                                diversion_rules: {
                                    target: {
                                        External: {
                                            endpoint: string;
                                            account_id: string;
                                        };
                                    };
                                    diversion_percentage: string;
                                    flush_threshold: string | null;
                                } | null;
                                /** @description An exact decimal. */
                                diversion_pool: string | number;
                            };
                            pots: {
                                id: string;
                                enabled: boolean;
                                contribution: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                seed_contribution: {
                                    /** @description An exact decimal. */
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                payout_ruleset: {
                                    main_winner_percentage: string | number;
                                    admin_fee: string | number;
                                    payout_rules: {
                                        payout_percentage: string | number;
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
                                    initial_seed_value: string | number;
                                    /** @description An exact decimal. */
                                    min_reseed_value: string | number;
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
                                        cost_per_attempt: string | number;
                                    };
                                } | {
                                    Threshold: {
                                        /** @description An exact decimal. */
                                        min_value: string | number;
                                        /** @description An exact decimal. */
                                        max_value: string | number;
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
                                    min_base_wager: string | number;
                                    /** @description An exact decimal. */
                                    min_contribution: string | number;
                                };
                                maximum_pot_value: string | null;
                                instance_count: number;
                                timestamp_created: number;
                                /** @description An exact decimal. */
                                surplus_seed: string | number;
                                /** @description An exact decimal. */
                                contributed_amount: string | number;
                                /** @description An exact decimal. */
                                contributed_seed: string | number;
                                /** @description An exact decimal. */
                                seed_value: string | number;
                                /** @description An exact decimal. */
                                current_value: string | number;
                                /** @description An exact decimal. */
                                overflow_amount: string | number;
                                total_contributions: number;
                            }[];
                            total_contributions: number;
                            created: number;
                            timestamp_start: number;
                            timestamp_end: number | null;
                            last_updated: number;
                            group: string;
                            links: string[];
                            switched_to: string | null;
                            switch: {
                                target: string;
                                copied: number;
                                total: number;
                                /** @enum {string} */
                                state: "copying" | "refused" | "cancelled";
                                code: string | null;
                                message: string | null;
                            } | null;
                        };
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a29-model-switch-execution": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source_instance_id: string;
                    target_instance_id: string;
                    user_id: string;
                    pot_rules: {
                        source_pot: string;
                        target_pot: {
                            [key: string]: string;
                        };
                    }[];
                    transfer_optins: boolean;
                    reason: string;
                    override?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. Without X-Approval-Id: the change has begun and takes longer. It goes on by itself. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    } | {
                        source_instance_id: string;
                        target_instance_id: string;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        };
                    };
                };
            };
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "switches-cancel-cancel-a-model-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    source_instance_id: string;
                    target_instance_id: string;
                    reason: string;
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
        };
    };
    "a30-trigger-a-pot-win": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                instance_id: string;
                pot_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    pot_id?: string | null;
                    brand_id: string;
                    player_id: string;
                    source_id: string;
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
                        instance_id: string;
                        timestamp: number;
                        /** @description An exact decimal. */
                        win_amount: string | number;
                        win_pot_id: string;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "a32-get-an-instance": {
        parameters: {
            query?: {
                owner_id?: string;
                status?: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    };
                };
            };
        };
    };
    "a31-update-instance-details": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
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
                    name?: string | null;
                    description?: string | null;
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
        };
    };
    "a33-list-opt-ins-of-an-instance": {
        parameters: {
            query?: {
                opted_in?: boolean;
                page?: number;
                limit?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        doc_version: "V1";
                        instance_id: string;
                        player_id: string;
                        ext_player_id: string;
                        player_brand_id: string;
                        preferred_contribution_value: (string | number) | null;
                        preferred_contribution_currency: string | null;
                        contribution_preferences: {
                            [key: string]: string;
                        };
                        contribution_count: number;
                        /** @description An exact decimal. */
                        contribution_value: string | number;
                        pot_contributions: {
                            [key: string]: {
                                contribution_count: number;
                                /** @description An exact decimal. */
                                contribution_value: string | number;
                            };
                        };
                        opted_in: boolean;
                        opted_out: boolean;
                        last_updated: number;
                    }[];
                };
            };
        };
    };
    "a34-opt-a-player-in-or-out-returning-records": {
        parameters: {
            query?: never;
            header?: never;
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
                    contribution_value?: ((string | number) | string) | null;
                    contribution_currency?: string | null;
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
                        doc_version: "V1";
                        instance_id: string;
                        player_id: string;
                        ext_player_id: string;
                        player_brand_id: string;
                        preferred_contribution_value: (string | number) | null;
                        preferred_contribution_currency: string | null;
                        contribution_preferences: {
                            [key: string]: string;
                        };
                        contribution_count: number;
                        /** @description An exact decimal. */
                        contribution_value: string | number;
                        pot_contributions: {
                            [key: string]: {
                                contribution_count: number;
                                /** @description An exact decimal. */
                                contribution_value: string | number;
                            };
                        };
                        opted_in: boolean;
                        opted_out: boolean;
                        last_updated: number;
                    }[];
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "a35-contribute-to-an-instance": {
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
                    base_wager: (string | number) | string;
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
                        win_amount: string | number;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string | number;
                        metadata: unknown;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
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
        };
    };
    "a36-contribute-by-source": {
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
                    base_wager: (string | number) | string;
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
                        win_amount: string | number;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string | number;
                        metadata: unknown;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
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
        };
    };
    "a37-contribute-for-a-game-provider": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                provider_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    provider_id?: string | null;
                    game_code: string;
                    token: string;
                    brand_id: string;
                    player_id: string;
                    player_country: string;
                    gameround_id?: string | null;
                    base_wager: (string | number) | string;
                    currency: string;
                    metadata?: unknown;
                    event_metadata?: unknown;
                    instance_id: string;
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
                        win_amount: string | number;
                        win_pot_id: string | null;
                        tickets_awarded: number;
                        win_withheld: boolean;
                        contribution_currency: string;
                        /** @description An exact decimal. */
                        contribution_amount: string | number;
                        metadata: unknown;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
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
        };
    };
    "templates-list-list-templates": {
        parameters: {
            query?: {
                owner_id?: string;
                name?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "id" | "name" | "owner_id" | "created";
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
                        owner_id: string;
                        id: string;
                        name: string;
                        description: string;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                        }[];
                    }[];
                };
            };
        };
    };
    "templates-create-create-a-template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    owner_id: string;
                    id: string;
                    name: string;
                    description?: string | null;
                    /** @enum {string} */
                    jackpot_type: "Jackpot" | "Raffle";
                    currency: string;
                    contribution_rules: {
                        opt_in_required?: boolean | null;
                        opt_in_per_currency?: boolean | null;
                        contribution_type?: {
                            Fixed?: ((string | number) | string) | null;
                            Percentage?: ((string | number) | string) | null;
                        } | null;
                        contribution_values_alt?: {
                            currency: string;
                            value: (string | number) | string;
                        }[] | null;
                        max_contribution?: {
                            max_contribution_value?: ((string | number) | "" | string) | null;
                            max_contribution_values_alt?: {
                                currency: string;
                                value: (string | number) | string;
                            }[] | null;
                            include_base_wager?: boolean | null;
                            cap_contribution_by_base_wager?: ((string | number) | "" | string) | null;
                        } | null;
                        operator_contribution_percentage?: ((string | number) | string) | null;
                        wager_criteria?: {
                            min_base_wager?: ((string | number) | string) | null;
                            min_contribution?: ((string | number) | string) | null;
                        } | null;
                        allowed_brands?: string[] | null;
                        country_filters?: {
                            black_list?: string[] | null;
                            white_list?: string[] | null;
                        } | null;
                        qualified_contribution_only?: boolean | null;
                    };
                    house_pot?: {
                        contribution_type?: {
                            Fixed?: ((string | number) | string) | null;
                            Percentage?: ((string | number) | string) | null;
                        } | null;
                        diversion_rules?: {
                            target: {
                                External?: {
                                    endpoint: string;
                                    account_id: string;
                                } | null;
                            };
                            diversion_percentage: (string | number) | string;
                            flush_threshold?: ((string | number) | "" | string) | null;
                        } | null;
                    } | null;
                    raffle_rules?: {
                        cost_per_ticket: (string | number) | string;
                        /** @enum {string} */
                        cost_source: "Contribution" | "BaseWager";
                        /** @enum {string} */
                        allocation_mode: "Instant" | "Deferred";
                        duration: {
                            Seconds?: number | null;
                            Minutes?: number | null;
                            Hours?: number | null;
                            Days?: number | null;
                            Weeks?: number | null;
                            Scheduled?: {
                                timestamps_end: number[];
                            } | null;
                        };
                        prize_distribution: {
                            prize_percentage: (string | number) | string;
                            number_of_winners: number;
                        }[];
                    } | null;
                    win_selector_strategy?: ("Lowest" | "Highest" | "First") | null;
                    max_instantiation_count?: number | null;
                    draw_beacon?: ("None" | "Required") | null;
                    pots: {
                        id: string;
                        enabled?: boolean | null;
                        contribution?: {
                            Fixed?: ((string | number) | string) | null;
                            Percentage?: ((string | number) | string) | null;
                        } | null;
                        seed_contribution?: {
                            Fixed?: ((string | number) | string) | null;
                            Percentage?: ((string | number) | string) | null;
                        } | null;
                        payout_ruleset?: {
                            main_winner_percentage?: ((string | number) | string) | null;
                            admin_fee?: ((string | number) | string) | null;
                            payout_rules?: {
                                payout_percentage: (string | number) | string;
                                rule: {
                                    ActivePlayers?: {
                                        period_before_win: number;
                                        max_number_of_payouts: number;
                                    } | null;
                                    HighestContributors?: {
                                        max_number_of_payouts: number;
                                    } | null;
                                    HighestLifetimeContributors?: {
                                        max_number_of_payouts: number;
                                    } | null;
                                };
                            }[] | null;
                        } | null;
                        seed_strategy?: {
                            initial_seed_value?: ((string | number) | string) | null;
                            min_reseed_value?: ((string | number) | string) | null;
                            fund_strategy?: ("CollectToMinReseed" | "CollectAll" | "HouseFunded") | null;
                            reseed_strategy?: ("Full" | "Minimum" | "Collected") | null;
                        } | null;
                        win_constraints?: {
                            AllowedSeedDeficit?: ((string | number) | string) | null;
                            MinPotValue?: ((string | number) | string) | null;
                            MinContributions?: number | null;
                            MinInterval?: number | null;
                        }[] | null;
                        pot_types?: {
                            HitRate?: {
                                max_magic_number: number;
                                cost_per_attempt: (string | number) | string;
                            } | null;
                            Threshold?: {
                                min_value: (string | number) | string;
                                max_value: (string | number) | string;
                            } | null;
                            Time?: {
                                start_time: number;
                                end_time: number;
                            } | null;
                            External?: Record<string, never> | null;
                        }[] | null;
                        criteria?: {
                            min_base_wager?: ((string | number) | string) | null;
                            min_contribution?: ((string | number) | string) | null;
                        } | null;
                        maximum_pot_value?: ((string | number) | "" | string) | null;
                        is_progressive?: boolean | null;
                        supports_external_trigger?: boolean | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Configuration-Warnings": components["headers"]["X-Configuration-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        owner_id: string;
                        id: string;
                        name: string;
                        description: string;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                        }[];
                    };
                };
            };
        };
    };
    "templates-read-get-a-template": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner_id: string;
                template_id: string;
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
                        owner_id: string;
                        id: string;
                        name: string;
                        description: string;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                        }[];
                    };
                };
            };
        };
    };
    "instances-status-change-the-status-of-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
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
                    /** @enum {string} */
                    status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                    reason: string;
                    to?: string | null;
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
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "instances-beacon-hand-in-the-beacon-of-a-draw-epoch": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                instance_id: string;
                epoch: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    instance_id?: string | null;
                    epoch?: number | null;
                    beacon: string;
                    reason: string;
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
        };
    };
    "instances-parameters-change-the-parameters-of-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
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
                    overrides: {
                        [key: string]: unknown;
                    };
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Configuration-Warnings": components["headers"]["X-Configuration-Warnings"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "instances-links-set-the-links-of-an-instance": {
        parameters: {
            query?: never;
            header?: {
                /** @description The version that is to be changed; another one is refused with `version_conflict`. */
                "If-Match"?: components["parameters"]["If-Match"];
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
                    instance_ids: string[];
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
                        game_code: string;
                        template_owner_id: string;
                        template_id: string;
                        /** @enum {string} */
                        status: "Pending" | "Active" | "Paused" | "Resolving" | "Completed" | "Cancelled" | "Switched";
                        name: string;
                        description: string;
                        owner_id: string;
                        version: number;
                        currency: string;
                        contribution_rules: {
                            opt_in_required: boolean;
                            opt_in_per_currency: boolean;
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            allowed_brands: string[] | null;
                            country_filters: {
                                black_list: string[];
                                white_list: string[];
                            };
                            qualified_contribution_only: boolean;
                        };
                        jackpot_type: string;
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
                        win_selector_strategy: string;
                        max_instantiation_count: number | null;
                        draw_beacon?: string;
                        house_pot: {
                            contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            accumulated_seed_deficit: string | number;
                            total_contributions: number;
                            diversion_rules: {
                                target: {
                                    External: {
                                        endpoint: string;
                                        account_id: string;
                                    };
                                };
                                diversion_percentage: string;
                                flush_threshold: string | null;
                            } | null;
                            /** @description An exact decimal. */
                            diversion_pool: string | number;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
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
                                    cost_per_attempt: string | number;
                                };
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            maximum_pot_value: string | null;
                            instance_count: number;
                            timestamp_created: number;
                            /** @description An exact decimal. */
                            surplus_seed: string | number;
                            /** @description An exact decimal. */
                            contributed_amount: string | number;
                            /** @description An exact decimal. */
                            contributed_seed: string | number;
                            /** @description An exact decimal. */
                            seed_value: string | number;
                            /** @description An exact decimal. */
                            current_value: string | number;
                            /** @description An exact decimal. */
                            overflow_amount: string | number;
                            total_contributions: number;
                        }[];
                        total_contributions: number;
                        created: number;
                        timestamp_start: number;
                        timestamp_end: number | null;
                        last_updated: number;
                        group: string;
                        links: string[];
                        switched_to: string | null;
                        switch: {
                            target: string;
                            copied: number;
                            total: number;
                            /** @enum {string} */
                            state: "copying" | "refused" | "cancelled";
                            code: string | null;
                            message: string | null;
                        } | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "rates-brand-set-the-currency-rates-of-a-brand": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    brand_id?: string | null;
                    multipliers: {
                        [key: string]: (string | number) | string;
                    };
                    exponents?: {
                        [key: string]: number;
                    } | null;
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
                        brand_id: string;
                        base_currency: string;
                        multipliers: {
                            [key: string]: string | number;
                        };
                        exponents?: {
                            [key: string]: number;
                        };
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "wallet-read-read-the-wallet-settings-of-a-brand": {
        parameters: {
            query?: never;
            header?: never;
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
                    "application/json": {
                        base_url: string;
                        provider_id: string;
                        close_rounds: boolean;
                        batch_debits: boolean;
                        verification_limit: string | null;
                        /** @enum {string} */
                        address_status: "callable" | "address_not_allowed" | "name_not_resolved" | "unknown";
                    };
                };
            };
        };
    };
    "wallet-set-set-the-wallet-of-a-brand": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                operator_id: string;
                brand_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    operator_id?: string | null;
                    brand_id?: string | null;
                    base_url: string;
                    bearer_key: string;
                    hmac_secret: string;
                    provider_id: string;
                    close_rounds?: boolean | null;
                    batch_debits?: boolean | null;
                    verification_limit?: ((string | number) | string) | null;
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
                        base_url: string;
                        provider_id: string;
                        close_rounds: boolean;
                        batch_debits: boolean;
                        verification_limit: string | null;
                        /** @enum {string} */
                        address_status: "callable" | "address_not_allowed" | "name_not_resolved" | "unknown";
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "webhook-origins-list-list-webhook-origins": {
        parameters: {
            query?: {
                operator_id?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "operator_id" | "origin";
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
                        operator_id: string;
                        origin: string;
                    }[];
                };
            };
        };
    };
    "webhook-origins-create-register-a-webhook-origin": {
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
                    origin: string;
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
                        operator_id: string;
                        origin: string;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "webhook-origins-remove-remove-a-webhook-origin": {
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
                    origin: string;
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
        };
    };
    "subscriptions-list-list-webhook-subscriptions": {
        parameters: {
            query?: {
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
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[];
                        created_timestamp: number;
                    }[];
                };
            };
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
                    event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[];
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
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[];
                        created_timestamp: number;
                    };
                };
            };
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
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[];
                        created_timestamp: number;
                    };
                };
            };
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
                    event_types?: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[] | null;
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
                        event_types: ("WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent")[];
                        created_timestamp: number;
                    };
                };
            };
        };
    };
    "deliveries-list-list-deliveries": {
        parameters: {
            query?: {
                state?: "pending" | "dead";
                kind?: "callback" | "flush" | "backlog" | "event";
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "created_timestamp" | "next_try_timestamp";
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
                        event_id: string;
                        event_type: ("ContributionResult" | "DiversionFlush" | "WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent") | null;
                        /** @enum {string} */
                        kind: "callback" | "flush" | "backlog" | "event";
                        owner_id: string;
                        subscription_id: string | null;
                        instance_id: string | null;
                        origin: string;
                        /** @enum {string} */
                        state: "pending" | "dead" | "resolved";
                        attempts: number;
                        last_error: string | null;
                        last_try_timestamp: number | null;
                        next_try_timestamp: number | null;
                        created_timestamp: number;
                        age_ms: number;
                        deliveries: number;
                        amount: (string | number) | null;
                        currency: string | null;
                    }[];
                };
            };
        };
    };
    "deliveries-list-replays-list-replays": {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "created_timestamp";
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
                        from: number;
                        to: number;
                        /** @enum {string} */
                        state: "running" | "done";
                        created_timestamp: number;
                        /** @enum {string} */
                        kind: "callback" | "event";
                        deliveries: number;
                    }[];
                };
            };
        };
    };
    "deliveries-replay-range-replay-deliveries": {
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
                    from: number;
                    to: number;
                    kind?: ("callback" | "event") | null;
                };
            };
        };
        responses: {
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. Without X-Approval-Id: the change has begun and takes longer. It goes on by itself. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    } | {
                        id: string;
                        from: number;
                        to: number;
                        /** @enum {string} */
                        state: "running" | "done";
                        created_timestamp: number;
                        /** @enum {string} */
                        kind: "callback" | "event";
                        deliveries: number;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "deliveries-replay-replay-a-delivery": {
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
                        event_id: string;
                        event_type: ("ContributionResult" | "DiversionFlush" | "WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent") | null;
                        /** @enum {string} */
                        kind: "callback" | "flush" | "backlog" | "event";
                        owner_id: string;
                        subscription_id: string | null;
                        instance_id: string | null;
                        origin: string;
                        /** @enum {string} */
                        state: "pending" | "dead" | "resolved";
                        attempts: number;
                        last_error: string | null;
                        last_try_timestamp: number | null;
                        next_try_timestamp: number | null;
                        created_timestamp: number;
                        age_ms: number;
                        deliveries: number;
                        amount: (string | number) | null;
                        currency: string | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "deliveries-resolve-resolve-a-delivery": {
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
                    /** @enum {string} */
                    result: "confirmed" | "failed";
                    reason: string;
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
                        event_id: string;
                        event_type: ("ContributionResult" | "DiversionFlush" | "WinEvent" | "RaffleWinEvent" | "InstanceStatusEvent" | "PayoutEvent" | "CommunityPayoutErrorEvent" | "OptInEvent") | null;
                        /** @enum {string} */
                        kind: "callback" | "flush" | "backlog" | "event";
                        owner_id: string;
                        subscription_id: string | null;
                        instance_id: string | null;
                        origin: string;
                        /** @enum {string} */
                        state: "pending" | "dead" | "resolved";
                        attempts: number;
                        last_error: string | null;
                        last_try_timestamp: number | null;
                        next_try_timestamp: number | null;
                        created_timestamp: number;
                        age_ms: number;
                        deliveries: number;
                        amount: (string | number) | null;
                        currency: string | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "settlements-list-list-settlements": {
        parameters: {
            query?: {
                state?: "pending" | "withheld" | "unknown" | "dead";
                kind?: "main" | "community" | "raffle" | "close" | "debit";
                owner_id?: string;
                brand_id?: string;
                instance_id?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "opened_timestamp" | "changed_timestamp" | "amount";
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        kind: "main" | "community" | "raffle" | "close" | "debit";
                        /** @enum {string} */
                        state: "pending" | "withheld" | "unknown" | "dead" | "settled" | "cancelled";
                        instance_id: string;
                        pot_id: string | null;
                        brand_id: string;
                        player_id: string;
                        /** @description An exact decimal. */
                        amount: string | number;
                        currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string | number;
                        paid_currency: string;
                        batch_id: string | null;
                        gameround_id: string;
                        opened_timestamp: number;
                        changed_timestamp: number;
                        age_ms: number;
                        reason: string | null;
                    }[];
                };
            };
        };
    };
    "settlements-release-release-a-withheld-win": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
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
                        /** @enum {string} */
                        kind: "main" | "community" | "raffle" | "close" | "debit";
                        /** @enum {string} */
                        state: "pending" | "withheld" | "unknown" | "dead" | "settled" | "cancelled";
                        instance_id: string;
                        pot_id: string | null;
                        brand_id: string;
                        player_id: string;
                        /** @description An exact decimal. */
                        amount: string | number;
                        currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string | number;
                        paid_currency: string;
                        batch_id: string | null;
                        gameround_id: string;
                        opened_timestamp: number;
                        changed_timestamp: number;
                        age_ms: number;
                        reason: string | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "settlements-retry-retry-a-payment": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
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
                        /** @enum {string} */
                        kind: "main" | "community" | "raffle" | "close" | "debit";
                        /** @enum {string} */
                        state: "pending" | "withheld" | "unknown" | "dead" | "settled" | "cancelled";
                        instance_id: string;
                        pot_id: string | null;
                        brand_id: string;
                        player_id: string;
                        /** @description An exact decimal. */
                        amount: string | number;
                        currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string | number;
                        paid_currency: string;
                        batch_id: string | null;
                        gameround_id: string;
                        opened_timestamp: number;
                        changed_timestamp: number;
                        age_ms: number;
                        reason: string | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "settlements-resolve-resolve-a-payment": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeated request with the same key changes nothing and is answered like the first one. `"k"` is the same key as `k`, and as an `idempotency_key` of the body. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason: string;
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
                        /** @enum {string} */
                        kind: "main" | "community" | "raffle" | "close" | "debit";
                        /** @enum {string} */
                        state: "pending" | "withheld" | "unknown" | "dead" | "settled" | "cancelled";
                        instance_id: string;
                        pot_id: string | null;
                        brand_id: string;
                        player_id: string;
                        /** @description An exact decimal. */
                        amount: string | number;
                        currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string | number;
                        paid_currency: string;
                        batch_id: string | null;
                        gameround_id: string;
                        opened_timestamp: number;
                        changed_timestamp: number;
                        age_ms: number;
                        reason: string | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
            /** @description The idempotency key was met before: the headers of the first answer. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "approvals-list-list-approvals": {
        parameters: {
            query?: {
                owner_id?: string;
                state?: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "created_timestamp" | "expires_timestamp";
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
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    }[];
                };
            };
        };
    };
    "approvals-approve-approve-a-change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": unknown;
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
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "approvals-reject-reject-a-change": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string | null;
                } | null;
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
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "audit-list-read-the-audit-log": {
        parameters: {
            query?: {
                owner_id?: string;
                operation?: string;
                user?: string;
                timestamp_start?: number;
                timestamp_end?: number;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "timestamp";
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
                    "X-Unread-From": components["headers"]["X-Unread-From"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        sequence: number;
                        timestamp: number;
                        user: string;
                        address: string;
                        operation: string;
                        method: string;
                        path: string;
                        owners: string[];
                        reason: string | null;
                        request_id: string;
                        approval: {
                            id: string;
                            approved_by: string;
                        } | null;
                        input: unknown;
                        /** @enum {string} */
                        outcome: "applied" | "proposed" | "refused" | "unknown";
                        status_code: number | null;
                        code: string | null;
                        changes: {
                            object: string;
                            before: unknown;
                            after: unknown;
                        }[];
                        count: number;
                    }[];
                };
            };
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
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            contribution_values_alt: {
                                currency: string;
                                /** @description An exact decimal. */
                                value: string | number;
                            }[];
                            max_contribution: {
                                max_contribution_value: string | null;
                                max_contribution_values_alt: {
                                    currency: string;
                                    /** @description An exact decimal. */
                                    value: string | number;
                                }[];
                                include_base_wager: boolean;
                                cap_contribution_by_base_wager: string | null;
                            } | null;
                            operator_contribution_percentage: string;
                            wager_criteria: {
                                /** @description An exact decimal. */
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            qualified_contribution_only: boolean;
                            house_contribution_type: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            diversion_percentage: string | null;
                        };
                        pots: {
                            id: string;
                            enabled: boolean;
                            contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_contribution: {
                                /** @description An exact decimal. */
                                Fixed: string | number;
                            } | {
                                Percentage: string | number;
                            };
                            seed_strategy: {
                                /** @description An exact decimal. */
                                initial_seed_value: string | number;
                                /** @description An exact decimal. */
                                min_reseed_value: string | number;
                                fund_strategy: string;
                                reseed_strategy: string;
                            };
                            is_progressive: boolean;
                            maximum_pot_value: string | null;
                            odds: ({
                                HitRate: {
                                    max_magic_number: number;
                                    /** @description An exact decimal. */
                                    cost_per_attempt: string | number;
                                    /** @description An exact decimal. */
                                    certain_at_contribution: string | number;
                                };
                                rule: string;
                            } | {
                                Threshold: {
                                    /** @description An exact decimal. */
                                    min_value: string | number;
                                    /** @description An exact decimal. */
                                    max_value: string | number;
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
                                min_base_wager: string | number;
                                /** @description An exact decimal. */
                                min_contribution: string | number;
                            };
                            payout_ruleset: {
                                main_winner_percentage: string | number;
                                admin_fee: string | number;
                                payout_rules: {
                                    payout_percentage: string | number;
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
        };
    };
    "fairness-epochs-epochs-of-an-instance": {
        parameters: {
            query?: {
                brand_id?: string;
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
                            [key: string]: string | number;
                        };
                        /** @description An exact decimal. */
                        sum: string | number;
                        sequence: number;
                        head: string;
                    };
                };
            };
        };
    };
    "login-authenticate-an-administrator": {
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
                        expires_in: number;
                    };
                };
            };
        };
    };
    "administrator-tokens-renew-renew-the-token-of-an-administrator": {
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
                        expires_in: number;
                    };
                };
            };
        };
    };
    "administrators-password-change-your-password": {
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
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        token?: string;
                        expires_in: number;
                    };
                };
            };
        };
    };
    "sessions-renew-renew-a-session": {
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
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: string;
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        owner_id: string | null;
                        brands: string[] | null;
                        expires: number;
                        session_expires: number;
                    };
                };
            };
        };
    };
    "sessions-begin-begin-a-session": {
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
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: string;
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        owner_id: string | null;
                        brands: string[] | null;
                        expires: number;
                        session_expires: number;
                    };
                };
            };
        };
    };
    "sessions-end-end-a-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "sessions-end-all-end-all-your-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "administrators-me-read-your-account": {
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
                        subject: string;
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        owner_id: string | null;
                        brands: string[] | null;
                        expires: number;
                        session_expires: number;
                    };
                };
            };
        };
    };
    "jwks-json-web-key-set": {
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
                        keys: {
                            [key: string]: string;
                        }[];
                    };
                };
            };
        };
    };
    "service-users-list-list-service-users": {
        parameters: {
            query?: {
                operator_id?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "username" | "operator_id" | "created_timestamp" | "last_login_timestamp";
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
                        username: string;
                        operator_id: string;
                        brands: string[] | null;
                        rights: string[];
                        key_ids: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    }[];
                };
            };
        };
    };
    "service-users-create-create-a-service-user": {
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
                    operator_id: string;
                    brands?: string[] | null;
                    rights?: ("cors" | "reports" | "webhooks")[] | null;
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
                        username: string;
                        operator_id: string;
                        brands: string[] | null;
                        rights: string[];
                        key_ids: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "service-users-read-read-a-service-user": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
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
                        username: string;
                        operator_id: string;
                        brands: string[] | null;
                        rights: string[];
                        key_ids: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
        };
    };
    "service-users-remove-remove-a-service-user": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
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
        };
    };
    "service-users-change-change-a-service-user": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string | null;
                    brands?: string[] | null;
                    rights?: ("cors" | "reports" | "webhooks")[] | null;
                    enabled?: boolean | null;
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
                        username: string;
                        operator_id: string;
                        brands: string[] | null;
                        rights: string[];
                        key_ids: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "service-users-keys-create-a-signing-key-of-a-service-user": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    secret?: string | null;
                } | null;
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
                        key_id: string;
                        secret?: string;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "tokens-revoke-revoke-a-token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: string;
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
        };
    };
    "users-list-list-administrators": {
        parameters: {
            query?: {
                owner_id?: string;
                page?: number;
                limit?: number;
                sort_direction?: 1 | -1;
                sort_field?: "username" | "created_timestamp" | "last_login_timestamp";
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
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    }[];
                };
            };
        };
    };
    "users-create-add-an-administrator": {
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
                    roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                    owners: string[];
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
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "users-read-get-an-administrator": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
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
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
        };
    };
    "users-change-change-an-administrator": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                username: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string | null;
                    roles?: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[] | null;
                    owners?: string[] | null;
                    enabled?: boolean | null;
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
                        username: string;
                        roles: ("viewer" | "support" | "config" | "finance" | "security" | "auditor")[];
                        owners: string[];
                        enabled: boolean;
                        created_timestamp: number;
                        last_login_timestamp: number | null;
                    };
                };
            };
            /** @description Nothing is changed yet: the owner's four-eyes rule asks for a second administrator, who approves the very same bytes with `POST /config/approvals/{id}/approve`. The service then executes the change. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Approval-Id": components["headers"]["X-Approval-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @enum {string} */
                        state: "open" | "approved" | "executed" | "refused" | "rejected" | "expired";
                        owner_id: string;
                        operation: string;
                        name: string;
                        method: string;
                        path: string;
                        body: unknown;
                        body_sha256: string | null;
                        idempotency_key: string | null;
                        if_match: string | null;
                        reason: string | null;
                        proposed_by: string;
                        created_timestamp: number;
                        expires_timestamp: number;
                        decided_by: string | null;
                        decided_timestamp: number | null;
                        decision_reason: string | null;
                        result: {
                            status_code: number;
                            code: string | null;
                            body: unknown;
                        } | null;
                    };
                };
            };
        };
    };
    "reports-contributions-list-contributions": {
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
                        base_wager: string | number;
                        /** @description An exact decimal. */
                        contribution_amount: string | number;
                        /** @description An exact decimal. */
                        debit_amount: string | number;
                        /** @description An exact decimal. */
                        bonus_amount: string | number;
                        jackpot_currency: string;
                        /** @description An exact decimal. */
                        jackpot_base_wager: string | number;
                        /** @description An exact decimal. */
                        jackpot_contribution: string | number;
                        /** @description An exact decimal. */
                        player_part: string | number;
                        /** @description An exact decimal. */
                        operator_part: string | number;
                        rate_version: number;
                        tickets: number;
                        postings: {
                            [key: string]: string;
                        };
                        win_pot_id: string | null;
                        win_amount: (string | number) | null;
                        lane: number;
                        sequence: number;
                    }[];
                };
            };
        };
    };
    "reports-contribution-explain-a-contribution": {
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
                            base_wager: string | number;
                            /** @description An exact decimal. */
                            contribution_amount: string | number;
                            /** @description An exact decimal. */
                            debit_amount: string | number;
                            /** @description An exact decimal. */
                            bonus_amount: string | number;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string | number;
                            /** @description An exact decimal. */
                            jackpot_contribution: string | number;
                            /** @description An exact decimal. */
                            player_part: string | number;
                            /** @description An exact decimal. */
                            operator_part: string | number;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: (string | number) | null;
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
                                        Fixed: string | number;
                                    } | {
                                        Percentage: string | number;
                                    };
                                    contribution_values_alt: {
                                        currency: string;
                                        /** @description An exact decimal. */
                                        value: string | number;
                                    }[];
                                    max_contribution: {
                                        max_contribution_value: string | null;
                                        max_contribution_values_alt: {
                                            currency: string;
                                            /** @description An exact decimal. */
                                            value: string | number;
                                        }[];
                                        include_base_wager: boolean;
                                        cap_contribution_by_base_wager: string | null;
                                    } | null;
                                    operator_contribution_percentage: string;
                                    wager_criteria: {
                                        /** @description An exact decimal. */
                                        min_base_wager: string | number;
                                        /** @description An exact decimal. */
                                        min_contribution: string | number;
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
                                    Fixed: string | number;
                                } | {
                                    Percentage: string | number;
                                };
                                pots: {
                                    id: string;
                                    contribution: {
                                        /** @description An exact decimal. */
                                        Fixed: string | number;
                                    } | {
                                        Percentage: string | number;
                                    };
                                    seed_contribution: {
                                        /** @description An exact decimal. */
                                        Fixed: string | number;
                                    } | {
                                        Percentage: string | number;
                                    };
                                    pot_types: ({
                                        HitRate: {
                                            max_magic_number: number;
                                            /** @description An exact decimal. */
                                            cost_per_attempt: string | number;
                                        };
                                    } | {
                                        Threshold: {
                                            /** @description An exact decimal. */
                                            min_value: string | number;
                                            /** @description An exact decimal. */
                                            max_value: string | number;
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
                                amount: string | number;
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
                            win_amount: string | number;
                            paid_currency: string | null;
                            paid_amount: (string | number) | null;
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
                            amount: (string | number) | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string | number;
                            bonus_amount: (string | number) | null;
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
                                pot_value_before: string | number;
                                /** @description An exact decimal. */
                                pot_value: string | number;
                                numerator: string;
                                denominator: string;
                                u: string;
                            }[] | null;
                        }[];
                    };
                };
            };
        };
    };
    "reports-wins-list-wins": {
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
                        win_amount: string | number;
                        paid_currency: string | null;
                        paid_amount: (string | number) | null;
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
        };
    };
    "reports-payments-list-payments": {
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
                        amount: (string | number) | null;
                        paid_currency: string;
                        /** @description An exact decimal. */
                        paid_amount: string | number;
                        bonus_amount: (string | number) | null;
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
        };
    };
    "reports-player-look-a-player-up": {
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
                            contributed: string | number;
                            /** @description An exact decimal. */
                            player_part: string | number;
                            wins: number;
                            /** @description An exact decimal. */
                            won: string | number;
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
                            base_wager: string | number;
                            /** @description An exact decimal. */
                            contribution_amount: string | number;
                            /** @description An exact decimal. */
                            debit_amount: string | number;
                            /** @description An exact decimal. */
                            bonus_amount: string | number;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string | number;
                            /** @description An exact decimal. */
                            jackpot_contribution: string | number;
                            /** @description An exact decimal. */
                            player_part: string | number;
                            /** @description An exact decimal. */
                            operator_part: string | number;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: (string | number) | null;
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
                            win_amount: string | number;
                            paid_currency: string | null;
                            paid_amount: (string | number) | null;
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
                            amount: (string | number) | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string | number;
                            bonus_amount: (string | number) | null;
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
                            amount: (string | number) | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string | number;
                            bonus_amount: (string | number) | null;
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
                            contribution_amount: string | number;
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
        };
    };
    "reports-search-search-the-books": {
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
                            base_wager: string | number;
                            /** @description An exact decimal. */
                            contribution_amount: string | number;
                            /** @description An exact decimal. */
                            debit_amount: string | number;
                            /** @description An exact decimal. */
                            bonus_amount: string | number;
                            jackpot_currency: string;
                            /** @description An exact decimal. */
                            jackpot_base_wager: string | number;
                            /** @description An exact decimal. */
                            jackpot_contribution: string | number;
                            /** @description An exact decimal. */
                            player_part: string | number;
                            /** @description An exact decimal. */
                            operator_part: string | number;
                            rate_version: number;
                            tickets: number;
                            postings: {
                                [key: string]: string;
                            };
                            win_pot_id: string | null;
                            win_amount: (string | number) | null;
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
                            amount: (string | number) | null;
                            paid_currency: string;
                            /** @description An exact decimal. */
                            paid_amount: string | number;
                            bonus_amount: (string | number) | null;
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
                            win_amount: string | number;
                            paid_currency: string | null;
                            paid_amount: (string | number) | null;
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
                    };
                };
            };
        };
    };
    "reports-daily-daily-report": {
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
                        wagered: string | number;
                        /** @description An exact decimal. */
                        contributed: string | number;
                        /** @description An exact decimal. */
                        player_part: string | number;
                        /** @description An exact decimal. */
                        operator_part: string | number;
                        /** @description An exact decimal. */
                        bonus: string | number;
                        /** @description An exact decimal. */
                        won: string | number;
                        /** @description An exact decimal. */
                        community: string | number;
                        /** @description An exact decimal. */
                        raffle: string | number;
                        /** @description An exact decimal. */
                        withheld: string | number;
                        /** @description An exact decimal. */
                        house: string | number;
                        /** @description An exact decimal. */
                        seed_collected: string | number;
                        /** @description An exact decimal. */
                        seed_fronted: string | number;
                        /** @description An exact decimal. */
                        repaid: string | number;
                        /** @description An exact decimal. */
                        fees: string | number;
                        /** @description An exact decimal. */
                        diverted: string | number;
                        /** @description An exact decimal. */
                        adjusted: string | number;
                        /** @description An exact decimal. */
                        transferred: string | number;
                        /** @description An exact decimal. */
                        fx: string | number;
                        /** @description An exact decimal. */
                        operator_cost: string | number;
                        actual_return: string | null;
                        configured_return: string | null;
                        liability: (string | number) | null;
                        pot_values: (string | number) | null;
                    }[];
                };
            };
        };
    };
    "reports-export-export-a-table-of-the-books": {
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
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes; `degraded`: but for the lanes named. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "degraded";
                        lanes?: {
                            lane: number;
                            /** @enum {string} */
                            condition: "full" | "stopped" | "starting" | "silent";
                            code: string;
                        }[];
                        /** @description One line for each part that does not work. */
                        details?: string[];
                    };
                };
            };
        };
    };
}
