import { expect } from 'vitest';
import type { Command, InstanceConfigurationDocument } from '../../../src/jackpot/commands.ts';
import type { CommandOutcome, LaneEvent } from '../../../src/jackpot/outcomes.ts';
import { createInstance, openEpoch, seedOf, setBrand, setRates, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { type Step, tables } from './histories.ts';
import { accountsOf, type OracleInstance } from './instance.ts';
import { OracleLane } from './lane.ts';

const settings = { epochMs: 10_000_000, epochSequences: 25 };
const ids = ['jackpot', 'second'] as const;

/** The engine and the oracle, fed the same messages and compared after each. */
export class Pair {
  readonly lane = new TestLane(settings);
  readonly oracle = new OracleLane(settings);
  readonly #configurations: readonly (readonly InstanceConfigurationDocument[])[];
  #configured = 0;
  #sequence = 0;

  constructor(
    ...pairs: readonly (readonly [InstanceConfigurationDocument, InstanceConfigurationDocument])[]
  ) {
    this.#configurations = pairs;
    this.#apply([
      setRates(tables[0]!),
      setBrand(),
      setBrand({ brand: 'op:other', salt: new Uint8Array(32).fill(9) }),
      ...ids.map((instance, i) => createInstance(pairs[i]![0], { instance })),
      ...ids.map((instance) => openEpoch(instance, 0, [0, 1, 2])),
      { kind: 'SetLinks', instance: 'jackpot', links: ['second'], user: '', expectedVersion: null },
      { kind: 'SetSegment', owner: 'op', segment: 'vip', priority: 1 },
      { kind: 'SetSegment', owner: 'op:main', segment: 'new', priority: 1 },
      ...ids.map((instance) => setStatus('Active', instance)),
      { kind: 'Bind', of: 'source', owner: 'op', ids: ['slot'], instance: 'second', priority: null },
    ]);
  }

  step({ afterMs, commands }: Step): void {
    this.lane.nowMs += afterMs;
    this.#apply(commands.map((command) => (command === 'configure' ? this.#configure() : command)));
    for (const { instance, open, reveal } of this.lane.engine.epochDuties(this.lane.nowMs)) {
      const reveals = reveal.map(
        ({ epoch }) => ({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) }) as const,
      );
      if (open !== null) this.#apply([openEpoch(instance, open.epoch, open.commit), ...reveals]);
      else this.#apply(reveals);
    }
  }

  #configure(): Command {
    this.#configured += 1;
    const which = this.#configured % 2;
    const configuration = this.#configurations[which]![(this.#configured >> 1) % 2 === 0 ? 1 : 0]!;
    return {
      kind: 'SetParameters',
      instance: ids[which]!,
      configuration,
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    };
  }

  #apply(commands: readonly Command[]): void {
    const { outcomes, events, timestampMs } = this.lane.apply(...commands);
    this.#sequence += 1;
    const expected = this.oracle.apply(this.#sequence, timestampMs, commands);
    expect(outcomes.map(simplified)).toEqual(expected.map(simplifiedOracle));
    compareWins(events, expected);
    for (const id of ids) this.#compare(this.oracle.instances.get(id)!);
  }

  #compare(expected: OracleInstance): void {
    const { engine } = this.lane;
    expect(this.lane.accounts(expected.id)).toEqual(accountsOf(expected));
    const found = engine.describe(expected.id)!;
    expect({
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
    for (const player of this.oracle.players.of(expected.id)) {
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
}

function simplified(outcome: CommandOutcome): unknown {
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
function simplifiedOracle(outcome: any): unknown {
  if (outcome.kind !== 'Contributed') return outcome;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  return outcome.results.map((result: any) => ({
    ...result,
    win: result.win === null ? null : [result.win.pot, result.win.win, result.win.withheld],
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
function compareWins(events: readonly LaneEvent[], outcomes: readonly any[]): void {
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
