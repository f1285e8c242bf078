import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSnapshotFiles } from '../../../src/actors/recovery/snapshots/files.ts';
import { SnapshotEncoder } from '../../../src/actors/recovery/snapshots/format.ts';
import { partsOfBytes, readInParts } from '../../../src/actors/recovery/snapshots/parts.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import { frame, unframe } from '../../../src/lib/json-chunks.ts';
import { type SnapshotName, snapshotFileName } from '../../../src/log/archive/snapshot-names.ts';
import { commandStream, outcomeStream } from '../../../src/log/base/names.ts';
import { decodeOutcomeRecord, encodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { recordHead, withLaneHead } from '../../../src/messages/codec/record-head.ts';
import { flipBitIn } from '../../support/damage.ts';
import { ActorWorld, lane } from '../actor-world.ts';
import { audit, forgeOutcomes, foundBy, play, snapshotsOf } from './audit-world.ts';

let world: ActorWorld;
/** Of the lane, oldest first. */
let snapshots: readonly SnapshotName[];
let last: number;

beforeAll(async () => {
  world = await ActorWorld.open();
  const host = await world.startHost('first');
  await world.owned(host);
  await world.activeInstance();
  await play(world, 60);
  await host.stop();
  const second = await world.startHost('second');
  await world.owned(second);
  await play(world, 60);
  await second.stop();
  snapshots = (await openSnapshotFiles(snapshotsOf(world)).list(lane)).toReversed();
  last = await world.log.lastOutcome(lane);
});
afterAll(() => world.close());

async function withFile(
  name: SnapshotName,
  change: (bytes: Buffer) => Uint8Array | Promise<Uint8Array>,
  work: () => Promise<void>,
): Promise<void> {
  const path = join(snapshotsOf(world), String(lane), snapshotFileName(name));
  const before = await readFile(path);
  await writeFile(path, await change(Buffer.from(before)));
  await work();
  await writeFile(path, before);
}

/** The same snapshot with other chunks or another head, and a checksum that fits. */
async function rewritten(
  bytes: Uint8Array,
  chunkOf: (chunk: Uint8Array) => Uint8Array,
  laneHead?: Uint8Array,
): Promise<Uint8Array> {
  const snapshot = (await readInParts(partsOfBytes(bytes)))!;
  const encoder = new SnapshotEncoder();
  const parts = [encoder.begin({ ...snapshot, laneHead: laneHead ?? snapshot.laneHead })];
  for (const chunk of [...snapshot.chunks].map(chunkOf)) parts.push(encoder.frame(chunk), chunk);
  return Buffer.concat([...parts, encoder.end()]);
}

it('finds nothing in a lane as it should be, and replays all of it', async () => {
  expect(snapshots.length).toBeGreaterThan(2);
  const result = await audit(world);
  expect(result).toMatchObject({ verified: true, complete: true, from: 1, to: last, messages: last });
  expect(result).toMatchObject({ instances: 1, findings: [], notes: [] });
  // The archive has copies of some of them.
  expect(result.snapshots).toBeGreaterThanOrEqual(snapshots.length);
  const stored = await world.log.readOutcome(lane, last);
  expect(result.head).toBe(toHex(decodeOutcomeRecord(stored!.bytes).laneHead));
});

it('has the newest messages where it has no time for all', async () => {
  let looks = 0;
  const result = await audit(world, () => {
    looks += 1;
    return looks > 1;
  });
  const from = snapshots.at(-1)!.sequence + 1;
  expect(result).toMatchObject({ verified: true, complete: false, from, to: last });
  expect(result.head).not.toBeNull();
});

it('names a snapshot of which one byte changed, and replays across it', async () => {
  const name = snapshots[1]!;
  const change = (bytes: Buffer) => {
    bytes[bytes.length >> 1]! ^= 1;
    return bytes;
  };
  await withFile(name, change, async () => {
    const result = await audit(world);
    expect(foundBy(result)).toEqual([`snapshot_torn ${name.sequence}`]);
    expect(result).toMatchObject({ verified: false, complete: true, from: 1, messages: last });
  });
});

it('names a snapshot with another lane head or other balances, whose checksum fits', async () => {
  const name = snapshots[1]!;
  await withFile(
    name,
    (bytes) => rewritten(bytes, (chunk) => chunk, new Uint8Array(32).fill(9)),
    async () => expect(foundBy(await audit(world))).toEqual([`snapshot_differs ${name.sequence}`]),
  );
  const richer = (chunk: Uint8Array): Uint8Array => {
    const { facts, payload } = unframe(chunk);
    if ((facts as { readonly type: string }).type !== 'instance') return chunk;
    const balances = new Float64Array(payload.slice().buffer);
    balances[1]! += 1;
    return frame(facts as object, new Uint8Array(balances.buffer));
  };
  await withFile(
    name,
    (bytes) => rewritten(bytes, richer),
    async () => {
      const found = foundBy(await audit(world));
      expect(found).toContain(`snapshot_differs ${name.sequence}`);
      expect(found).toContain(`books_unbalanced ${name.sequence}`);
    },
  );
});

it('names a forged record and a wrong head in OUT', async () => {
  const [forged, headless] = [20, 30];
  const originals = new Map<number, Uint8Array>();
  await forgeOutcomes(world, ({ sequence, bytes }) => {
    originals.set(sequence, bytes);
    const record = decodeOutcomeRecord(bytes);
    if (sequence === forged) return encodeOutcomeRecord({ ...record, timestampMs: record.timestampMs + 1 });
    if (sequence === headless) return withLaneHead(bytes, new Uint8Array(32).fill(1));
    return bytes;
  });
  expect(recordHead((await world.log.readOutcome(lane, headless))!.bytes)).not.toBeNull();
  expect(foundBy(await audit(world))).toEqual([`outcome_differs ${forged}`, `head_differs ${headless}`]);
  await forgeOutcomes(world, ({ sequence }) => originals.get(sequence)!);
  expect(foundBy(await audit(world))).toEqual([]);
});

it('names messages of which a bit flipped in the files of the stopped server', async () => {
  const command = (await world.log.readCommand(lane, snapshots[1]!.sequence - 3))!;
  const outcome = (await world.log.readOutcome(lane, snapshots[1]!.sequence + 4))!;
  await world.onStoppedServer(async () => {
    await flipBitIn(world.filesOf(commandStream(lane)), command.bytes);
    await flipBitIn(world.filesOf(outcomeStream(lane)), outcome.bytes);
  });
  await world.until(
    () =>
      world.log.readCommand(lane, 1).then(
        () => true,
        () => false,
      ),
    'commands can be read again',
  );
  const result = await audit(world);
  expect(foundBy(result)).toEqual([
    `commands_missing ${command.sequence}`,
    `outcomes_missing ${outcome.sequence}`,
  ]);
  expect(result.notes).toEqual([
    `the replay ends at ${command.sequence - 1}, before ${snapshots[1]!.sequence}`,
  ]);
});
