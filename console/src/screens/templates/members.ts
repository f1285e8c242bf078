import { type Configuration, valueAt } from './document.ts';
import { helpOf } from './helps.ts';

/** How a member is edited: a decimal number stays text, so that no digit is lost. */
type Kind = 'text' | 'decimal' | 'count' | 'flag' | 'choice' | 'part' | 'trigger' | 'json';

export interface Member {
  readonly path: string;
  readonly label: string;
  /** What it means. */
  readonly help: string | undefined;
  readonly kind: Kind;
  /** Of a choice, a part (`{"Fixed": 1}`) or a trigger. */
  readonly options?: readonly string[];
}

/** Members that belong together. */
export interface Section {
  readonly path: string;
  readonly title: string;
  readonly members: readonly Member[];
}

type Row = readonly [name: string, label: string, kind: Kind, options?: readonly string[]];

const parts = ['Percentage', 'Fixed'];

const general: readonly Row[] = [
  ['jackpot_type', 'Type', 'choice', ['Jackpot', 'Raffle']],
  ['currency', 'Currency of all pots', 'text'],
  [
    'win_selector_strategy',
    'Of several pots that are hit, pay the',
    'choice',
    ['Lowest', 'Highest', 'First'],
  ],
  ['max_instantiation_count', 'Cycles of each pot (empty: unlimited)', 'count'],
  ['draw_beacon', 'Beacon of each epoch', 'choice', ['None', 'Required']],
];

const rules: readonly Row[] = [
  ['contribution_type', 'A contribution is', 'part', parts],
  ['contribution_values_alt', 'Fixed contributions by currency', 'json'],
  ['operator_contribution_percentage', 'Part that the operator pays', 'decimal'],
  ['opt_in_required', 'Only players who opted in', 'flag'],
  ['opt_in_per_currency', 'Opt-in counts by currency', 'flag'],
  ['max_contribution.max_contribution_value', 'Largest contribution (empty: none)', 'decimal'],
  ['max_contribution.max_contribution_values_alt', 'Largest contributions by currency', 'json'],
  ['max_contribution.include_base_wager', 'The largest one covers the wager, too', 'flag'],
  [
    'max_contribution.cap_contribution_by_base_wager',
    'At most this many times the wager (empty: none)',
    'decimal',
  ],
  ['wager_criteria.min_base_wager', 'Smallest wager', 'decimal'],
  ['wager_criteria.min_contribution', 'Smallest contribution', 'decimal'],
  ['allowed_brands', 'Brands (null: all of the owner’s)', 'json'],
  ['country_filters.black_list', 'Countries that may not', 'json'],
  ['country_filters.white_list', 'Countries that may (empty: all)', 'json'],
  ['qualified_contribution_only', 'Only pots that qualify get a share', 'flag'],
];

const house: readonly Row[] = [
  ['contribution_type', 'The house’s part', 'part', parts],
  ['diversion_rules', 'Diversion of the house’s part (null: none)', 'json'],
];

const raffle: readonly Row[] = [
  ['cost_per_ticket', 'Cost of a ticket', 'decimal'],
  ['cost_source', 'Tickets are for', 'choice', ['Contribution', 'BaseWager']],
  ['allocation_mode', 'Tickets are given', 'choice', ['Instant', 'Deferred']],
  ['duration', 'Length of a round', 'json'],
  ['prize_distribution', 'Prizes', 'json'],
];

const pot: readonly Row[] = [
  ['id', 'Id', 'text'],
  ['enabled', 'Takes part', 'flag'],
  ['contribution', 'Its part of a contribution', 'part', parts],
  ['seed_contribution', 'Of that, to the next seed', 'part', parts],
  ['is_progressive', 'Grows', 'flag'],
  ['seed_strategy.initial_seed_value', 'Seed at activation, for the first cycle', 'decimal'],
  ['seed_strategy.min_reseed_value', 'Value that each cycle after a win opens with', 'decimal'],
  [
    'seed_strategy.fund_strategy',
    'The seed is filled',
    'choice',
    ['CollectToMinReseed', 'CollectAll', 'HouseFunded'],
  ],
  ['seed_strategy.reseed_strategy', 'A cycle opens with', 'choice', ['Full', 'Minimum', 'Collected']],
  ['maximum_pot_value', 'Largest value (empty: none)', 'decimal'],
  ['criteria.min_base_wager', 'Smallest wager', 'decimal'],
  ['criteria.min_contribution', 'Smallest contribution', 'decimal'],
  ['payout_ruleset.main_winner_percentage', 'The winner gets (1: all)', 'decimal'],
  ['payout_ruleset.admin_fee', 'Fee', 'decimal'],
  ['payout_ruleset.payout_rules', 'Others get', 'json'],
  ['win_constraints', 'Before a win there must be', 'json'],
];

const triggers: Readonly<Record<string, readonly Row[]>> = {
  HitRate: [
    ['max_magic_number', 'One win in so many attempts', 'count'],
    ['cost_per_attempt', 'Contribution of one attempt', 'decimal'],
  ],
  Threshold: [
    ['min_value', 'Drops from', 'decimal'],
    ['max_value', 'Must drop by', 'decimal'],
  ],
  Time: [
    ['start_time', 'Drops from (ms; below a day: of every day, UTC)', 'count'],
    ['end_time', 'Must drop by (ms)', 'count'],
  ],
  External: [],
};

/** What a trigger begins with when a person chooses its kind. */
export const newTriggers: Readonly<Record<string, Configuration>> = {
  HitRate: { HitRate: { max_magic_number: 10_000, cost_per_attempt: '0.1' } },
  Threshold: { Threshold: { min_value: '100', max_value: '200' } },
  Time: { Time: { start_time: 0, end_time: 72_000_000 } },
  External: { External: {} },
};

export const newPot: Configuration = {
  id: 'new',
  contribution: { Percentage: '0.1' },
  seed_contribution: { Percentage: '0.5' },
  pot_types: [newTriggers.HitRate],
};

/** What a template begins with. */
export const newConfiguration: Configuration = {
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: { contribution_type: { Percentage: '0.01' } },
  house_pot: { contribution_type: { Percentage: '0.1' } },
  pots: [{ ...newPot, id: 'main', contribution: { Percentage: '0.9' } }],
};

const raffleRules: Configuration = {
  cost_per_ticket: '1',
  cost_source: 'BaseWager',
  allocation_mode: 'Instant',
  duration: { Days: 1 },
  prize_distribution: [{ prize_percentage: '1', number_of_winners: 1 }],
};

/** The configuration as another type, with what that needs. */
export function ofType(document: Configuration, type: string): Configuration {
  const { raffle_rules: present, ...others } = document;
  return type === 'Raffle'
    ? { ...others, jackpot_type: type, raffle_rules: present ?? raffleRules }
    : { ...others, jackpot_type: type };
}

/** All of a configuration that the form shows. */
export function sectionsOf(document: Configuration): readonly Section[] {
  const pots = Array.isArray(document.pots) ? document.pots : [];
  return [
    { path: '', title: 'General', members: membersOf('', general) },
    { path: 'contribution_rules', title: 'Contributions', members: membersOf('contribution_rules', rules) },
    { path: 'house_pot', title: 'House', members: membersOf('house_pot', house) },
    ...(document.jackpot_type === 'Raffle'
      ? [{ path: 'raffle_rules', title: 'Raffle', members: membersOf('raffle_rules', raffle) }]
      : []),
    ...pots.map((_, index) => potSection(document, `pots[${index}]`)),
  ];
}

function potSection(document: Configuration, path: string): Section {
  const types = valueAt(document, `${path}.pot_types`);
  const own = membersOf(path, pot);
  const drawn = Array.isArray(types) ? types : [];
  return {
    path,
    title: `Pot ${String(valueAt(document, `${path}.id`) ?? '')}`,
    members: [...own, ...drawn.flatMap((type, index) => triggerMembers(type, `${path}.pot_types[${index}]`))],
  };
}

function triggerMembers(type: unknown, path: string): readonly Member[] {
  const [kind = ''] = Object.keys(type ?? {});
  const chosen = { path, label: 'Won by', help: helpOf(path), kind: 'trigger' } as const;
  return [
    { ...chosen, options: Object.keys(triggers) },
    ...membersOf(`${path}.${kind}`, triggers[kind] ?? []),
  ];
}

function membersOf(path: string, rows: readonly Row[]): readonly Member[] {
  return rows.map(([name, label, kind, options]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return { path: at, label, help: helpOf(at), kind, ...(options === undefined ? {} : { options }) };
  });
}
