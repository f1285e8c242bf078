import { JsonText, writeJson } from '../../lib/json.ts';
import { items, type Members, members } from '../../lib/unknown-json.ts';
import { amountOf, contributionTypeShapes, potTypeShapes, shareNumber, viewOf } from './kinds.ts';

/**
 * Configuration documents as answers: from the normal form (decimal strings) to the interface's types, with
 * the defaults of docs/rules/configuration.md where a member is absent. An amount that is a number on the
 * wire becomes atoms (written as an exact number), a share becomes a number, and strings stay strings.
 */

/** A whole configuration in normal form as an answer shows it. */
export function configurationView(document: unknown): Record<string, unknown> {
  const root = members(document);
  return {
    currency: root.currency,
    contribution_rules: rulesView(members(root.contribution_rules)),
    house_pot: housePotView(members(root.house_pot)),
    jackpot_type: root.jackpot_type,
    raffle_rules: root.raffle_rules === undefined ? null : raffleView(members(root.raffle_rules)),
    win_selector_strategy: root.win_selector_strategy ?? 'Lowest',
    max_instantiation_count: root.max_instantiation_count ?? null,
    ...(root.draw_beacon === undefined ? {} : { draw_beacon: root.draw_beacon }),
    pots: items(root.pots).map((pot) => potView(members(pot), root.jackpot_type)),
  };
}

/** A part of a contribution: `{Fixed: atoms}`, or `{Percentage: number}`. Absent: a fixed 0. */
export function partView(value: unknown): Record<string, unknown> {
  return viewOf(contributionTypeShapes, value ?? { Fixed: '0' });
}

/** Values by currency, in atoms. */
export function valuesView(value: unknown): unknown[] {
  return items(value).map((item) => {
    const { currency, value: amount } = members(item);
    return { currency, value: amountOf(amount) };
  });
}

/** The configuration fields of a pot, with defaults. A raffle's pot has no trigger. */
export function potView(pot: Members, jackpotType: unknown): Record<string, unknown> {
  const payout = members(pot.payout_ruleset);
  const seeds = members(pot.seed_strategy);
  const types = items(pot.pot_types).map((type) => viewOf(potTypeShapes, type));
  return {
    id: pot.id,
    enabled: pot.enabled ?? true,
    contribution: partView(pot.contribution),
    seed_contribution: partView(pot.seed_contribution),
    payout_ruleset: {
      main_winner_percentage: shareNumber(payout.main_winner_percentage ?? '1'),
      admin_fee: shareNumber(payout.admin_fee ?? '0'),
      payout_rules: items(payout.payout_rules).map((item) => {
        const { payout_percentage, rule } = members(item);
        return { payout_percentage: shareNumber(payout_percentage), rule };
      }),
    },
    seed_strategy: {
      initial_seed_value: amountOf(seeds.initial_seed_value),
      min_reseed_value: amountOf(seeds.min_reseed_value),
      fund_strategy: seeds.fund_strategy ?? 'CollectToMinReseed',
      reseed_strategy: seeds.reseed_strategy ?? 'Full',
    },
    win_constraints: items(pot.win_constraints),
    pot_types: types,
    supports_external_trigger:
      jackpotType !== 'Raffle' && types.some((type) => Object.hasOwn(type, 'External')),
    is_progressive: pot.is_progressive ?? true,
    criteria: criteriaView(pot.criteria),
    maximum_pot_value: pot.maximum_pot_value ?? null,
  };
}

function rulesView(rules: Members): Record<string, unknown> {
  const optIn = rules.opt_in_required === true;
  const filters = members(rules.country_filters);
  return {
    opt_in_required: optIn,
    opt_in_per_currency: rules.opt_in_per_currency ?? false,
    contribution_type: partView(rules.contribution_type),
    contribution_values_alt: valuesView(rules.contribution_values_alt),
    max_contribution:
      rules.max_contribution === undefined ? null : maximumView(members(rules.max_contribution)),
    operator_contribution_percentage: rules.operator_contribution_percentage ?? (optIn ? '0' : '1'),
    wager_criteria: criteriaView(rules.wager_criteria),
    allowed_brands: rules.allowed_brands ?? null,
    country_filters: { black_list: items(filters.black_list), white_list: items(filters.white_list) },
    qualified_contribution_only: rules.qualified_contribution_only ?? true,
  };
}

function maximumView(maximum: Members): Record<string, unknown> {
  return {
    max_contribution_value: maximum.max_contribution_value ?? null,
    max_contribution_values_alt: valuesView(maximum.max_contribution_values_alt),
    include_base_wager: maximum.include_base_wager ?? false,
    cap_contribution_by_base_wager: maximum.cap_contribution_by_base_wager ?? null,
  };
}

function housePotView(house: Members): Record<string, unknown> {
  const rules = members(house.diversion_rules);
  return {
    contribution_type: partView(house.contribution_type),
    diversion_rules:
      house.diversion_rules === undefined
        ? null
        : { ...rules, flush_threshold: rules.flush_threshold ?? null },
  };
}

function raffleView(rules: Members): Record<string, unknown> {
  return {
    cost_per_ticket: rules.cost_per_ticket,
    cost_source: rules.cost_source,
    allocation_mode: rules.allocation_mode,
    duration: rules.duration,
    prize_distribution: items(rules.prize_distribution),
  };
}

function criteriaView(value: unknown): Record<string, unknown> {
  const criteria = members(value);
  return {
    min_base_wager: amountOf(criteria.min_base_wager),
    min_contribution: amountOf(criteria.min_contribution),
  };
}

/** What a full instance shows of its configuration. */
export interface ShownConfiguration {
  /** In the order of the answer. The house pot and the pots only mark their places. */
  readonly members: Members;
  readonly house: Members;
  /** By their ids. */
  readonly pots: ReadonlyMap<string, Members>;
  /** Shown of a pot that the configuration does not have. */
  readonly otherPot: Members;
}

/** The parts of a configuration in normal form, as an answer shows them. */
export function shownConfiguration(document: unknown): ShownConfiguration {
  const view = configurationView(document);
  const pots = view.pots as readonly Members[];
  return {
    members: { ...view, house_pot: null, pots: null },
    house: members(view.house_pot),
    pots: new Map(pots.map((pot) => [String(pot.id), pot])),
    otherPot: potView({}, members(document).jackpot_type),
  };
}

/** The same with its values as JSON: an answer then costs the values of the instance alone. */
export function writtenConfiguration(document: unknown): ShownConfiguration {
  const shown = shownConfiguration(document);
  return {
    members: written(shown.members),
    house: written(shown.house),
    pots: new Map([...shown.pots].map(([id, pot]) => [id, written(pot)])),
    otherPot: written(shown.otherPot),
  };
}

function written(values: Members): Members {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    texts[name] = value === undefined ? undefined : new JsonText(writeJson(value));
  return texts;
}
