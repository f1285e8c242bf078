import { expect } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { createInstance, openEpoch, seedOf, setBrand, setRates, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { compareInstance, compareWins, simplified, simplifiedOracle } from './compare.ts';
import { type Step, tables } from './histories.ts';
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
      ...ids.map((instance, i) =>
        createInstance(pairs[i]![0], { instance, gameCode: i === 0 ? 'game-1' : '' }),
      ),
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
    for (const { instance, open, reveal } of this.lane.engine.epochTasks()) {
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
    compareWins(events, this.oracle.won);
    for (const id of ids) compareInstance(this.lane, this.oracle, this.oracle.instances.get(id)!);
  }
}
