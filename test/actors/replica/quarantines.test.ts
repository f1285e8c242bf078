import { describe, expect, it } from 'vitest';
import { writeQuarantine } from '../../../src/actors/replica/quarantine-writer.ts';
import { Quarantines, quarantineOf } from '../../../src/actors/replica/quarantines.ts';
import { sha256 } from '../../../src/lib/hashes.ts';
import { decodeOutcomeRecord, encodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { setBrand } from '../../jackpot/support/commands.ts';
import { SimLanes } from '../../support/sim-lanes.ts';

const why = { reason: 'test', user: 'tester' };
const garbage = new Uint8Array([9, 9, 9]);

async function owned(): Promise<SimLanes> {
  const lanes = new SimLanes(1);
  lanes.startHost();
  await lanes.until(() => lanes.host.unready() === null, 'the lanes are owned');
  return lanes;
}

/** What a promise of the simulation comes to. */
async function run<T>(lanes: SimLanes, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  promise.then(settled, settled);
  await lanes.until(() => isSettled, 'it settles');
  return promise;
}

describe('a quarantine', () => {
  it('is refused where the message happened, is missing, or is quarantined already', async () => {
    const lanes = await owned();
    const applied = lanes.send(0, [setBrand()]);
    await lanes.settled(0);
    const write = (sequence: number) => run(lanes, writeQuarantine(lanes.log, 0, sequence, why));
    expect(await write(applied)).toEqual({ kind: 'already_emitted' });
    expect(await write(applied + 100)).toEqual({ kind: 'no_such_message' });
    const poison = lanes.append(0, garbage);
    await lanes.until(() => lanes.halted(0) === 'unreadable_message', 'it halts');
    expect(await write(poison)).toMatchObject({ kind: 'written' });
    expect(await write(poison)).toEqual({ kind: 'already_quarantined' });
    await lanes.until(() => lanes.halted(0) === null, 'recovering the lane');
    await lanes.settled(0);
    expect(lanes.halted(0)).toBeNull();
    expect(await write(poison)).toEqual({ kind: 'already_quarantined' });
    expect(lanes.alarms.filter((alarm) => alarm.startsWith('lane 0 quarantined'))).toEqual([
      `lane 0 quarantined: tester quarantined message ${poison}: test`,
    ]);
    expect(lanes.alarms.filter((alarm) => alarm.startsWith('lane 1'))).toEqual([]);
  });

  it('that came too late is void: OUT is the judge, for a host that runs and for the next one', async () => {
    const lanes = await owned();
    const applied = lanes.send(0, [setBrand()]);
    await lanes.settled(0);
    const { commands } = lanes.server.lane(0);
    // As somebody writes it who looked at OUT just before the outcome was stored.
    const digest = sha256(commands[applied - 1]!.bytes);
    lanes.send(
      0,
      [{ kind: 'Quarantine', sequence: applied, sha256: digest, commands: 1, ...why }],
      'quarantine',
    );
    await lanes.settled(0);
    lanes.startHost();
    await lanes.settled(0);
    expect(lanes.halted(0)).toBeNull();
    expect((await run(lanes, Quarantines.read(lanes.log, 0))).of(commands[applied - 1]!)).toBeNull();
    const outcomes = lanes.server.lane(0).outcomes;
    expect(decodeOutcomeRecord(outcomes[applied - 1]!.bytes).outcomes).toMatchObject([{ kind: 'Done' }]);
  });

  it('that came too late holds where OUT has lost the record that made it void: the witness halts the lane', async () => {
    const lanes = await owned();
    const applied = lanes.send(0, [setBrand()]);
    await lanes.settled(0);
    const { commands, outcomes } = lanes.server.lane(0);
    const digest = sha256(commands[applied - 1]!.bytes);
    lanes.send(
      0,
      [{ kind: 'Quarantine', sequence: applied, sha256: digest, commands: 1, ...why }],
      'quarantine',
    );
    await lanes.settled(0);
    // The witness has noted what is stored.
    await lanes.world.passes(100);
    lanes.server.cutOutcomes(0, applied - 1);
    const left = outcomes.length;
    lanes.startHost();
    await lanes.settled(0);
    // The quarantine would refuse what was answered. Therefore OUT is synced like CMD (docs/decisions/0374).
    expect([lanes.halted(0), outcomes.length]).toEqual(['head_mismatch', left]);
  });

  it('of other bytes, of a message to come, or among other commands names nothing', async () => {
    const lanes = await owned();
    const poison = lanes.append(0, garbage);
    const named = {
      kind: 'Quarantine',
      sequence: poison,
      sha256: new Uint8Array(32),
      commands: 0,
      ...why,
    } as const;
    lanes.send(0, [named], 'quarantine');
    lanes.send(0, [{ ...named, sequence: poison + 1000 }], 'quarantine');
    lanes.send(0, [{ ...named, sha256: sha256(garbage) }, setBrand()], 'quarantine');
    // On another subject anybody might have sent it.
    lanes.send(0, [{ ...named, sha256: sha256(garbage) }], 'batch');
    const quarantines = await run(lanes, Quarantines.read(lanes.log, 0));
    const { commands } = lanes.server.lane(0);
    expect(quarantines.of(commands[poison - 1]!)).toBeNull();
    expect(quarantines.readTo).toBeGreaterThan(poison);
    // On the subject of batches nobody may quarantine anything.
    expect(quarantineOf(commands.at(-1)!)).toBeNull();
    await lanes.settled(0);
    expect(lanes.halted(0)).toBe('unreadable_message');
  });

  it('is followed by a host that had applied the message and stored nothing of it', async () => {
    const lanes = await owned();
    await lanes.settled(0);
    const { commands, outcomes } = lanes.server.lane(0);
    // OUT holds nothing new while this goes on: the host keeps what it applied.
    const append = lanes.server.appendBlock.bind(lanes.server);
    lanes.server.appendBlock = (lane, first, records) =>
      lane === 0 ? { kind: 'wrong_last_sequence', last: outcomes.length } : append(lane, first, records);
    const applied = lanes.send(0, [setBrand({ provider: 'other' })]);
    await lanes.until(() => lanes.host.statuses()[0]!.appliedSequence >= applied, 'it is applied');
    expect(await run(lanes, writeQuarantine(lanes.log, 0, applied, why))).toMatchObject({ kind: 'written' });
    await lanes.world.passes(3_000);
    lanes.server.appendBlock = append;
    await lanes.settled(0);
    expect(lanes.halted(0), lanes.alarms.join()).toBeNull();
    const record = decodeOutcomeRecord(outcomes[applied - 1]!.bytes);
    expect(record.outcomes).toEqual([{ kind: 'Refused', code: 'internal_error', message: 'quarantined' }]);
    expect(outcomes).toHaveLength(commands.length);
    const replica = await lanes.replayed(0);
    const last = decodeOutcomeRecord(outcomes.at(-1)!.bytes);
    expect(encodeOutcomeRecord(last)).toEqual(outcomes.at(-1)!.bytes);
    expect(last.laneHead).toEqual(replica.laneHead);
  });
});
