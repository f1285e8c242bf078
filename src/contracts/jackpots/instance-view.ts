import type * as z from 'zod';
import { writeJson } from '../../lib/json.ts';
import { formatAmount } from '../../lib/money.ts';
import type { InstanceDescription, LiveValues, PotDescription } from '../../messages/records.ts';
import {
  partView,
  potView,
  type ShownConfiguration,
  shownConfiguration,
  valuesView,
} from '../configuration/document-view.ts';
import type { switchShape } from './instance.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an instance is and has, its configuration apart. */
type InstanceFacts = Omit<InstanceDescription, 'configuration' | 'pendingConfiguration'>;

/** A full instance, as A19 and A32 show it. */
export function instanceView(instance: InstanceDescription): Record<string, unknown> {
  return viewWith(instance, shownConfiguration(instance.configuration));
}

/** The JSON of instanceView, where the instance has this configuration. */
export function instanceText(instance: InstanceFacts, configuration: ShownConfiguration): string {
  return writeJson(viewWith(instance, configuration));
}

function viewWith(instance: InstanceFacts, configuration: ShownConfiguration): Record<string, unknown> {
  const { house } = configuration;
  return {
    id: instance.instance,
    game_code: instance.gameCode,
    template_owner_id: instance.templateOwner,
    template_id: instance.template,
    status: instance.status,
    name: instance.name,
    description: instance.description,
    owner_id: instance.owner,
    version: instance.version,
    ...configuration.members,
    house_pot: {
      contribution_type: house.contribution_type,
      timestamp_created: instance.house.createdMs,
      current_value: instance.house.currentAtoms,
      accumulated_seed_deficit: instance.house.seedDeficitAtoms,
      total_contributions: instance.house.totalContributions,
      diversion_rules: house.diversion_rules,
      diversion_pool: instance.house.diversionAtoms,
    },
    pots: instance.pots.map((pot) => fullPot(configuration.pots.get(pot.pot) ?? configuration.otherPot, pot)),
    total_contributions: instance.totalContributions,
    created: instance.createdMs,
    timestamp_start: instance.timestampStartMs,
    timestamp_end: instance.timestampEndMs,
    last_updated: instance.lastUpdatedMs,
    group: instance.group,
    links: instance.links,
    switched_to: instance.switchedTo === '' ? null : instance.switchedTo,
    switch: switchView(instance),
  };
}

/** null: none was begun, or it is done. */
export function switchView({
  switch: last,
}: Pick<InstanceDescription, 'switch'>): z.infer<typeof switchShape> | null {
  if (last === undefined) return null;
  const { target, copied, total, end } = last;
  const progress = { target, copied, total };
  if (end === null) return { ...progress, state: 'copying', code: null, message: null };
  const { outcome, code, message } = end;
  if (outcome === 'done') return null;
  return { ...progress, state: outcome, code: code === '' ? null : code, message };
}

/** A pot with its configuration, as that is shown, and what it holds. */
function fullPot(shown: Members, pot: PotDescription): Record<string, unknown> {
  return Object.assign({}, shown, {
    id: pot.pot,
    enabled: pot.enabled,
    instance_count: pot.instanceCount,
    timestamp_created: pot.createdMs,
    surplus_seed: pot.surplusAtoms,
    contributed_amount: pot.contributedAtoms,
    contributed_seed: pot.contributedSeedAtoms,
    seed_value: pot.seedAtoms,
    current_value: pot.currentAtoms,
    overflow_amount: pot.overflowAtoms,
    total_contributions: pot.totalContributions,
  });
}

/** An instance with its live values, which are newer than its description. */
export function liveInstance(instance: InstanceDescription, liveValues: LiveValues): InstanceDescription {
  const pots = instance.pots.map((pot) => {
    const live = liveValues.pots.find((value) => value.pot === pot.pot);
    if (live === undefined) return pot;
    const { currentAtoms, instanceCount, enabled, meters } = live;
    return { ...pot, ...meters, currentAtoms, instanceCount, enabled };
  });
  return { ...instance, pots, status: liveValues.status };
}

/** The answer of O12 and A27. */
export function operatorJackpot(
  instance: InstanceDescription,
  optInStatus: unknown,
): Record<string, unknown> {
  const documents = configurationPots(instance.configuration);
  const { jackpot_type: jackpotType } = instance.configuration as Members;
  return {
    id: instance.instance,
    game_code: instance.gameCode,
    ...rulesShown(instance.configuration as Members),
    optin_status: optInStatus,
    pots: instance.pots.map((pot) =>
      Object.assign(fullPot(potView(documents.get(pot.pot) ?? {}, jackpotType), pot), {
        initial_cost: pot.initialCostAtoms,
      }),
    ),
    timestamp_start: instance.timestampStartMs,
    timestamp_end: instance.timestampEndMs,
    status: instance.status,
  };
}

/** What a slim pot and a ticker's pot show beside live values. */
interface PotFacts {
  readonly id: string;
  readonly isProgressive: boolean;
  readonly communitySplit: string;
}

/** The answer of O13: slim pots, no configuration. */
export function frontendJackpot(
  instance: InstanceDescription,
  liveValues: LiveValues,
  facts: readonly PotFacts[],
): Record<string, unknown> {
  return {
    id: instance.instance,
    ...rulesShown(instance.configuration as Members),
    pots: facts.map((pot) => {
      const live = liveValues.pots.find((value) => value.pot === pot.id);
      return {
        id: pot.id,
        instance_count: live?.instanceCount ?? 1,
        is_progressive: pot.isProgressive,
        current_value: live?.currentAtoms ?? 0n,
        community_split: Number(pot.communitySplit),
      };
    }),
    timestamp_start: instance.timestampStartMs,
    timestamp_end: instance.timestampEndMs,
    status: liveValues.status,
  };
}

/** The instance ticker: the answer of O20, and the data of JackpotUpdate. */
export function tickerView(
  instance: InstanceDescription,
  liveValues: LiveValues,
  facts: readonly PotFacts[],
  allowed: { readonly brands: readonly string[]; readonly sources: readonly string[] },
) {
  const configuration = instance.configuration as Members;
  return {
    id: instance.instance,
    jackpot_type: configuration.jackpot_type as string,
    currency: configuration.currency as string,
    pots: facts.map((pot) => ({
      id: pot.id,
      is_progressive: pot.isProgressive,
      current_value: formatAmount(liveValues.pots.find((live) => live.pot === pot.id)?.currentAtoms ?? 0n),
      community_split: pot.communitySplit,
    })),
    allowed_brands: allowed.brands,
    allowed_sources: allowed.sources,
    status: liveValues.status,
    timestamp_start: instance.timestampStartMs,
    timestamp_end: instance.timestampEndMs,
    last_updated: liveValues.lastUpdatedMs,
  };
}

function rulesShown(configuration: Members) {
  const rules = (configuration.contribution_rules ?? {}) as Members;
  return {
    currency: configuration.currency,
    opt_in_required: rules.opt_in_required === true,
    opt_in_per_currency: rules.opt_in_per_currency === true,
    contribution_type: partView(rules.contribution_type),
    contribution_values_alt: valuesView(rules.contribution_values_alt),
  };
}

function configurationPots(document: unknown): Map<string, Members> {
  const pots = (document as Members | null)?.pots;
  const list = Array.isArray(pots) ? (pots as Members[]) : [];
  return new Map(list.map((pot) => [String(pot.id), pot]));
}
