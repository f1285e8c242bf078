import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { crash } from '../../../src/lib/crash.ts';
import { heartbeatSubject, outcomeStream, querySubject, replySubject } from '../../../src/log/base/names.ts';
import { decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import type { StoredOutcome } from '../../../src/ports.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { flipBitIn, removeOldest } from '../../support/damage.ts';
import { ActorWorld, lane } from '../actor-world.ts';

const batches = 50;
const contributionsPerBatch = 120;
const patienceMs = 20_000;
let world: ActorWorld;
let gateway: LaneGateway;

beforeEach(async () => {
  world = await ActorWorld.open();
  gateway = new LaneGateway({
    log: world.log,
    bus: world.bus,
    clock: systemClock,
    random: systemRandom,
    defer: (task) => setImmediate(task),
    subjects: { reply: replySubject, query: querySubject, heartbeat: heartbeatSubject },
    lanes: 1,
    gateway: 'reader',
    report: crash,
  });
});
afterEach(async () => {
  gateway.stop();
  await world.close();
});

/** A lane with a history, its outcomes as they were stored, and its host drained. */
async function history(snapshotEveryMessages: number): Promise<readonly StoredOutcome[]> {
  const host = await world.startHost('first', { snapshotEveryMessages });
  await world.owned(host);
  await world.activeInstance();
  for (let batch = 0; batch < batches; batch += 1) {
    const commands = Array.from({ length: contributionsPerBatch }, (_, index) =>
      contribution({
        contributionId: randomBytes(16),
        idempotencyKey: randomBytes(16),
        player: `player-${index}`,
      }),
    );
    await world.reply(await world.send(commands));
  }
  await host.stop();
  const last = await world.log.lastOutcome(lane);
  const records: StoredOutcome[] = [];
  for (let sequence = 1; sequence <= last; sequence += 1)
    records.push((await world.log.readOutcome(lane, sequence)) as StoredOutcome);
  return records;
}

async function expectAnswered(records: readonly StoredOutcome[], sequences: readonly number[]) {
  for (const sequence of sequences) {
    // The server was restarted: each connection comes back in its own time.
    const found = await vi.waitFor(() => world.log.readOutcome(lane, sequence), patienceMs);
    expect(found).toBeNull();
    const stored = records[sequence - 1]!;
    const { outcomes, timestampMs } = decodeOutcomeRecord(stored.bytes);
    for (const index of [0, outcomes.length - 1]) {
      const answered = await gateway.readBack(lane, sequence, index);
      expect(answered).toMatchObject({ lane, sequence, index, timestampMs });
      expect(answered.outcome).toEqual(outcomes[index]);
    }
    const answer = await world.query({ kind: 'rebuilt_outcome', sequence, offset: 0 });
    expect(answer.kind === 'rebuilt_outcome' && Buffer.from(answer.part ?? []).toString('hex')).toBe(
      Buffer.from(stored.bytes).toString('hex'),
    );
  }
}

it.each([
  ['the empty lane', 1_000_000],
  ['a snapshot', 10],
])('repeats are answered from the commands where OUT has lost its beginning, from %s', async (_, every) => {
  const records = await history(every);
  await world.onStoppedServer(() => removeOldest(world.filesOf(outcomeStream(lane)), 20));
  const { firstSequence } = (await world.log.extents(lane)).outcomes;
  expect(firstSequence).toBe(21);
  await world.owned(await world.startHost('second'));
  await expectAnswered(records, [firstSequence - 1, 8, firstSequence - 3]);
});

it('a record whose bits were flipped is made anew, and does not stop its lane', async () => {
  const records = await history(1_000_000);
  const damaged = records[records.length - 4]!;
  await world.onStoppedServer(() => flipBitIn(world.filesOf(outcomeStream(lane)), damaged.bytes));
  const snapshots = join(world.dataDirectory, 'snapshots', String(lane));
  // Replayed from the beginning, the lane is compared with OUT at the damaged places as well.
  for (const file of await readdir(snapshots)) await writeFile(join(snapshots, file), 'torn');
  await world.owned(await world.startHost('second'));
  await expectAnswered(records, [damaged.sequence]);
});

it('what was never applied, and what the commands do not tell any more, stays unknown', async () => {
  const records = await history(1_000_000);
  const damaged = records[9]!;
  const command = (await world.log.readCommand(lane, 6))!;
  await world.onStoppedServer(async () => {
    await flipBitIn(world.filesOf(outcomeStream(lane)), damaged.bytes);
    await flipBitIn(world.commandFiles, command.bytes);
  });
  await world.owned(await world.startHost('second'));
  expect(await world.query({ kind: 'rebuilt_outcome', sequence: damaged.sequence, offset: 0 })).toEqual({
    kind: 'rebuilt_outcome',
    part: null,
    totalBytes: 0,
  });
  expect(world.alarms.join()).toMatch(/outcome_not_rebuilt: .*no message 6/);
  await expect(gateway.readBack(lane, damaged.sequence, 0)).rejects.toMatchObject({
    code: 'outcome_unknown',
  });
});
