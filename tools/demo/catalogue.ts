import { demoOperator } from './fixtures.ts';

/**
 * The demo's jackpots: a template each, one instance of it, and the source that it is bound to. The figures
 * are chosen so that at the demo's traffic each pot collects its own reseed before it is won: the small one
 * every ten seconds or so, and hardly ever more than a minute apart; the middle one five times an hour, the
 * large one a few times a day.
 */
export interface DemoJackpot {
  /** null: no source leads to it; it is fed through links, or by those who name it. */
  readonly source: string | null;
  /** Whose source it is bound to. */
  readonly sourceOwner: string;
  /** Template ids of the jackpots that its linked contributions go to as well. */
  readonly links: readonly string[];
  readonly instanceName: string;
  readonly description: string;
  /** Body of POST /config/templates (docs/rules/http.md "Templates and instances"). */
  readonly template: Readonly<Record<string, unknown>> & { readonly id: string };
}

const everyContribution = {
  opt_in_required: false,
  opt_in_per_currency: false,
  operator_contribution_percentage: '1',
  qualified_contribution_only: true,
};

export const demoJackpots: readonly DemoJackpot[] = [
  {
    source: 'slot-1',
    sourceOwner: demoOperator,
    links: ['nightfall'],
    instanceName: 'Aurora',
    description: 'Every spin of Slot 1 feeds three pots. The house pays.',
    template: {
      owner_id: demoOperator,
      id: 'three-pots',
      name: 'Three pots',
      description: 'Grand, major and mini; funded by the operator, open to everyone.',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: { ...everyContribution, contribution_type: { Percentage: 0.05 } },
      house_pot: { contribution_type: { Percentage: 0.3 } },
      win_selector_strategy: 'Lowest',
      pots: [
        hitRatePot('grand', { share: 0.25, odds: 600_000, seed: 12_500 }),
        hitRatePot('major', { share: 0.25, odds: 15_000, seed: 300 }),
        hitRatePot('mini', { share: 0.2, odds: 130, seed: 2 }),
      ],
    },
  },
  {
    source: 'slot-2',
    sourceOwner: demoOperator,
    links: [],
    instanceName: 'Inner Circle',
    description: 'For players of Slot 2 who opted in.',
    template: {
      owner_id: demoOperator,
      id: 'opt-in',
      name: 'Opt-in',
      description: 'One pot; players join, and pay a fixed stake with every spin.',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: {
        opt_in_required: true,
        opt_in_per_currency: false,
        contribution_type: { Fixed: 0.5 },
        contribution_values_alt: [
          { currency: 'SEK', value: 5 },
          { currency: 'JPY', value: 80 },
        ],
        operator_contribution_percentage: '0',
        max_contribution: {
          max_contribution_value: '5',
          max_contribution_values_alt: [],
          include_base_wager: false,
          cap_contribution_by_base_wager: '1',
        },
        qualified_contribution_only: true,
      },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      win_selector_strategy: 'Lowest',
      pots: [hitRatePot('circle', { share: 0.9, odds: 25_000, seed: 1_800 })],
    },
  },
  {
    source: null,
    sourceOwner: demoOperator,
    links: [],
    instanceName: 'Side Bet',
    description: 'Players pay for it themselves: their wallet is debited with every spin.',
    template: {
      owner_id: demoOperator,
      id: 'player-paid',
      name: 'Player-paid',
      description: 'One pot; the players pay the whole contribution from their wallets.',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: {
        opt_in_required: false,
        opt_in_per_currency: false,
        contribution_type: { Percentage: 0.05 },
        operator_contribution_percentage: '0',
        qualified_contribution_only: true,
      },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      win_selector_strategy: 'Lowest',
      pots: [hitRatePot('side', { share: 0.9, odds: 400, seed: 30 })],
    },
  },
  {
    source: 'sportsbook',
    sourceOwner: demoOperator,
    links: [],
    instanceName: 'Final Whistle',
    description: 'Fed by sportsbook stakes, awarded by the operator.',
    template: {
      owner_id: demoOperator,
      id: 'final-whistle',
      name: 'Final whistle',
      description: 'One pot that only the operator can award.',
      jackpot_type: 'Jackpot',
      currency: 'GBP',
      contribution_rules: { ...everyContribution, contribution_type: { Percentage: 0.02 } },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      win_selector_strategy: 'Lowest',
      pots: [
        {
          ...progressivePot('whistle', { share: 0.9, seedShare: 0.2, seed: 750 }),
          pot_types: [{ External: {} }],
        },
      ],
    },
  },
  {
    source: 'slot-1',
    sourceOwner: 'demo:vip',
    links: [],
    instanceName: 'Vault',
    description: 'Slot 1 for VIPs only. It must be won before it passes its limit.',
    template: {
      owner_id: demoOperator,
      id: 'vault',
      name: 'Must hit by',
      description: 'One pot that drops at a value nobody can know, not even the server.',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: {
        ...everyContribution,
        contribution_type: { Percentage: 0.05 },
        allowed_brands: ['demo:vip'],
      },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      win_selector_strategy: 'Lowest',
      pots: [
        {
          ...progressivePot('vault', { share: 0.9, seedShare: 0.5, seed: 20 }),
          maximum_pot_value: '60',
          pot_types: [{ Threshold: { min_value: 42, max_value: 60 } }],
        },
      ],
    },
  },
  {
    source: null,
    sourceOwner: demoOperator,
    links: [],
    instanceName: 'Nightfall',
    description: 'Linked to Aurora. It drops every day, at 20:00 UTC at the latest.',
    template: {
      owner_id: demoOperator,
      id: 'nightfall',
      name: 'Must drop by',
      description: 'One pot that is won once a day.',
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      contribution_rules: { ...everyContribution, contribution_type: { Percentage: 0.02 } },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      win_selector_strategy: 'Lowest',
      pots: [
        {
          ...progressivePot('night', { share: 0.9, seedShare: 0.4, seed: 500 }),
          criteria: { min_base_wager: 0, min_contribution: 0.01 },
          pot_types: [{ Time: { start_time: 0, end_time: 72_000_000 } }],
        },
      ],
    },
  },
  {
    source: 'deposit',
    sourceOwner: demoOperator,
    links: [],
    instanceName: 'Lucky Draw',
    description: 'A raffle: every 5 EUR of deposits are a ticket, and fourteen of them win.',
    template: {
      owner_id: demoOperator,
      id: 'lucky-draw',
      name: 'Raffle',
      description: 'Ten-minute rounds, three tiers of prizes.',
      jackpot_type: 'Raffle',
      currency: 'EUR',
      contribution_rules: { ...everyContribution, contribution_type: { Percentage: 0.05 } },
      house_pot: { contribution_type: { Percentage: 0.1 } },
      raffle_rules: {
        cost_per_ticket: '5',
        cost_source: 'BaseWager',
        allocation_mode: 'Instant',
        duration: { Minutes: 10 },
        prize_distribution: [
          { prize_percentage: '0.5', number_of_winners: 1 },
          { prize_percentage: '0.3', number_of_winners: 3 },
          { prize_percentage: '0.2', number_of_winners: 10 },
        ],
      },
      pots: [
        {
          ...seededPot('prizes', { share: 0.9, seedShare: 0.4, seed: 20 }),
          pot_types: [],
        },
      ],
    },
  },
];

interface PotFigures {
  /** The share of every contribution. */
  readonly share: number;
  /** One win in this number, for each 0.10 of a contribution. */
  readonly odds: number;
  /** What the pot starts and restarts with, in major units. */
  readonly seed: number;
}

function hitRatePot(id: string, figures: PotFigures) {
  return {
    ...progressivePot(id, { ...figures, seedShare: 0.85 }),
    pot_types: [{ HitRate: { max_magic_number: figures.odds, cost_per_attempt: 0.1 } }],
  };
}

interface SeededPotFigures {
  readonly share: number;
  readonly seedShare: number;
  readonly seed: number;
}

function progressivePot(id: string, figures: SeededPotFigures) {
  return {
    ...seededPot(id, figures),
    payout_ruleset: { main_winner_percentage: 1, admin_fee: 0, payout_rules: [] },
    win_constraints: [],
  };
}

/** All that the pot of a raffle has: it pays by its prize distribution. */
function seededPot(id: string, figures: SeededPotFigures) {
  return {
    id,
    enabled: true,
    contribution: { Percentage: figures.share },
    seed_contribution: { Percentage: figures.seedShare },
    seed_strategy: {
      initial_seed_value: figures.seed,
      min_reseed_value: figures.seed,
      fund_strategy: 'CollectToMinReseed',
      reseed_strategy: 'Full',
    },
    is_progressive: true,
  };
}
