import type { BindingList, InstanceDescription } from '../../../src/messages/records.ts';

/** What the page needs to know of a configuration. */
interface Configuration {
  readonly currency: string;
  readonly jackpot_type: string;
  readonly contribution_rules?: {
    readonly opt_in_required?: boolean;
    readonly allowed_brands?: readonly string[] | null;
  };
  readonly pots: readonly { readonly id: string; readonly pot_types?: readonly PotType[] }[];
}

type PotType = {
  readonly Threshold?: { readonly max_value: number | string };
  readonly Time?: { readonly start_time: number; readonly end_time: number };
  readonly External?: unknown;
};

/**
 * A jackpot as the page's session shows it: what its players may expect of it, and where it takes
 * contributions.
 */
export function jackpotView(
  description: InstanceDescription,
  bindings: readonly BindingList[],
  roundEndMs: number | null,
  winners: readonly { readonly win_pot_id: string; readonly timestamp: number }[],
) {
  const configuration = description.configuration as Configuration;
  const rules = configuration.contribution_rules;
  return {
    instance_id: description.instance,
    name: description.name,
    description: description.description,
    jackpot_type: configuration.jackpot_type,
    currency: configuration.currency,
    opt_in_required: rules?.opt_in_required === true,
    brands: rules?.allowed_brands ?? null,
    timestamp_end: description.timestampEndMs,
    round_end: roundEndMs,
    sources: bindings
      .filter((list) => list.bindings.some((binding) => binding.instance === description.instance))
      .map((list) => list.id),
    pots: configuration.pots.map((pot) => ({
      ...potView(pot),
      last_win: winners.find((winner) => winner.win_pot_id === pot.id)?.timestamp ?? null,
    })),
  };
}

function potView({ id, pot_types: types = [] }: Configuration['pots'][number]) {
  const find = <K extends keyof PotType>(kind: K) => types.find((type) => type[kind] !== undefined)?.[kind];
  return {
    id,
    must_hit_by: find('Threshold')?.max_value ?? null,
    window: find('Time') ?? null,
    awarded_by_operator: find('External') !== undefined,
  };
}
