import { expect } from 'vitest';
import type { LaneEvent } from '../../../src/messages/events.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { LaneWork } from '../../../src/messages/settlements.ts';
import type { TestLane } from '../support/lane.ts';
import { accountsOf, type OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { hasLeft } from './players.ts';
import type { Json } from './rules.ts';
import type { OracleWin } from './win.ts';

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
    version: found.version,
    counter: found.eventCounter,
    switchedTo: found.switchedTo !== '',
    links: found.links,
    holds: found.house.diversionAtoms,
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
    version: expected.version,
    counter: expected.counter,
    switchedTo: expected.status === 'Switched',
    links: expected.links,
    holds: expected.accounts.diversion! + expected.accounts.diversion_pending!,
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
    const status = { optedOut: false, ...engine.optInStatus(expected.id, player.brand, player.name)! };
    expect(status).toMatchObject({
      optedIn: player.optedIn,
      optedOut: hasLeft(player),
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
      return outcome.results.map(({ win, ...result }) => ({
        ...result,
        win: win === null ? null : [win.pot, win.amountAtoms, win.withheld],
      }));
    case 'Settled':
      return outcome.contributions.map(({ sequence, index, result }) => [
        sequence,
        index,
        simplified(result),
      ]);
    case 'BulkOptedIn':
      return { ...outcome, errors: outcome.errors.map(({ row, code }) => [row, code]) };
    case 'Triggered':
      return { kind: 'Triggered', pot: outcome.pot, winAmountAtoms: outcome.winAmountAtoms };
    case 'Done':
      return 'done';
    default:
      return outcome;
  }
}
export function simplifiedOracle(outcome: Json): unknown {
  if (outcome.kind === 'Settled') {
    return outcome.contributions.map((each: Json) => [
      each.sequence,
      each.index,
      simplifiedOracle(each.result),
    ]);
  }
  if (outcome.kind !== 'Contributed') return outcome;
  return outcome.results.map((result: Json) => ({
    ...result,
    win: result.win === null ? null : [result.win.pot, result.win.win, result.win.withheld],
  }));
}

/** What a message gives others to do. */
export function simplifiedWork(work: readonly LaneWork[]): readonly unknown[] {
  return work.map(simplifiedDuty);
}

function simplifiedDuty(each: LaneWork): unknown {
  switch (each.kind) {
    case 'DebitDue': {
      const { transactionId, amountAtoms, bonusAtoms, currency, source, contributionId, batch } = each.debit;
      const shared = batch === undefined ? null : [batch.id, batch.records];
      return ['debit', transactionId, amountAtoms, bonusAtoms, currency, source, contributionId, shared];
    }
    case 'CreditDue': {
      const { transactionId, paidAtoms, source, contributionId } = each.credit;
      return ['credit', transactionId, paidAtoms, source, contributionId];
    }
    case 'CreditsDue': {
      const { kind, brand, currency, records, amountAtoms } = each.batch;
      return ['batch', `${kind}/${brand}/${currency}`, records, amountAtoms];
    }
    case 'FlushDue':
      return ['flush', each.flush.flushId, each.flush.amountAtoms];
  }
}

/** Tickets that were given numbers. */
export function simplifiedAwards(events: readonly LaneEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.kind === 'TicketsAwarded'
      ? [[event.record.brand, event.record.player, event.first, event.count]]
      : [],
  );
}

export function compareWins(events: readonly LaneEvent[], wins: readonly OracleWin[]): void {
  const found = events.flatMap((event) => (event.kind === 'Won' ? [event] : []));
  expect(
    found.map(({ winner, community, ...event }) => [
      event.pot,
      event.external,
      winner.amountAtoms,
      winner.paidAtoms,
      winner.paidCurrency,
      community.map((each) => [each.brand, each.player, each.amountAtoms, each.paidAtoms, each.paidCurrency]),
      event.seedDeficitAtoms,
      event.rateVersion,
    ]),
  ).toEqual(
    wins.map(({ main, community, ...win }) => [
      win.pot,
      win.detail.type === 'trigger',
      main.atoms,
      main.paid,
      main.paidCurrency,
      community.map((each) => [each.brand, each.name, each.atoms, each.paid, each.paidCurrency]),
      win.seedDeficit,
      win.rateVersion,
    ]),
  );
}
