import type { SimulationPlan, SimulationView } from '../../contracts/reports/simulations.ts';
import { assert } from '../../lib/assert.ts';
import { parseAmount } from '../../lib/money.ts';
import type { InstanceConfigurationDocument } from '../../messages/instance-commands.ts';
import {
  defaultStakes,
  defaultStart,
  parseStakes,
  type SimulationChoices,
} from '../../simulation/choices.ts';
import { firstContributionChances } from '../../simulation/first-contribution.ts';
import type { PotReport, SimulationReport } from '../../simulation/report.ts';
import { simulate } from '../../simulation/simulate.ts';
import { configuredReturn } from '../answers/configured-return.ts';
import { shareText } from '../answers/shares.ts';

type View = NonNullable<SimulationView['report']>;

/** Plays a configuration, and reports as callers read it. `progress`: contributions that are made. */
export function played(plan: SimulationPlan, progress: (done: number) => void): View {
  const configuration = plan.configuration as unknown as InstanceConfigurationDocument;
  const template = { name: '', description: '', configuration, warnings: [] };
  const choices = choicesOf(plan);
  const report = simulate(template, choices, progress);
  const chances = firstContributionChances(template, choices);
  return view(plan, report, chances);
}

function choicesOf({ contributions, players, perSecond, wager, seed, exponent }: SimulationPlan) {
  const stakes = parseStakes(wager ?? defaultStakes);
  assert(typeof stakes !== 'string', 'the gateway has read the amount');
  return {
    ...{ contributions, seed, stakes, players, perSecond, exponent },
    ...{ currency: null, rate: null, country: null },
    startMs: Date.parse(defaultStart),
  } satisfies SimulationChoices;
}

function view(plan: SimulationPlan, report: SimulationReport, chances: readonly (string | null)[]): View {
  const { money, operator, house, pots } = report;
  const { configuration } = plan;
  return {
    currency: report.currency,
    seed: plan.seed,
    contributions: report.accepted,
    refused: { ...report.refused },
    players: plan.players,
    contributions_per_second: plan.perSecond,
    seconds: report.seconds,
    status: report.status,
    wagered: money.wagered,
    contributed: money.contributed,
    paid_to_players: money.paidToPlayers,
    in_pots: money.inPots,
    return_to_players: {
      configured: configuredReturn(configuration, null),
      simulated: part(money.paidToPlayers, money.contributed),
    },
    return_of_wagers: part(money.paidToPlayers, money.wagered),
    operator: {
      cost: operator.netCost,
      contributions: operator.contributions,
      initial_seeds: operator.initialSeeds,
      fronted: operator.fronted,
      repaid: operator.repaid,
      deficit_at_end: operator.deficitAtEnd,
      deepest_deficit: operator.worstDeficit,
      fees: operator.fees,
      diverted: house.diverted,
    },
    house: { at_end: house.atEnd },
    pots: pots.map((pot, index) => potView(pot, chances[index] ?? null, plan, money.contributed)),
  };
}

function potView(
  pot: PotReport,
  chance: string | null,
  { configuration }: SimulationPlan,
  contributed: string,
): View['pots'][number] {
  return {
    pot_id: pot.id,
    contributed: pot.contributed,
    paid: pot.paid,
    return_to_players: {
      configured: configuredReturn(configuration, pot.id),
      simulated: part(pot.paid, contributed),
    },
    wins: pot.drops,
    largest_win: pot.drops === 0 ? null : pot.largestDrop,
    first_contribution_win_chance: chance,
    reseeds: pot.reseeds.count,
    short_reseeds: pot.reseeds.short,
    fronted: pot.reseeds.fronted,
    at_end: pot.atEnd.current,
  };
}

/** Six decimals; null: of nothing. */
function part(amount: string, whole: string): string | null {
  return atomsOf(whole) === 0n ? null : shareText(atomsOf(amount), atomsOf(whole));
}

function atomsOf(text: string): bigint {
  const amount = parseAmount(text, 10n ** 30n);
  assert(amount.ok, 'a report has amounts');
  return amount.atoms;
}
