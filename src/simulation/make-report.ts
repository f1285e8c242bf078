import type { LaneEngine } from '../jackpot/lane/lane.ts';
import { formatAmount } from '../lib/money.ts';
import type { SimulationChoices, Template } from './choices.ts';
import { type Collector, type PotCollection, units } from './collector.ts';
import type { PotReport, SimulationReport } from './report.ts';
import type { Sampler } from './sampler.ts';
import { spreadOf, wilson } from './statistics.ts';
import { instanceId } from './virtual-lane.ts';

export interface Totals {
  accepted: number;
  readonly refused: Record<string, number>;
  wageredAtoms: bigint;
  contributedAtoms: bigint;
}

export function makeReport(
  template: Template,
  choices: SimulationChoices,
  wagerCurrency: string,
  engine: LaneEngine,
  collector: Collector,
  sampler: Sampler,
  totals: Totals,
  endMs: number,
): SimulationReport {
  const found = engine.describe(instanceId)!;
  const accounts = new Map(engine.accounts(instanceId)!);
  const account = (name: string) => accounts.get(name) ?? 0n;
  const contributed = units(totals.contributedAtoms);
  const paidAtoms = collector.pots.reduce((sum, pot) => sum + pot.paidAtoms, 0n);
  const inPots = found.pots.reduce(
    (sum, pot) =>
      sum + pot.currentAtoms + pot.seedAtoms + pot.surplusAtoms + pot.overflowAtoms + pot.carryAtoms,
    0n,
  );
  const initialAtoms = found.pots.reduce((sum, pot) => sum + pot.initialCostAtoms, 0n);
  const frontedAtoms = collector.pots.reduce((sum, pot) => sum + pot.frontedAtoms, 0n);
  const repaidAtoms = frontedAtoms - found.house.seedDeficitAtoms;
  const outlayAtoms = -account('operator_capital');
  const operatorAtoms = outlayAtoms - initialAtoms - frontedAtoms + repaidAtoms;
  const { series } = sampler;
  const rate = wagerCurrency === template.configuration.currency ? 1 : Number(choices.rate ?? '1');
  return {
    name: template.name,
    description: template.description,
    currency: template.configuration.currency,
    type: template.configuration.jackpot_type,
    warnings: template.warnings,
    choices: {
      contributions: choices.contributions,
      seed: choices.seed,
      stakes: choices.stakes.map(({ atoms, weight }) => `${formatAmount(atoms)}:${weight}`).join(','),
      players: choices.players,
      contributionsPerSecond: choices.perSecond,
      wagerCurrency,
      rate: choices.rate,
    },
    accepted: totals.accepted,
    refused: totals.refused,
    status: found.status,
    seconds: (endMs - choices.startMs) / 1000,
    money: {
      wagered: formatAmount(totals.wageredAtoms),
      contributed: formatAmount(totals.contributedAtoms),
      byPlayers: formatAmount(totals.contributedAtoms - operatorAtoms),
      byOperator: formatAmount(operatorAtoms),
      paidToPlayers: formatAmount(paidAtoms),
      inPots: formatAmount(inPots),
      fees: formatAmount(account('operator_fee')),
    },
    rtp: {
      ofContributions: ratio(units(paidAtoms), contributed),
      ofWagers: ratio(units(paidAtoms) * rate, units(totals.wageredAtoms)),
    },
    pots: found.pots.map((pot, index) => ({
      ...potFigures(collector.pots[index]!, collector, index, totals, choices.startMs, template),
      id: pot.pot,
      contributed: formatAmount(pot.contributedAtoms),
      contributedShare: ratio(units(pot.contributedAtoms), contributed),
      rtp: ratio(units(collector.pots[index]!.paidAtoms), contributed),
      atEnd: {
        current: formatAmount(pot.currentAtoms),
        seed: formatAmount(pot.seedAtoms),
        overflow: formatAmount(pot.overflowAtoms),
      },
    })),
    house: {
      atEnd: formatAmount(found.house.currentAtoms),
      least: least(series.house),
      most: most(series.house),
      diverted: formatAmount(account('diversion') + account('diversion_pending') + account('external')),
    },
    operator: {
      contributions: formatAmount(operatorAtoms),
      initialSeeds: formatAmount(initialAtoms),
      fronted: formatAmount(frontedAtoms),
      repaid: formatAmount(repaidAtoms),
      deficitAtEnd: formatAmount(found.house.seedDeficitAtoms),
      worstDeficit: formatAmount(sampler.deepestDeficitAtoms),
      deficitOpenShare: sampler.deficitOpenShare,
      fees: formatAmount(account('operator_fee')),
      netCost: formatAmount(outlayAtoms - account('operator_fee')),
    },
    series,
  };
}

function potFigures(
  pot: PotCollection,
  collector: Collector,
  index: number,
  { accepted }: Totals,
  startMs: number,
  { configuration }: Template,
): Omit<PotReport, 'id' | 'contributed' | 'contributedShare' | 'rtp' | 'atEnd'> {
  const { blocked, drawn, expected, voids } = collector.draws.pots[index]!;
  const seconds = pot.drops.map(({ atMs }, drop) => (atMs - (pot.drops[drop - 1]?.atMs ?? startMs)) / 1000);
  const between = pot.drops.map(
    ({ atContribution }, drop) => atContribution - (pot.drops[drop - 1]?.atContribution ?? 0),
  );
  const values = pot.drops.map(({ value }) => value);
  const types = (configuration.pots[index]!.pot_types ?? []) as readonly object[];
  const isRaffle = configuration.jackpot_type === 'Raffle';
  return {
    triggers: isRaffle ? ['Raffle'] : types.map((type) => Object.keys(type)[0]!),
    paid: formatAmount(pot.paidAtoms),
    drops: pot.dropCount,
    largestDrop: formatAmount(pot.largestAtoms),
    voids,
    blocked,
    drawn,
    expectedHits: isRaffle ? null : expected,
    frequency: {
      perContribution: ratio(pot.dropCount, accepted),
      bounds: wilson(pot.dropCount, Math.max(accepted, pot.dropCount)),
    },
    valueAtDrop: spreadOf(values),
    secondsBetweenDrops: spreadOf(seconds),
    contributionsBetweenDrops: spreadOf(between),
    reseeds: {
      count: pot.reseeds,
      short: pot.shortReseeds,
      shortShare: ratio(pot.shortReseeds, pot.reseeds),
      bounds: wilson(pot.shortReseeds, pot.reseeds),
      fronted: formatAmount(pot.frontedAtoms),
      largest: pot.maxFronted,
    },
    everyDrop: { values, seconds },
  };
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function least(values: readonly number[]): number {
  return values.reduce((found, value) => Math.min(found, value), Number.POSITIVE_INFINITY);
}

function most(values: readonly number[]): number {
  return values.reduce((found, value) => Math.max(found, value), Number.NEGATIVE_INFINITY);
}
