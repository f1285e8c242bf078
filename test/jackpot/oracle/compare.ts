import { expect } from 'vitest';
import type { CommandOutcome, LaneEvent } from '../../../src/jackpot/outcomes.ts';
import type { TestLane } from '../support/lane.ts';
import { accountsOf, type OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';

/** Takes what the engine hashes into the heads of its instances: a difference there says more than one of heads. */
export class Hashed {
  readonly #made = new Map<string, unknown[]>();

  constructor(lane: TestLane) {
    lane.recorder = {
      group: ({ instance, firstSequence, inputs, bytes, details }) =>
        this.#add(instance, {
          firstSequence,
          inputs: Buffer.from(inputs).toString('hex'),
          records: Buffer.from(bytes).toString('hex'),
          details,
        }),
    };
  }

  compare(events: readonly LaneEvent[], instances: Iterable<OracleInstance>): void {
    for (const event of events) {
      if (event.kind === 'EpochStarted') this.#add(event.instance, JSON.parse(event.header));
    }
    for (const { id, made } of instances) {
      expect(headersLast(this.#made.get(id) ?? []), id).toEqual(headersLast(made));
    }
    this.#made.clear();
  }

  #add(instance: string, made: unknown): void {
    this.#made.set(instance, [...(this.#made.get(instance) ?? []), made]);
  }
}

/** Headers come as events, behind the groups of the message. */
function headersLast(made: readonly unknown[]): readonly unknown[] {
  const isHeader = (each: unknown) => Object.hasOwn(each as object, 'config_hash');
  return [...made.filter((each) => !isHeader(each)), ...made.filter(isHeader)];
}

/** Everything that the two know of an instance; `players`: of its players too. */
export function compareInstance(
  lane: TestLane,
  oracle: OracleLane,
  expected: OracleInstance,
  players = true,
): void {
  const { engine } = lane;
  expect(lane.accounts(expected.id)).toEqual(accountsOf(expected));
  const found = engine.describe(expected.id)!;
  expect({
    id: expected.id,
    status: found.status,
    sequence: found.sequence,
    deficit: found.house.seedDeficitAtoms,
    total: found.totalContributions,
    house: found.house.totalContributions,
    pots: found.pots.map((pot) => [
      pot.enabled,
      pot.instanceCount,
      pot.contributedAtoms,
      pot.contributedSeedAtoms,
      pot.totalContributions,
      pot.initialCostAtoms,
    ]),
    head: Buffer.from(found.head).toString('hex'),
  }).toEqual({
    id: expected.id,
    status: expected.status,
    sequence: expected.sequence,
    deficit: expected.deficit,
    total: expected.total,
    house: expected.houseCount,
    pots: expected.pots.map((pot) => [
      pot.enabled,
      pot.cycle,
      pot.contributed,
      pot.contributedSeed,
      pot.count,
      pot.initialCost,
    ]),
    head: Buffer.from(expected.head).toString('hex'),
  });
  if (!players) return;
  for (const player of oracle.players.of(expected.id)) {
    const status = engine.optInStatus(expected.id, player.brand, player.name)!;
    expect(status).toMatchObject({
      optedIn: player.optedIn,
      contributionCount: player.count,
      contributionAtoms: player.value,
      preferences: player.byCurrency.flatMap(([code, value]) => (value === null ? [] : [[code, value]])),
      pots: expected.pots.map((pot) => [pot.id, ...(player.pots.get(pot.id) ?? [0, 0n])]),
    });
  }
}

export function simplified(outcome: CommandOutcome): unknown {
  switch (outcome.kind) {
    case 'Refused':
      return outcome.code;
    case 'Contributed':
      return outcome.results.map(({ win, tickets: _, ...result }) => ({
        ...result,
        win: win === null ? null : [win.pot, win.amountAtoms, win.withheld],
      }));
    case 'Triggered':
      return { kind: 'Triggered', pot: outcome.pot, winAmountAtoms: outcome.winAmountAtoms };
    case 'Done':
      return 'done';
    default:
      return outcome;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the oracle's outcomes are plain values.
export function simplifiedOracle(outcome: any): unknown {
  if (outcome.kind !== 'Contributed') return outcome;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return outcome.results.map((result: any) => ({
    ...result,
    win: result.win === null ? null : [result.win.pot, result.win.win, result.win.withheld],
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
export function compareWins(events: readonly LaneEvent[], outcomes: readonly any[]): void {
  const found = events.flatMap((event) => (event.kind === 'Won' && !event.external ? [event] : []));
  const wins = outcomes.flatMap((outcome) =>
    outcome.kind === 'Contributed'
      ? // biome-ignore lint/suspicious/noExplicitAny: as above.
        outcome.results.flatMap((result: any) => (result.win === null ? [] : [result.win]))
      : [],
  );
  expect(
    found.map((e) => [
      e.pot,
      e.winner.paidAtoms,
      e.winner.paidCurrency,
      e.community.map((each) => [
        each.brand,
        each.player,
        each.amountAtoms,
        each.paidAtoms,
        each.paidCurrency,
      ]),
      e.seedDeficitAtoms,
      e.rateVersion,
    ]),
  ).toEqual(
    wins.map((win) => [
      win.pot,
      win.main.paid,
      win.main.paidCurrency,
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      win.community.map((each: any) => [each.brand, each.name, each.atoms, each.paid, each.paidCurrency]),
      win.seedDeficit,
      win.rateVersion,
    ]),
  );
}
