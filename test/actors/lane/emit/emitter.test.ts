import { expect, it } from 'vitest';
import { Emitter } from '../../../../src/actors/lane/emit/emitter.ts';
import { firstLaneHead, Replica } from '../../../../src/actors/replica/replica.ts';
import { journalOpener } from '../../../../src/log/lanes/outcome-journal.ts';
import { encodeCommandBatch } from '../../../../src/messages/codec/codec.ts';
import { setBrand } from '../../../jackpot/support/commands.ts';
import { engines, hashing, lane } from '../../../sim/sim-system.ts';
import { SimServer } from '../../../support/sim-server.ts';
import { SimWorld } from '../../../support/sim-world.ts';

const restMs = 5_000;

it.each([
  ['OUT is ahead of it', 1, 3, 0],
  ['a heartbeat said more than the answer for OUT’s last record', 3, 1, 3],
])('an owner stores what comes behind OUT, once, where %s', async (_, applied, lastOutcome, beat) => {
  const world = new SimWorld(1);
  const server = new SimServer(world, 1);
  const { commands, outcomes } = server.lane(lane);
  for (const name of ['one', 'two', 'three', 'four']) {
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: '', commands: [setBrand()] });
    server.appendCommand(lane, 'control', bytes, name);
  }
  const later = newReplica();
  const records = commands.map((stored) => later.apply(stored));
  for (const { sequence, routing, record } of records.slice(0, 3))
    server.appendOutcome(lane, sequence, routing, record);

  const { log, bus, clock } = server.connect('host');
  const replica = newReplica();
  const failures: Error[] = [];
  const emitter = new Emitter(
    replica,
    { bus, clock, openJournal: journalOpener(log, clock) },
    0,
    (error) => void failures.push(error),
    () => {},
  );
  for (const stored of commands.slice(0, applied)) emitter.accept(replica.apply(stored));
  emitter.trim(beat);
  emitter.begin(lastOutcome);
  for (const stored of commands.slice(applied)) emitter.accept(replica.apply(stored));

  await world.until(() => emitter.storedOutcome === 4, restMs, 'the fourth record');
  expect(failures).toEqual([]);
  expect(outcomes.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
    records.map(({ record }) => Buffer.from(record).toString('hex')),
  );
});

function newReplica(): Replica {
  return new Replica(lane, engines.create(), hashing, firstLaneHead);
}
