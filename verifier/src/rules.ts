import { atomsOf, nothing, part, type Ratio, ratioOf, smallest, sum, whole } from './decimal.ts';
import { Disagreement } from './disagreement.ts';
import type { Members } from './shape.ts';

/** `{"Fixed": v}` or `{"Percentage": p}`. */
export type Share = { readonly fixed: bigint } | { readonly ratio: Ratio };

export interface Criteria {
  readonly wager: bigint;
  readonly contribution: bigint;
}

export interface Kind {
  readonly name: string;
  readonly parameters: Members;
}

export interface PayoutRule extends Kind {
  readonly share: Ratio;
  readonly max: number;
}

export interface PotRules {
  /** As the configuration has them. */
  readonly document: Members;
  readonly enabled: boolean;
  readonly share: Share;
  readonly seedShare: Share;
  readonly isProgressive: boolean;
  readonly criteria: Criteria;
  /** Up to where contributions feed the pot, and up to where a reseed does; null: without end. */
  readonly cap: bigint | null;
  readonly reseedCap: bigint | null;
  /** Their sources: maximum_pot_value, and the bounds of Threshold triggers. */
  readonly maximum: bigint | null;
  readonly thresholdCap: bigint | null;
  readonly thresholdReseedCap: bigint | null;
  readonly initialSeed: bigint;
  readonly minReseed: bigint;
  readonly fundStrategy: string;
  readonly reseedStrategy: string;
  readonly triggers: readonly Kind[];
  readonly constraints: readonly { readonly name: string; readonly limit: unknown }[];
  readonly mainShare: Ratio;
  readonly fee: Ratio;
  readonly payoutRules: readonly PayoutRule[];
}

/** The cost of a contribution, and its payers. */
export interface ContributionTerms {
  /** The operator's part. */
  readonly operatorShare: Ratio;
  /** The largest contribution in the currency of the instance by max_contribution; null: unlimited. */
  limitOf(wager: bigint): bigint | null;
  /** Its amount as a Percentage of the wager, below the limit; null: it is Fixed. */
  percentageOf(wager: bigint): bigint | null;
}

export interface Rules {
  readonly currency: string;
  readonly isRaffle: boolean;
  readonly maxCycles: number | null;
  readonly selector: string;
  readonly terms: ContributionTerms;
  readonly criteria: Criteria;
  readonly onlyQualified: boolean;
  readonly houseShare: Share;
  readonly diverted: Ratio;
  /** At which the diverted pool leaves; null: it never does. */
  readonly flushThreshold: bigint | null;
  readonly raffle: Members;
}

/** The rules of the instance, from the configuration that the header names. */
export function readRules(config: Members): Rules {
  return reading(() => {
    const house = members(config.house_pot);
    const diversion = members(house.diversion_rules);
    const contribution = members(config.contribution_rules);
    return {
      currency: String(config.currency),
      isRaffle: config.jackpot_type === 'Raffle',
      maxCycles: readCycles(config.max_instantiation_count),
      selector: String(config.win_selector_strategy ?? 'Lowest'),
      terms: readTerms(contribution, String(config.currency)),
      criteria: readCriteria(contribution.wager_criteria),
      onlyQualified: contribution.qualified_contribution_only !== false,
      houseShare: readShare(house.contribution_type),
      diverted: ratioOf(diversion.diversion_percentage) ?? nothing,
      flushThreshold: atomsOf(diversion.flush_threshold),
      raffle: members(config.raffle_rules),
    };
  });
}

/** One pot's rules of a cycle (docs/jpd1.md "5. Rules: how `header.config` is read"). A raffle's pot is never drawn. */
export function readPotRules(json: unknown, isRaffle: boolean): PotRules {
  return reading(() => {
    const pot = members(json);
    const seeds = members(pot.seed_strategy);
    const payout = members(pot.payout_ruleset);
    const triggers = isRaffle ? [] : list(pot.pot_types).map(readKind);
    const thresholds = triggers
      .filter(({ name }) => name === 'Threshold')
      .map(({ parameters }) => parameters);
    return {
      document: pot,
      enabled: pot.enabled !== false,
      share: readShare(pot.contribution),
      seedShare: readShare(pot.seed_contribution),
      isProgressive: pot.is_progressive !== false,
      criteria: readCriteria(pot.criteria),
      ...capsOf(
        atomsOf(pot.maximum_pot_value),
        lowest(thresholds.map(({ max_value }) => atomsOf(max_value))),
        lowest(thresholds.map(({ min_value }) => atomsOf(min_value))),
      ),
      initialSeed: atomsOf(seeds.initial_seed_value) ?? 0n,
      minReseed: atomsOf(seeds.min_reseed_value) ?? 0n,
      fundStrategy: String(seeds.fund_strategy ?? 'CollectToMinReseed'),
      reseedStrategy: String(seeds.reseed_strategy ?? 'Full'),
      triggers,
      constraints: list(pot.win_constraints).map((each) => {
        const [name, limit] = onlyMember(each);
        return { name, limit };
      }),
      mainShare: ratioOf(payout.main_winner_percentage) ?? whole,
      fee: ratioOf(payout.admin_fee) ?? nothing,
      payoutRules: list(payout.payout_rules).map((each) => {
        const rule = readKind(members(each).rule);
        return {
          ...rule,
          share: ratioOf(members(each).payout_percentage) ?? nothing,
          max: Number(rule.parameters.max_number_of_payouts),
        };
      }),
    };
  });
}

/** The running cycle's rules under the higher maximum of others, the only parameter that binds at once. */
export function withMaximumOf(rules: PotRules, next: PotRules): PotRules {
  const { maximum_pot_value: _, ...rest } = rules.document;
  const { maximum } = next;
  const document = maximum === null ? rest : { ...rest, maximum_pot_value: next.document.maximum_pot_value };
  return { ...rules, document, ...capsOf(maximum, rules.thresholdCap, rules.thresholdReseedCap) };
}

function capsOf(maximum: bigint | null, thresholdCap: bigint | null, thresholdReseedCap: bigint | null) {
  const cap = lowest([maximum, thresholdCap]);
  const reseedCap = lowest([cap, thresholdReseedCap]);
  return { cap, reseedCap, maximum, thresholdCap, thresholdReseedCap };
}

/** Σ of the percentages of shares; fixed ones do not count. */
export function totalRatio(shares: readonly Share[]): Ratio {
  return shares.reduce<Ratio>(
    (total, share) => ('ratio' in share ? sum(total, share.ratio) : total),
    nothing,
  );
}

export function meets(criteria: Criteria, wager: bigint, contribution: bigint): boolean {
  return wager >= criteria.wager && contribution >= criteria.contribution;
}

function readCycles(json: unknown): number | null {
  if (json === undefined || json === null) return null;
  if (!Number.isSafeInteger(json) || (json as number) < 1)
    throw new RangeError('max_instantiation_count is no number of cycles');
  return json as number;
}

function readShare(json: unknown): Share {
  if (json === undefined || json === null) return { ratio: nothing };
  const [name, value] = onlyMember(json);
  if (name === 'Fixed') return { fixed: atomsOf(value) ?? 0n };
  if (name === 'Percentage') return { ratio: ratioOf(value) ?? nothing };
  throw new RangeError(`a share of kind ${name}`);
}

function readTerms(contribution: Members, currency: string): ContributionTerms {
  const usual = contribution.opt_in_required === true ? nothing : whole;
  const maximum = members(contribution.max_contribution);
  const [own] = list(maximum.max_contribution_values_alt).filter(
    (each) => members(each).currency === currency,
  );
  const highest = atomsOf(own === undefined ? maximum.max_contribution_value : members(own).value);
  const byWager = ratioOf(maximum.cap_contribution_by_base_wager);
  const type = readShare(contribution.contribution_type);
  return {
    operatorShare: ratioOf(contribution.operator_contribution_percentage) ?? usual,
    limitOf: (wager) => {
      const takesWager = highest !== null && maximum.include_base_wager === true;
      return lowest([takesWager ? highest - wager : highest, byWager === null ? null : part(wager, byWager)]);
    },
    percentageOf: (wager) => ('ratio' in type ? part(wager, type.ratio) : null),
  };
}

function readCriteria(json: unknown): Criteria {
  const criteria = members(json);
  return {
    wager: atomsOf(criteria.min_base_wager) ?? 0n,
    contribution: atomsOf(criteria.min_contribution) ?? 0n,
  };
}

function readKind(json: unknown): Kind {
  const [name, parameters] = onlyMember(json);
  return { name, parameters: members(parameters) };
}

function onlyMember(json: unknown): readonly [string, unknown] {
  const present = Object.entries(members(json)).filter(([, value]) => value !== null);
  const [only] = present;
  if (only === undefined || present.length > 1) throw new RangeError('an object with one member is wanted');
  return only;
}

function members(json: unknown): Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Members) : {};
}

function list(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

function lowest(bounds: readonly (bigint | null)[]): bigint | null {
  const [first, ...others] = bounds.filter((bound) => bound !== null);
  return first === undefined ? null : smallest(first, ...others);
}

/** Rules that cannot be read are a fault of the rules, wherever in them it is. */
function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Disagreement('config', `the rules cannot be read: ${(error as Error).message}`);
  }
}
