import { toHex } from '../../lib/bytes.ts';
import {
  type Fraction,
  formatFraction,
  one,
  parseFraction,
  shareDecimals,
  subtractFractions,
} from '../../lib/fraction.ts';
import { parseAmount } from '../../lib/money.ts';
import type { Members } from '../../lib/unknown-json.ts';
import type { EpochRecord, InstanceDescription } from '../../messages/records.ts';
import { configurationView } from '../configuration/document-view.ts';
import { potTypeShapes } from '../configuration/kinds.ts';

/**
 * The rules of an instance as they are configured, for anyone who wants to check its draws
 * (docs/rules/http.md "Fairness"). Amounts in atoms here, exact numbers on the wire. `rtp_share` is the part
 * of each contribution that a pot returns to players: null where the pot takes a fixed amount.
 */
export function rulesView(instance: InstanceDescription): Record<string, unknown> {
  const configuration = configurationView(instance.configuration);
  const rules = configuration.contribution_rules as Members;
  const house = configuration.house_pot as Members;
  const diversion = house.diversion_rules as Members | null;
  const strategy = configuration.win_selector_strategy as string;
  const documents = (instance.configuration as unknown as { readonly pots: readonly Members[] }).pots;
  const pots = (configuration.pots as readonly Members[]).map((pot, index) =>
    potRules(pot, documents[index] ?? {}, instance.pots[index]?.enabled === true),
  );
  return {
    instance_id: instance.instance,
    name: instance.name,
    jackpot_type: configuration.jackpot_type,
    currency: configuration.currency,
    status: instance.status,
    version: instance.version,
    funding: {
      opt_in_required: rules.opt_in_required,
      contribution_type: rules.contribution_type,
      contribution_values_alt: rules.contribution_values_alt,
      max_contribution: rules.max_contribution,
      operator_contribution_percentage: rules.operator_contribution_percentage,
      wager_criteria: rules.wager_criteria,
      qualified_contribution_only: rules.qualified_contribution_only,
      house_contribution_type: house.contribution_type,
      diversion_percentage: diversion?.diversion_percentage ?? null,
    },
    pots,
    rtp_share: sumOfShares(pots.map((pot) => pot.rtp_share)),
    max_instantiation_count: configuration.max_instantiation_count,
    draw_beacon: configuration.draw_beacon ?? 'None',
    raffle_rules: configuration.raffle_rules,
    raffle_draw: configuration.raffle_rules === null ? null : raffleRule,
    win_selector_strategy: strategy,
    simultaneous_wins: simultaneousWins[strategy] ?? '',
    fault_rules: faultRules,
  };
}

/** An epoch without its draws; `header` is an object once the epoch has begun. Bytes are lower-case hex. */
export function epochView(record: EpochRecord) {
  return {
    epoch: record.epoch,
    state: record.state,
    commit: toHex(record.commit),
    beacon: record.beacon.length === 0 ? null : toHex(record.beacon),
    first_sequence: record.firstSequence,
    last_sequence: record.lastSequence,
    seed: record.seed === null ? null : toHex(record.seed),
  };
}

/** An epoch of which only the number is known: its lane has forgotten the rest. */
export function unknownEpoch(epoch: number) {
  return {
    epoch,
    state: 'revealed' as const,
    commit: null,
    beacon: null,
    first_sequence: null,
    last_sequence: null,
    seed: null,
  };
}

function potRules(pot: Members, document: Members, enabled: boolean) {
  return {
    id: pot.id,
    enabled,
    contribution: pot.contribution,
    seed_contribution: pot.seed_contribution,
    seed_strategy: pot.seed_strategy,
    is_progressive: pot.is_progressive,
    maximum_pot_value: pot.maximum_pot_value,
    odds: oddsOf(pot.pot_types as readonly Members[]),
    win_constraints: pot.win_constraints,
    criteria: pot.criteria,
    payout_ruleset: pot.payout_ruleset,
    rtp_share: rtpShare(document),
  };
}

/** The pot's share of a contribution without the fee; seed, overflow and carry come back in later cycles. */
function rtpShare(pot: Members): string | null {
  const { Percentage: percentage } = (pot.contribution ?? {}) as Members;
  const share = parseFraction(percentage, shareDecimals);
  if (share === null) return parsedFixed(pot) === 0n ? '0' : null;
  const { admin_fee: fee } = (pot.payout_ruleset ?? {}) as Members;
  const kept = subtractFractions(one, parseFraction(fee ?? '0', shareDecimals) ?? { scaled: 0n, scale: 1n });
  return formatFraction({ scaled: share.scaled * kept.scaled, scale: share.scale * kept.scale });
}

function parsedFixed(pot: Members): bigint | null {
  const { Fixed: fixed } = (pot.contribution ?? {}) as Members;
  if (fixed === undefined) return 0n;
  const parsed = parseAmount(fixed as string);
  return parsed.ok ? parsed.atoms : null;
}

const rtpDecimals = 2 * shareDecimals;

function sumOfShares(shares: readonly (string | null)[]): string | null {
  let scaled = 0n;
  const scale = 10n ** BigInt(rtpDecimals);
  for (const share of shares) {
    const fraction: Fraction | null = share === null ? null : parseFraction(share, rtpDecimals);
    if (fraction === null) return null;
    scaled += (fraction.scaled * scale) / fraction.scale;
  }
  return formatFraction({ scaled, scale });
}

const voids = 'the others are void: they are recorded as hits, pay nothing and keep their value';
const simultaneousWins: Readonly<Record<string, string>> = {
  Lowest: `If one contribution hits several pots, the one with the lowest value pays (ties: the first in order); ${voids}.`,
  Highest: `If one contribution hits several pots, the one with the highest value pays (ties: the first in order); ${voids}.`,
  First: `If one contribution hits several pots, the first in order pays; ${voids}.`,
};

const faultRules = [
  'A contribution is stored before it is drawn, and applied as a whole or not at all; a restart repeats the stored contributions and arrives at the same results.',
  'Contributions count in the order of the log. Of two hits in the same millisecond the second one plays for the pot as it is after the first.',
  'If the accounts of the instance do not balance, or the next seed is not committed or a past one not revealed in time, the instance pauses itself: values are frozen, contributions are refused, nothing is drawn.',
];

/** A pot's triggers, as they are shown, with what they mean for a player: [{<kind>: parameters, rule}]. */
function oddsOf(types: readonly Members[]): Members[] {
  return types.flatMap((type) =>
    Object.entries(potTypeShapes)
      .filter(([kind]) => Object.hasOwn(type, kind))
      .map(([kind, { odds, rule }]) => {
        const shown = type[kind] as Members;
        return { [kind]: { ...shown, ...odds?.of(shown) }, rule };
      }),
  );
}

/** What a raffle shows, where nothing is drawn per contribution. */
const raffleRule =
  'At the end of a round tickets are drawn without replacement, each ticket of the round with the same chance; a player with several tickets may win several times.';
