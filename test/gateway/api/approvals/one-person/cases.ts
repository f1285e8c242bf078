import { newInstance, template } from '../../../support/administration.ts';
import { identityProvider, type Things, wallet } from './house.ts';

/** One request of an operation, by an administrator of acme who has every role. */
export interface Case {
  readonly path: (things: Things) => string;
  readonly body?: (things: Things, user: string) => unknown;
  /** Of CSV. */
  readonly type?: string;
  /** Only administrators of the whole system may send it. */
  readonly by?: 'system';
  /**
   * `proposed` (the default): one person cannot do it, and two can. `nothing`: one person can, and it moves nothing that
   * counts. `stops`: one person can; it takes something away. `refused`: this one may not do it at all.
   */
  readonly alone?: 'proposed' | 'nothing' | 'stops' | 'refused';
  /** With two persons it moves nothing yet, either. */
  readonly isOnlyMade?: true;
}

const player = { player_id: 'ada', player_country: 'DE', brand_id: 'acme:main' };
const optIn = { ...player, opt_in: true };
const byHand = { ...player, token: 'session', base_wager: 60, currency: 'EUR' };
const decision = () => ({ reason: 'why' });
const pot = (things: Things) => `/config/instances/${things.instance}/pots/gold`;
const instanceOf = (things: Things, rest = '') => `/config/instances/${things.instance}${rest}`;
const inSegment = (things: Things, id: keyof Things) => ({
  owner_id: 'acme',
  segment_id: 'vips',
  instance_id: things[id],
});
const inSource = (things: Things, id: keyof Things) => ({
  owner_id: 'acme',
  source_id: ['slot-1'],
  instance_id: things[id],
});
const jackpots = ({ other }: Things) => [{ priority: 0, owner_id: 'acme', instance_id: other }];
const adjustment = (segment: string): Case => ({
  path: (things) => `${pot(things)}/${segment}`,
  body: () => ({ adjustment: 177, reason: 'why' }),
});
const operator = (body: object, more: Partial<Case> = {}): Case => ({
  path: () => '/config/operators/acme',
  body: () => body,
  ...more,
});
const brand = (body: object, more: Partial<Case> = {}): Case => ({
  path: () => '/config/operators/acme/brands/main',
  body: () => body,
  ...more,
});
const parameters = (overrides: object): Case => ({
  path: (things) => instanceOf(things, '/parameters'),
  body: () => ({ overrides, reason: 'why' }),
});
const preview = (dry_run: boolean, more: Partial<Case>): Case => ({
  path: () => '/config/model-switch/preview',
  body: ({ instance }) => ({
    source_instance_id: instance,
    template_owner_id: 'acme',
    template_id: 'two',
    target_instance_owner_id: 'acme',
    target_instance_name: 'Next',
    pot_rules: potRules,
    transfer_optins: false,
    reason: 'why',
    dry_run,
  }),
  ...more,
});
const potRules = ['gold', 'silver'].map((name) => ({ source_pot: name, target_pot: { [name]: '1' } }));
const diversion = {
  house_pot: {
    contribution_type: { Percentage: 0.1 },
    diversion_rules: {
      target: { External: { endpoint: 'https://bank.example/in', account_id: 'mine' } },
      diversion_percentage: 1,
    },
  },
};
const cors = {
  operator_id: 'acme',
  cors_origin_list: [{ pattern: 'https://a.example', match_mode: 'exact' }],
};
const withWallet = (name: string, changes: object): Case => ({
  path: () => `/config/operators/acme/brands/${name}/wallet`,
  body: () => ({ ...wallet, ...changes }),
});

/** By number and name: what one person could want to do with it. */
const own: Readonly<Record<string, readonly Case[]>> = {
  'A3 Create operators': [
    {
      path: () => '/config/operators',
      body: () => [{ id: 'new', name: 'New' }],
      by: 'system',
      alone: 'nothing',
    },
  ],
  'A5 Add brands under an operator': [
    { path: () => '/config/operators/acme/brands', body: () => [{ id: 'new', name: 'New' }] },
  ],
  'A6 Modify an operator': [
    operator({ fairness: 'signed_in' }),
    operator({ public_winners: true }),
    operator({ public_feed: true }),
    operator({ four_eyes: { enabled: false } }),
    operator({ four_eyes: { enabled: true, limit: 51 } }),
    operator({ name: 'Acme 2' }, { alone: 'nothing' }),
    operator({ quota: { contributions_per_second: 7 } }, { by: 'system', alone: 'nothing' }),
    operator({ enabled: false }, { alone: 'stops' }),
  ],
  'A6 Modify a brand': [
    brand({ public_winners: true }),
    brand({ public_feed: true }),
    brand({ name: 'Main 2' }, { alone: 'nothing' }),
    brand({ enabled: false }, { alone: 'stops' }),
  ],
  'A8 Create segments': [
    {
      path: () => '/config/segments',
      body: (things) => [{ owner_id: 'acme', id: 'new', priority: 0, jackpots: jackpots(things) }],
    },
    {
      path: () => '/config/segments',
      body: () => [{ owner_id: 'acme', id: 'new', priority: 0 }],
      isOnlyMade: true,
    },
  ],
  'A9 Delete segments': [
    {
      path: () => '/config/segments',
      body: () => ['empty', 'vips'].map((segment_id) => ({ owner_id: 'acme', segment_id })),
      alone: 'nothing',
    },
  ],
  'A10 Assign a jackpot to a segment': [
    { path: () => '/config/segments/assign', body: (things) => inSegment(things, 'other') },
  ],
  'A11 Set jackpot priorities of a segment': [
    {
      path: () => '/config/segments/priorities',
      body: ({ instance }) => ({ brand_id: 'acme', segment_id: 'vips', priorities: { [instance]: 9 } }),
    },
  ],
  'A12 Remove a jackpot from a segment': [
    { path: () => '/config/segments/remove', body: (things) => inSegment(things, 'instance') },
  ],
  'A14 Create sources': [
    {
      path: () => '/config/sources',
      body: (things) => [
        { owner_id: 'acme', source_id: 'new', source_name: 'New', jackpots: jackpots(things) },
      ],
    },
    {
      path: () => '/config/sources',
      body: () => [{ owner_id: 'acme', source_id: 'new', source_name: 'New', jackpots: [] }],
      alone: 'nothing',
    },
  ],
  'A15 Delete sources': [
    {
      path: () => '/config/sources',
      body: () => ['acme', 'acme:vip'].map((owner_id) => ({ owner_id, source_id: 'slot-1' })),
      alone: 'nothing',
    },
  ],
  'A16 Assign a jackpot to sources': [
    { path: () => '/config/sources/assign', body: (things) => inSource(things, 'other') },
  ],
  'A17 Set jackpot priorities of a source': [
    {
      path: () => '/config/sources/priorities',
      body: ({ instance }) => ({ brand_id: 'acme', segment_id: 'slot-1', priorities: { [instance]: 9 } }),
    },
  ],
  'A18 Remove a jackpot from sources': [
    { path: () => '/config/sources/remove', body: (things) => inSource(things, 'instance') },
  ],
  'A22 Pot value adjustment: current_value': [adjustment('current-value')],
  'A22 Pot value adjustment: seed_value': [adjustment('seed-value')],
  'A22 Pot value adjustment: surplus_seed': [adjustment('surplus-seed')],
  'A23 Allow a brand on an instance': [{ path: ({ other }) => `/config/instances/${other}/brands/acme:vip` }],
  'A23 Disallow a brand on an instance': [{ path: (things) => instanceOf(things, '/brands/acme:vip') }],
  'A24 Opt a player in or out': [
    { path: (things) => instanceOf(things, '/opt-in'), body: () => optIn },
    {
      path: (things) => instanceOf(things, '/opt-in'),
      body: () => ({ ...optIn, opt_in: false }),
      alone: 'nothing',
    },
  ],
  'A25 Bulk opt-in and opt-out': [
    {
      path: () => '/config/opt-ins/bulk',
      body: ({ instance }) => [
        {
          instance_id: instance,
          brand_id: 'acme:main',
          opt_ins: [{ player_id: 'ada', currency: 'EUR' }],
          opt_outs: [],
        },
      ],
    },
    {
      path: () => '/config/opt-ins/bulk',
      body: ({ instance }) =>
        `instance_id,brand_id,player_id,currency,opt_in\n${instance},acme:main,ada,EUR,true\n`,
      type: 'text/csv',
    },
  ],
  'A28 Model switch preview': [preview(false, { isOnlyMade: true }), preview(true, { alone: 'nothing' })],
  'A29 Model switch execution': [
    {
      path: () => '/config/model-switch/execute',
      body: ({ instance, target }, user_id) => ({
        source_instance_id: instance,
        target_instance_id: target,
        user_id,
        transfer_optins: false,
        pot_rules: potRules,
        reason: 'why',
      }),
    },
  ],
  'switches.cancel Cancel a model switch': [
    {
      path: () => '/config/model-switch/execute',
      body: ({ instance, target }) => ({
        source_instance_id: instance,
        target_instance_id: target,
        reason: 'why',
      }),
      alone: 'refused',
    },
  ],
  'A30 Trigger a pot win': [
    {
      path: (things) => `${pot(things)}/trigger`,
      body: () => ({ brand_id: 'acme:main', player_id: 'ada', source_id: 'slot-1' }),
    },
  ],
  'A31 Update instance details': [
    { path: (things) => instanceOf(things), body: () => ({ name: 'Another' }), alone: 'nothing' },
  ],
  'A34 Opt a player in or out, returning records': [
    { path: (things) => instanceOf(things, '/opt-in/records'), body: () => optIn },
  ],
  'A35 Contribute to an instance': [
    { path: (things) => instanceOf(things, '/contributions'), body: () => byHand },
  ],
  'A36 Contribute by source': [{ path: () => '/config/sources/slot-1/contributions', body: () => byHand }],
  'A37 Contribute for a game provider': [
    {
      path: () => '/config/providers/studio/contributions',
      body: ({ instance }) => ({ ...byHand, instance_id: instance, game_code: 'dragons' }),
    },
  ],
  'templates.create Create a template': [
    { path: () => '/config/templates', body: () => template('new', diversion), alone: 'nothing' },
  ],
  'templates.change Change a template': [
    { path: () => '/config/templates/acme/two', body: () => diversion, alone: 'nothing' },
    { path: () => '/config/templates/acme/two', body: () => ({ retired: true }), alone: 'nothing' },
  ],
  'templates.copy Copy a template': [
    { path: () => '/config/templates/acme/two/copies', body: () => ({ id: 'copied' }), alone: 'nothing' },
  ],
  'simulations.begin Simulate a configuration': [
    {
      path: () => '/config/simulations',
      body: () => ({ owner_id: 'acme', template_id: 'two', contributions: 10 }),
      alone: 'nothing',
    },
  ],
  'simulations.end End a simulation': [
    { path: () => `/config/simulations/${'0'.repeat(16)}-${'0'.repeat(32)}`, alone: 'refused' },
  ],
  'instances.create Create an instance': [
    {
      path: () => '/config/instances',
      body: () => newInstance({ timestamp_start: Date.now() + 3_600_000 }),
    },
    { path: () => '/config/instances', body: () => newInstance({ overrides: diversion }), isOnlyMade: true },
    { path: () => '/config/instances', body: () => newInstance(), alone: 'nothing' },
  ],
  'instances.status Change the status of an instance': [
    {
      path: ({ pending }) => `/config/instances/${pending}/status`,
      body: () => ({ status: 'Active', reason: 'go' }),
    },
    {
      path: ({ over }) => `/config/instances/${over}/status`,
      body: ({ other }) => ({ status: 'Completed', to: other, reason: 'over' }),
    },
    {
      path: (things) => instanceOf(things, '/status'),
      body: () => ({ status: 'Paused', reason: 'stop' }),
      alone: 'stops',
    },
    {
      path: ({ pending }) => `/config/instances/${pending}/status`,
      body: () => ({ status: 'Cancelled', reason: 'no' }),
      alone: 'stops',
    },
  ],
  'instances.beacon Hand in the beacon of a draw epoch': [
    {
      path: (things) => instanceOf(things, '/epochs/1/beacon'),
      body: () => ({ beacon: 'ab'.repeat(32), reason: 'why' }),
      alone: 'refused',
    },
  ],
  'lanes.move Move a lane to a host': [
    {
      path: () => '/config/lanes/1/owner',
      body: () => ({ host_id: 'host-a' }),
      by: 'system',
      alone: 'nothing',
    },
  ],
  'lanes.release Place a lane as all others': [
    { path: () => '/config/lanes/1/owner', by: 'system', alone: 'nothing' },
  ],
  'hosts.drain Drain a host': [{ path: () => '/config/hosts/host-a/drain', by: 'system', alone: 'nothing' }],
  'hosts.undrain Let a host have lanes again': [
    { path: () => '/config/hosts/host-a/drain', by: 'system', alone: 'nothing' },
  ],
  'instances.parameters Change the parameters of an instance': [
    parameters({ contribution_rules: { contribution_type: { Fixed: 500 } } }),
    parameters({ contribution_rules: { opt_in_required: true } }),
    parameters({ pots: [{ id: 'silver', enabled: true }] }),
    parameters({
      pots: [{ id: 'gold', seed_strategy: { initial_seed_value: 1, min_reseed_value: 90_000 } }],
    }),
    parameters({
      pots: [{ id: 'gold', pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: 1 } }] }],
    }),
    parameters(diversion),
    {
      path: ({ pending }) => `/config/instances/${pending}/parameters`,
      body: () => ({
        overrides: { contribution_rules: { contribution_type: { Fixed: 500 } } },
        reason: 'why',
      }),
      alone: 'nothing',
    },
  ],
  'instances.links Set the links of an instance': [
    { path: (things) => instanceOf(things, '/links'), body: ({ other }) => ({ instance_ids: [other] }) },
  ],
  'rates.default Set the default currency rates': [
    {
      path: () => '/config/currencies',
      body: () => ({ base_currency: 'EUR', multipliers: { USD: 5, SEK: 11.2 } }),
      by: 'system',
    },
    {
      path: () => '/config/currencies',
      body: () => ({ base_currency: 'EUR', multipliers: { USD: 1.08, SEK: 11.2, JPY: '0.01' } }),
      by: 'system',
    },
  ],
  'rates.brand Set the currency rates of a brand': [
    { path: () => '/config/currencies/acme:main', body: () => ({ multipliers: { USD: 5 } }) },
    { path: () => '/config/currencies/acme:main', body: () => ({ multipliers: { USD: 1.08, JPY: 1 } }) },
  ],
  'wallet.set Set the wallet of a brand': [
    withWallet('main', {}),
    withWallet('vip', { base_url: 'https://other.example.com' }),
    withWallet('vip', { hmac_secret: 'another secret that signs the calls' }),
    withWallet('vip', { provider_id: 'another' }),
  ],
  'wallet.certify Record the certificate of a wallet': [
    {
      path: () => '/config/operators/acme/brands/vip/wallet/certificate',
      body: () => ({
        ...{ base_url: 'https://other.example.com', verified_timestamp: 0, version: '1', passed: 1 },
        ...{ failed: [], skipped: [] },
      }),
      alone: 'nothing',
    },
  ],
  'identity-providers.set Set the identity provider of an operator': [
    {
      path: () => '/config/operators/acme/identity-provider',
      body: () => ({ ...identityProvider, issuer: 'https://mine.example' }),
    },
    {
      path: () => '/config/operators/acme/identity-provider',
      body: () => ({ ...identityProvider, client_id: 'mine' }),
    },
  ],
  'identity-providers.remove Remove the identity provider of an operator': [
    { path: () => '/config/operators/acme/identity-provider', alone: 'stops' },
  ],
  'players.forget Forget a player in the books': [
    {
      path: () => '/config/forgotten-players',
      body: () => ({ brand_id: 'acme:main', player_id: 'a-player', reason: 'asked for it' }),
    },
  ],
  'webhook-origins.create Register a webhook origin': [
    {
      path: () => '/config/webhook-origins',
      body: () => ({ operator_id: 'acme', origin: 'https://mine.example' }),
    },
  ],
  'webhook-origins.remove Remove a webhook origin': [
    {
      path: () => '/config/webhook-origins',
      body: () => ({ operator_id: 'acme', origin: 'https://bank.example' }),
      alone: 'stops',
    },
  ],
  'subscriptions.create Create a webhook subscription': [
    {
      path: () => '/v1/webhooks/subscriptions',
      body: () => ({ operator_id: 'acme', url: 'https://bank.example/mine', event_types: ['WinEvent'] }),
      alone: 'nothing',
    },
    {
      path: () => '/v1/webhooks/subscriptions',
      body: () => ({ operator_id: 'acme', url: 'https://mine.example', event_types: ['WinEvent'] }),
      alone: 'refused',
    },
  ],
  'subscriptions.change Change a webhook subscription': [
    {
      path: ({ subscription }) => `/v1/webhooks/subscriptions/${subscription}`,
      body: () => ({ url: 'https://bank.example/mine' }),
      alone: 'nothing',
    },
    {
      path: ({ subscription }) => `/v1/webhooks/subscriptions/${subscription}`,
      body: () => ({ url: 'https://mine.example' }),
      alone: 'refused',
    },
  ],
  'subscriptions.remove Remove a webhook subscription': [
    { path: ({ subscription }) => `/v1/webhooks/subscriptions/${subscription}`, alone: 'nothing' },
  ],
  'O23 Add or change cross-origin rules': [
    { path: () => '/v1/cors/origins', body: () => cors, alone: 'nothing' },
  ],
  'O24 Remove cross-origin rules': [
    {
      path: () => '/v1/cors/origins',
      body: () => ({ ...cors, cors_origin_list: ['https://a.example'] }),
      alone: 'nothing',
    },
  ],
  'deliveries.replay-range Replay deliveries': [
    {
      path: () => '/config/deliveries/replay',
      body: () => ({ from: 0, to: Date.now() + 60_000 }),
      isOnlyMade: true,
    },
  ],
  'deliveries.replay Replay a delivery': [{ path: ({ flush }) => `/config/deliveries/${flush}/replay` }],
  'deliveries.resolve Resolve a delivery': [
    {
      path: ({ flush }) => `/config/deliveries/${flush}/resolve`,
      body: () => ({ result: 'failed', reason: 'why' }),
    },
  ],
  'settlements.release Release a withheld win': [
    { path: ({ withheld }) => `/config/settlements/${withheld}/release`, body: decision },
  ],
  'settlements.retry Retry a payment': [
    { path: ({ dead }) => `/config/settlements/${dead}/retry`, body: decision },
  ],
  'settlements.resolve Resolve a payment': [
    { path: ({ dead }) => `/config/settlements/${dead}/resolve`, body: decision },
  ],
  'approvals.approve Approve a change': [
    { path: ({ proposal }) => `/config/approvals/${proposal}/approve`, alone: 'refused' },
  ],
  'approvals.reject Reject a change': [
    { path: ({ proposal }) => `/config/approvals/${proposal}/reject`, alone: 'nothing' },
  ],
};

/** Those below /config of what services may as well. */
const belowConfig = Object.entries(own)
  .filter(([name]) => /^(?:subscriptions\.|O23 |O24 )/.test(name))
  .map(([name, each]) => [
    `config.${name} (administrators)`,
    each.map((one) => ({ ...one, path: (things: Things) => one.path(things).replace('/v1/', '/config/') })),
  ]);

/** By id and name of the operation. */
export const cases: typeof own = { ...own, ...Object.fromEntries(belowConfig) };
