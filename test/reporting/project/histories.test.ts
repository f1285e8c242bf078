import { describe, expect, it } from 'vitest';
import { parseAmount } from '../../../src/lib/money.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { LaneBatch, WrittenTable } from '../../../src/reporting/base/lane-batch.ts';
import { LaneFacts } from '../../../src/reporting/project/facts.ts';
import { Projection } from '../../../src/reporting/project/project.ts';
import { Random } from '../../jackpot/mixed/random.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { ProjectedLane, testSystem } from '../support/booked-lane.ts';

const commandsOfHistory = 1500;
const seeds = [1, 2, 3, 4];

/** A random history of every kind of command, and what it brings message by message. */
function historyOf(seed: number): ProjectedLane {
  const run = new MixedRun(seed);
  run.apply(run.begin());
  while (run.commands < commandsOfHistory) run.apply(run.next());
  const lane = new ProjectedLane();
  for (const message of run.lane.log) lane.take(lane.booked.apply(message));
  return lane;
}

describe.each(seeds)('the rows of random history %i', (seed) => {
  const lane = historyOf(seed);
  const { messages, batches, engine } = lane;
  const outcomes = messages.flatMap(({ outcome }) => outcome.outcomes);

  it('have every contribution once, with amounts that add up', () => {
    const rows = lane.rows('contributions');
    expect(rows.length).toBeGreaterThan(100);
    const applied = rows.map(({ instance, instance_sequence }) => `${instance} ${instance_sequence}`);
    expect(new Set(applied).size).toBe(rows.length);
    for (const answered of outcomes.flatMap(answersOf)) expect(applied).toContain(answered);
    for (const row of rows) {
      expect(row.player_part + row.operator_part).toBe(row.contribution_amount);
      expect(sumOf(Object.values(row.split as object))).toBe(0n);
    }
  });

  it('have no two at one place of a table', () => {
    const tables = Object.keys(batches[0]!.rows) as WrittenTable[];
    const placed = tables.filter((table) => !['instances', 'payments', 'opt_ins'].includes(table));
    for (const table of placed) {
      const rows = lane.rows(table) as readonly { [column: string]: unknown }[];
      const places = rows.map(({ sequence, command_index, part }) => `${sequence} ${command_index} ${part}`);
      expect([table, new Set(places).size]).toEqual([table, rows.length]);
    }
  });

  it('move the accounts to where the lane has them', () => {
    const moved = new Map<string, bigint>();
    for (const { instance, account, atoms } of batches.flatMap(({ movements }) => movements))
      add(moved, `${instance} ${account}`, atoms);
    const posted = new Map<string, bigint>();
    for (const { instance, split } of [...lane.rows('contributions'), ...lane.rows('entries')])
      for (const [account, text] of Object.entries(split as Record<string, string>))
        add(posted, `${instance} ${account}`, atomsOf(text));
    const accounts = new Map<string, bigint>();
    for (const instance of engine.instances())
      for (const [account, atoms] of engine.accounts(instance)!)
        add(accounts, `${instance} ${account}`, atoms);
    expect(nonZero(moved)).toEqual(nonZero(accounts));
    expect(nonZero(posted)).toEqual(nonZero(accounts));
  });

  it('are summed up by day as the outside accounts have them', () => {
    const totals = batches.flatMap(({ dailyTotals }) => dailyTotals);
    for (const instance of engine.instances()) {
      const own = totals.filter((total) => total.instance === instance && total.pot === '');
      const sum = (measure: keyof (typeof own)[number]['measures']) =>
        own.reduce((all, { measures }) => all + (measures[measure] ?? 0n), 0n);
      const accounts = new Map(engine.accounts(instance)!);
      expect({
        operator_fee: sum('fees'),
        adjustment: -sum('adjusted'),
        transfer: -sum('transferred'),
        fx: sum('fx'),
      }).toEqual({
        operator_fee: accounts.get('operator_fee'),
        adjustment: accounts.get('adjustment'),
        transfer: accounts.get('transfer'),
        fx: accounts.get('fx'),
      });
      const liability = accounts.get('player')! + sum('player_part') + accounts.get('win_liability')!;
      expect(sum('won') - sum('fx')).toBe(liability);
      expect(sum('contributed')).toBe(sum('player_part') + sum('operator_part'));
      const rows = lane.rows('contributions').filter((row) => row.instance === instance);
      expect(sum('contributions')).toBe(BigInt(rows.length));
    }
  });

  it('have each payment as the lane has it in the end', () => {
    const last = new Map(lane.rows('payments').map((row) => [row.transaction_id, row]));
    const open = [...engine.openDebits(0, 10_000), ...engine.openCredits(0, 10_000, [], '')];
    const isOpen = ({ state }: { readonly state: string }) =>
      ['pending', 'debited', 'withheld', 'unknown', 'dead'].includes(state);
    const flushes = engine.openFlushes(0, 1000).map(({ flushId }) => flushId);
    expect(
      [...last.values()]
        .filter(isOpen)
        .map(({ transaction_id }) => transaction_id)
        .toSorted(),
    ).toEqual([...open.map(({ transactionId }) => transactionId), ...flushes].toSorted());
  });

  it('are the same wherever a process begins again', () => {
    const random = new Random(seed);
    const again = new ProjectedLane();
    const cut: LaneBatch[] = [];
    let projection = new Projection(new LaneFacts());
    let after = -1;
    for (const { sequence, timestampMs, batch } of messages) {
      projection.add(again.booked.apply({ sequence, timestampMs, commands: batch.commands }));
      if (!random.once(7)) continue;
      cut.push(projection.batch(after, testSystem));
      after = sequence;
      projection = new Projection(new LaneFacts());
    }
    if (!projection.isEmpty) cut.push(projection.batch(after, testSystem));
    for (const table of Object.keys(batches[0]!.rows) as WrittenTable[])
      expect(cut.flatMap(({ rows }): readonly object[] => rows[table] ?? [])).toEqual(lane.rows(table));
    expect(balancesOf(cut)).toEqual(balancesOf(batches));
    expect(cut.map((batch) => batch.after)).toEqual(
      [-1, ...cut.map(({ position }) => position.sequence)].slice(0, -1),
    );
  });
});

/** The rows of balances that batches make, also where they leave one as it was. */
function balancesOf(batches: readonly LaneBatch[]): readonly string[] {
  const rows = batches.flatMap(({ movements }) =>
    movements.map(({ day, instance, account }) => `${day} ${instance} ${account}`),
  );
  return [...new Set(rows)].toSorted();
}

function answersOf(outcome: CommandOutcome): readonly string[] {
  if (outcome.kind === 'Contributed')
    return outcome.results.map(({ instance, sequence }) => `${instance} ${sequence}`);
  if (outcome.kind !== 'Settled') return [];
  return outcome.contributions.flatMap(({ result }) => answersOf(result));
}

function add(sums: Map<string, bigint>, key: string, atoms: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + atoms);
}

function nonZero(sums: ReadonlyMap<string, bigint>) {
  return Object.fromEntries([...sums].filter(([, atoms]) => atoms !== 0n).toSorted());
}

function sumOf(texts: readonly string[]): bigint {
  return texts.reduce((sum, text) => sum + atomsOf(text), 0n);
}

function atomsOf(text: string): bigint {
  const parsed = parseAmount(text, 10n ** 40n);
  if (!parsed.ok) throw new Error(`not an amount: ${text}`);
  return parsed.atoms;
}
