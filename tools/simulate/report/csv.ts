import type { PotReport, SimulationReport } from '../../../src/simulation/report.ts';
import type { Spread } from '../../../src/simulation/statistics.ts';

type Cell = string | number | null;

const spreadNames = ['mean', 'least', 'p5', 'p25', 'p50', 'p75', 'p95', 'most'] as const;

/** One row for each pot, all figures; RFC 4180. Money in units of the jackpot's currency, time in seconds. */
export function reportCsv(report: SimulationReport): string {
  const rows = report.pots.map((pot) => cellsOf(report, pot));
  const header = Object.keys(rows[0] ?? {});
  const lines = [header, ...rows.map((row) => Object.values(row))];
  return lines.map((cells) => `${cells.map(text).join(',')}\r\n`).join('');
}

function cellsOf(report: SimulationReport, pot: PotReport): Readonly<Record<string, Cell>> {
  return {
    template: report.name,
    seed: report.choices.seed,
    contributions: report.accepted,
    currency: report.currency,
    pot: pot.id,
    triggers: pot.triggers.join('+'),
    contributed: pot.contributed,
    contributed_share: pot.contributedShare,
    paid: pot.paid,
    rtp_of_contributions: pot.rtp,
    drops: pot.drops,
    expected_hits: pot.expectedHits,
    void_hits: pot.voids,
    drawn: pot.drawn,
    blocked: pot.blocked,
    hit_frequency: pot.frequency.perContribution,
    hit_frequency_low: pot.frequency.bounds.low,
    hit_frequency_high: pot.frequency.bounds.high,
    ...spreadCells('value', pot.valueAtDrop),
    ...spreadCells('seconds', pot.secondsBetweenDrops),
    ...spreadCells('contributions_between', pot.contributionsBetweenDrops),
    reseeds: pot.reseeds.count,
    reseeds_short: pot.reseeds.short,
    reseeds_short_share: pot.reseeds.shortShare,
    reseeds_short_low: pot.reseeds.bounds.low,
    reseeds_short_high: pot.reseeds.bounds.high,
    fronted: pot.reseeds.fronted,
    fronted_largest: pot.reseeds.largest,
    end_current: pot.atEnd.current,
    end_seed: pot.atEnd.seed,
    end_overflow: pot.atEnd.overflow,
    house_at_end: report.house.atEnd,
    operator_net_cost: report.operator.netCost,
  };
}

function spreadCells(name: string, spread: Spread | null): Record<string, Cell> {
  return Object.fromEntries(
    spreadNames.map((each) => [`${name}_${each}`, spread === null ? null : spread[each]]),
  );
}

function text(cell: Cell): string {
  const plain = cell === null ? '' : String(cell);
  // A cell that a spreadsheet would take for a formula is a text.
  const safe = typeof cell === 'string' && /^[=+@\t]|^-\D/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
