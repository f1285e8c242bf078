import { randomUUID } from 'node:crypto';
import { formatAmount } from '../../src/lib/money.ts';
import { dayAt } from '../../src/reporting/base/days.ts';
import type { DailyChange, LaneBatch, PlayerChange } from '../../src/reporting/base/lane-batch.ts';
import type { RowOf } from '../../src/reporting/base/tables.ts';

/** Batches as the projection of a lane makes them: contributions of many players to ten instances. */

export const systemId = 'bench';
const players = 100_000;
const instances = 10;
const pots = { mini: 50n, major: 30n, mega: 20n } as const;
const wagerAtoms = 100_000_000n;
const contributionAtoms = 1_000_000n;
const startMs = Date.UTC(2026, 10, 1);
/** A year has 10,000,000 of them. */
const apartMs = 3_154;

/** Contributions `from` to `from + count − 1`, each a message of its own. */
export function booksBatch(from: number, count: number): LaneBatch {
  const rows = Array.from({ length: count }, (_, index) => contribution(from + index));
  const last = rows.at(-1) as RowOf<'contributions'>;
  const of = <C>(change: (row: RowOf<'contributions'>) => readonly C[]) => rows.flatMap(change);
  return {
    ...{ lane: 0, after: from === 0 ? -1 : from - 1, openings: [], rows: { contributions: rows } },
    position: { lane: 0, sequence: last.sequence, timestampMs: last.time, head: '00', systemId },
    players: of((row) => [playerChange(row)]),
    movements: of((row) =>
      Object.entries(split).map(([account, atoms]) => ({
        day: dayAt(row.time),
        instance: row.instance,
        account,
        atoms,
      })),
    ),
    dailyTotals: totalsOf(rows),
  };
}

const split: Readonly<Record<string, bigint>> = {
  player: -contributionAtoms,
  ...Object.fromEntries(
    Object.entries(pots).map(([pot, percent]) => [`${pot}.current`, (contributionAtoms * percent) / 100n]),
  ),
};
const splitTexts = Object.fromEntries(
  Object.entries(split).map(([account, atoms]) => [account, formatAmount(atoms)]),
);

function contribution(number: number): RowOf<'contributions'> {
  const brand = number % 4;
  return {
    ...{ lane: 0, sequence: number, command_index: 0, part: 0, time: startMs + number * apartMs },
    ...{ contribution_id: randomUUID(), is_link: false, made_sequence: number, made_index: 0 },
    ...{ operator: 'bench', brand: `bench:brand-${brand}`, player: playerOf(number), country: 'DE' },
    ...{
      instance: `jackpot-${number % instances}`,
      instance_sequence: number,
      epoch: 1,
      source: `game-${number % 50}`,
    },
    ...{
      game_code: null,
      game_category: null,
      source_type: null,
      gameround: `round-${number}`,
      vertical: null,
    },
    ...{ provider: null, segments: [], key_hash: randomUUID().replaceAll('-', ''), currency: 'EUR' },
    ...{ wager_amount: wagerAtoms, request_amount: contributionAtoms, debit_amount: 0n, bonus_amount: 0n },
    ...{ bonus_id: null, instance_currency: 'EUR', instance_wager_amount: wagerAtoms },
    ...{ contribution_amount: contributionAtoms, player_part: contributionAtoms, operator_part: 0n },
    ...{ rate_version: 0, tickets: 0, split: splitTexts, won_pot: null, won_amount: null },
  };
}

function totalsOf(rows: readonly RowOf<'contributions'>[]): readonly DailyChange[] {
  const counts = new Map<string, { readonly row: RowOf<'contributions'>; count: bigint }>();
  for (const row of rows) {
    const key = `${dayAt(row.time)} ${row.brand} ${row.instance}`;
    const counted = counts.get(key) ?? { row, count: 0n };
    counted.count += 1n;
    counts.set(key, counted);
  }
  return [...counts.values()].map(({ row: { time, operator, brand, instance }, count }) => ({
    ...{ day: dayAt(time), operator, brand, instance, pot: '', currency: 'EUR' },
    measures: {
      ...{ contributions: count, wagered: count * wagerAtoms },
      ...{ contributed: count * contributionAtoms, player_part: count * contributionAtoms },
    },
  }));
}

export function playerOf(number: number): string {
  return `player-${(number * 7_919) % players}`;
}

function playerChange({ time, operator, brand, player, instance }: RowOf<'contributions'>): PlayerChange {
  return {
    ...{ day: dayAt(time), operator, brand, player, instance, currency: 'EUR', wins: 0, wonAtoms: 0n },
    ...{ contributions: 1, contributedAtoms: contributionAtoms, playerAtoms: contributionAtoms },
  };
}
