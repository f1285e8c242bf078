import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActorHost } from '../../../src/actors/lane/actor-host.ts';
import { recoverLane } from '../../../src/actors/recovery/recover-lane.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { OtherSnapshotVersion } from '../../../src/jackpot/lane/snapshots/restore.ts';
import { decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../src/messages/queries.ts';
import type { FollowHandlers, Log, StoredCommand } from '../../../src/ports.ts';
import { brand, contribution, createInstance, setStatus } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld, hex, lane } from '../actor-world.ts';

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** Contributions that differ in player and key. */
function contributions(count: number, from = 0): Command[] {
  return Array.from({ length: count }, (_, index) =>
    contribution({
      contributionId: randomBytes(16),
      player: `player-${(from + index) % 17}`,
      idempotencyKey: keyOf(from + index),
    }),
  );
}

function keyOf(number: number): Uint8Array {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(number, 12);
  return key;
}

/** The engine's state from the log alone: every command applied by a replica that emits nothing. */
async function folded(): Promise<{ readonly replica: Replica; readonly heads: Map<number, string> }> {
  const ports = world.ports(world.log, world.bus);
  const replica = new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead);
  const heads = new Map<number, string>();
  const last = await world.log.lastCommand(lane);
  for (let sequence = 1; sequence <= last; sequence += 1) {
    const stored = await world.log.readCommand(lane, sequence);
    replica.apply(stored!);
    heads.set(sequence, hex(replica.laneHead));
  }
  return { replica, heads };
}

/** OUT is CMD, one to one: as many records, the same sequences, the heads of a replay. */
async function expectJournalIsTheFold(): Promise<void> {
  // Owners write of their own accord, too: again where a message came while the log was read.
  const heads = await vi.waitFor(
    async () => {
      await world.outcomesStored();
      const replayed = (await folded()).heads;
      expect(await world.log.lastOutcome(lane)).toBe(replayed.size);
      return replayed;
    },
    { timeout: 30_000, interval: 100 },
  );
  for (const [sequence, head] of heads) {
    const record = decodeOutcomeRecord((await world.log.readOutcome(lane, sequence))!.bytes);
    expect(record.sequence).toBe(sequence);
    expect(hex(record.laneHead)).toBe(head);
  }
}

async function accountsOf(instance = 'jackpot') {
  const answer = await reached({ kind: 'accounts', instance }, await world.log.lastCommand(lane));
  if (answer.kind !== 'accounts') throw new Error(JSON.stringify(answer));
  return answer;
}

/** Asked until the lane has reached the message or the revision: each question waits a while for it, and is refused then. */
async function reached(query: LaneQuery, minSequence = 0): Promise<LaneQueryAnswer> {
  for (;;) {
    const answer = await world.query(query, minSequence);
    if (answer.kind !== 'refused' || answer.code !== 'overloaded') return answer;
  }
}

const directoryAt = (revision: number) => reached({ kind: 'directory', revision });

/** A host that took several snapshots and is stopped. */
async function leaveSnapshots(): Promise<void> {
  const first = await world.startHost('first', { snapshotEveryMessages: 10 });
  await world.owned(first);
  await world.activeInstance();
  for (let batch = 0; batch < 40; batch += 1)
    await world.reply(await world.send(contributions(5, batch * 5)));
  await first.stop();
}

/** Live answers equal the fold of the log, to the atom and the byte. */
async function expectLiveIsTheFold(): Promise<void> {
  const live = await accountsOf();
  const { replica } = await folded();
  expect(live.accounts).toEqual(replica.engine.accounts('jackpot'));
  expect(hex(live.head)).toBe(hex(replica.engine.liveValues('jackpot')!.head));
  expect(live.accounts.reduce((sum, [, atoms]) => sum + atoms, 0n)).toBe(0n);
}

describe('a lane with one owner', () => {
  let host: ActorHost;
  beforeEach(async () => {
    host = await world.startHost('one');
    await world.owned(host);
  });

  it('answers a creation only when the instance may become Active, and contributions in order', async () => {
    await world.activeInstance();
    const reply = await world.reply(await world.send(contributions(20)));
    expect(reply.outcomes.map((outcome) => outcome.kind)).toEqual(Array(20).fill('Contributed'));
    expect(reply.allLiveValues).toMatchObject([{ instance: 'jackpot', sequence: 20, status: 'Active' }]);
    await expectJournalIsTheFold();
    await expectLiveIsTheFold();
  });

  it('answers a refused creation at once', async () => {
    const broken = { ...threePots(), pots: [] };
    const reply = await world.reply(await world.send([createInstance(broken)]));
    expect(reply.outcomes).toMatchObject([{ kind: 'Refused' }]);
  });

  it('applies a batch once that is stored twice under its id, and a key once under many', async () => {
    await world.activeInstance();
    const first = await world.send(contributions(10));
    await world.reply(first);
    const again = await world.send(contributions(10), first.batchId);
    expect(again).toMatchObject({ duplicate: true, sequence: first.sequence });
    const repeated = await world.reply(await world.send(contributions(10)));
    expect(repeated.outcomes).toEqual(
      Array.from({ length: 10 }, (_, index) => ({ kind: 'Duplicate', sequence: first.sequence, index })),
    );
    expect((await accountsOf()).sequence).toBe(10);
  });

  it('refuses questions about a future that does not come, and answers those that it reaches', async () => {
    await world.activeInstance();
    const askAhead = async (sent: number): Promise<LaneQueryAnswer> => {
      const next = (await world.log.lastCommand(lane)) + 1;
      const waiting = world.query({ kind: 'instances', ids: ['jackpot'] }, next);
      await world.send(contributions(1, sent));
      return waiting;
    };
    let answer = await askAhead(0);
    let sent = 1;
    // A question waits two seconds, in which a busy machine may store nothing.
    for (; answer.kind === 'refused' && sent < 5; sent += 1) answer = await askAhead(sent);
    expect(answer).toMatchObject({ kind: 'instances', instances: [{ totalContributions: sent }] });
    const last = await world.log.lastCommand(lane);
    const tooFar = await world.query({ kind: 'instances', ids: [] }, last + 1000);
    expect(tooFar).toMatchObject({ kind: 'refused', code: 'overloaded' });
  });

  it('gives the whole state in pages, names the faults of a configuration, and knows its epochs', async () => {
    await world.activeInstance();
    expect(await world.query({ kind: 'state', offset: 0 })).toMatchObject({
      kind: 'state',
      total: 1,
      instances: [{ liveValues: { instance: 'jackpot', status: 'Active' } }],
    });
    const checked = await world.query({
      kind: 'check_configuration',
      configuration: { ...threePots(), pots: [] },
    });
    expect(checked).toMatchObject({ kind: 'check_configuration' });
    expect((checked as { readonly faults?: readonly string[] }).faults?.length).toBeGreaterThan(0);
    expect(await world.query({ kind: 'epochs', instance: 'jackpot', after: -1 })).toMatchObject({
      epochs: [
        { epoch: 0, state: 'running' },
        { epoch: 1, state: 'committed' },
        { epoch: 2, state: 'committed' },
      ],
    });
    expect(await world.query({ kind: 'accounts', instance: 'none' })).toMatchObject({
      kind: 'refused',
      code: 'instance_not_found',
    });
  });

  it('writes rates and brands into the lane when the directory moves', async () => {
    await world.activeInstance();
    const dollars: Command = contribution({ currency: 'USD', contributionId: randomBytes(16) });
    const before = await world.reply(await world.send([dollars]));
    expect(before.outcomes).toMatchObject([{ kind: 'Refused', code: 'currency_not_supported' }]);
    const revision = await world.putRates({ EUR: '1', USD: '1.25' });
    expect(await directoryAt(revision)).toEqual({ kind: 'directory', revision });
    const after = await world.reply(await world.send([dollars]));
    expect(after.outcomes).toMatchObject([{ kind: 'Contributed' }]);
    const raised = await world.putRates({ EUR: '1', USD: '1.5' }, revision);
    expect(await directoryAt(raised)).toMatchObject({ revision: raised });
    const missing = await world.query({ kind: 'directory', revision: raised + 1000 });
    expect(missing).toMatchObject({ kind: 'refused', code: 'overloaded' });
  });

  it('stops with an alarm at a message that is damaged', async () => {
    await world.activeInstance();
    await world.log.append(lane, 'batch', new Uint8Array([1, 2, 3, 4, 5, 6]), { messageId: 'damaged' });
    await world.until(() => host.statuses()[0]!.stopped === 'unreadable_message', 'the lane stops');
    const { appliedSequence } = host.statuses()[0]!;
    await world.send(contributions(1));
    expect(host.statuses()[0]).toMatchObject({ appliedSequence, stopped: 'unreadable_message' });
    expect(host.unready()).toBe('lane_0_unreadable_message');
    // The start is over: what is missing needs a person.
    expect(host.settled()).toBe(true);
  });
});

describe('owners after one another', () => {
  it('loses and doubles nothing when the owner is killed in mid-traffic, again and again', async () => {
    let host = await world.startHost('first');
    await world.owned(host);
    await world.activeInstance();
    let sent = 0;
    for (const name of ['second', 'third', 'fourth']) {
      const sending = Promise.all(
        Array.from({ length: 60 }, (_, index) => world.send(contributions(7, sent + index * 7))),
      );
      await world.until(() => host.statuses()[0]!.appliedSequence > 20, 'some are applied');
      await host.abort();
      await sending;
      sent += 60 * 7;
      host = await world.startHost(name);
      await world.owned(host);
    }
    await world.outcomesStored();
    expect((await accountsOf()).sequence).toBe(sent);
    await expectJournalIsTheFold();
    await expectLiveIsTheFold();
    expect(world.alarms).toEqual([]);
  });

  it('replays a killed owner’s epochs whatever lengths the next one has, and goes on with these', async () => {
    const engine = (epochSequences: number) => ({ engine: { epochMs: 86_400_000, epochSequences } });
    const killed = await world.startHost('killed', engine(10));
    await world.owned(killed);
    await world.activeInstance();
    for (let from = 0; from < 40; from += 4) await world.reply(await world.send(contributions(4, from)));
    await killed.abort();
    await world.owned(await world.startHost('next', engine(30)));
    const answer = await world.query({ kind: 'epochs', instance: 'jackpot', after: -1 });
    if (answer.kind !== 'epochs') throw new Error(JSON.stringify(answer));
    const lengths = answer.epochs.flatMap(({ firstSequence, lastSequence, state }) =>
      state === 'running' || state === 'committed' ? [] : [lastSequence - firstSequence + 1],
    );
    expect(lengths).toEqual([12, 12, 12]);
    for (let from = 40; from < 100; from += 4) await world.reply(await world.send(contributions(4, from)));
    await expectJournalIsTheFold();
    expect(world.alarms).toEqual([]);
  });

  it('continues from the drained owner’s snapshot as if nothing had been', async () => {
    const first = await world.startHost('first');
    await world.owned(first);
    await world.activeInstance();
    for (let batch = 0; batch < 10; batch += 1)
      await world.reply(await world.send(contributions(50, batch * 50)));
    await first.stop();
    const files = await readdir(join(world.dataDirectory, 'snapshots', String(lane)));
    expect(files.filter((name) => name.endsWith('.snapshot'))).toHaveLength(1);
    const second = await world.startHost('second');
    await world.owned(second);
    const repeated = await world.reply(await world.send(contributions(50, 0)));
    expect(new Set(repeated.outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['Duplicate']));
    await world.reply(await world.send(contributions(50, 500)));
    await expectJournalIsTheFold();
    await expectLiveIsTheFold();
  });

  it('uses the snapshot before a torn one', async () => {
    await leaveSnapshots();
    const snapshots = world.ports(world.log, world.bus).snapshots;
    const [newest, older] = await snapshots.list(lane);
    expect(older).toBeDefined();
    const directory = join(world.dataDirectory, 'snapshots', String(lane));
    const file = (await readdir(directory)).find((name) =>
      name.startsWith(String(newest!.sequence).padStart(16, '0')),
    );
    await truncate(join(directory, file!), 200);
    const second = await world.startHost('second');
    await world.owned(second);
    expect(world.alarms).toHaveLength(1);
    expect(world.alarms[0]).toMatch(/^snapshot_torn/);
    await expectLiveIsTheFold();
    await expectJournalIsTheFold();
  });

  it('uses the snapshot before one that the system refuses to read, or the archive', async () => {
    await leaveSnapshots();
    const directory = join(world.dataDirectory, 'snapshots', String(lane));
    const files = (await readdir(directory)).filter((name) => name.endsWith('.snapshot')).sort();
    const makeUnreadable = async (name: string): Promise<void> => {
      await rm(join(directory, name));
      await mkdir(join(directory, name));
    };
    const recover = async () =>
      (await recoverLane(lane, world.ports(world.log, world.bus))).replica.appliedSequence;
    await makeUnreadable(files.at(-1)!);
    expect(await recover()).toBe(Number.parseInt(files.at(-2)!, 10));
    for (const name of files.slice(0, -1)) await makeUnreadable(name);
    const archive = await world.log.archive('SNAPSHOTS');
    const archived = Number.parseInt((await archive.list())[0]!.split('/')[1]!, 10);
    expect(await recover()).toBe(archived);
    await rm(directory, { recursive: true });
    await writeFile(directory, '');
    expect(await recover()).toBe(archived);
    expect(world.alarms).toHaveLength(1 + files.length + 1);
    expect(new Set(world.alarms.map((alarm) => alarm.split(':')[0]))).toEqual(
      new Set(['snapshot_unreadable']),
    );
  });

  it('passes over snapshots of another version: an older one or the log leads to the same state', async () => {
    await leaveSnapshots();
    const ports = world.ports(world.log, world.bus);
    const [newest, older] = await ports.snapshots.list(lane);
    const refusing = (until: number) => ({
      ...ports,
      engines: {
        ...ports.engines,
        restore: (chunks: readonly Uint8Array[]) => {
          until -= 1;
          if (until >= 0) throw new OtherSnapshotVersion('version 0, not this one');
          return ports.engines.restore(chunks);
        },
      },
    });
    const recovered = async (until: number) =>
      (await recoverLane(lane, refusing(until))).replica.appliedSequence;
    expect(await recovered(0)).toBe(newest!.sequence);
    expect(await recovered(1)).toBe(older!.sequence);
    expect(await recovered(100)).toBe(0);
    expect(world.alarms).toEqual([]);
  });

  it('uses the archive where there is no local snapshot', async () => {
    const first = await world.startHost('first', { snapshotEveryMessages: 10, uploadEveryMs: 0 });
    await world.owned(first);
    await world.activeInstance();
    for (let batch = 0; batch < 20; batch += 1)
      await world.reply(await world.send(contributions(5, batch * 5)));
    await first.stop();
    const snapshots = world.ports(world.log, world.bus).snapshots;
    for (const name of await snapshots.list(lane)) await snapshots.remove(lane, name);
    expect((await (await world.log.archive('SNAPSHOTS')).list()).length).toBeGreaterThan(0);
    const second = await world.startHost('second');
    await world.owned(second);
    await expectLiveIsTheFold();
  });

  it('passes over an archived snapshot that has lost a chunk', async () => {
    const first = await world.startHost('first', { snapshotEveryMessages: 10, uploadEveryMs: 0 });
    await world.owned(first);
    await world.activeInstance();
    await world.reply(await world.send(contributions(5)));
    await first.stop();
    const snapshots = world.ports(world.log, world.bus).snapshots;
    for (const name of await snapshots.list(lane)) await snapshots.remove(lane, name);
    await world.loseArchivedChunks('SNAPSHOTS');
    const second = await world.startHost('second');
    await world.owned(second);
    await expectLiveIsTheFold();
    expect(world.alarms.join()).toMatch(/snapshot_torn: .* is incomplete\. Using an older state\./);
  });

  it('fences the first owner when a second one claims', async () => {
    const first = await world.startHost('first');
    await world.owned(first);
    await world.activeInstance();
    const second = await world.startHost('second');
    await world.owned(second);
    await world.until(() => first.statuses()[0]!.ownership === 'following', 'the first follows');
    expect(second.statuses()[0]!.term).toBe(first.statuses()[0]!.term + 1);
    await world.reply(await world.send(contributions(20)));
    await expectJournalIsTheFold();
    expect(first.statuses()[0]!.stopped).toBeNull();
    expect(world.alarms).toEqual([expect.stringMatching(/^fenced/)]);
  });

  it('owns the lane again when the host that fenced it is gone', async () => {
    const [first, second] = await taken();
    await world.reply(await world.send(contributions(20)));
    await second.abort();
    // Nobody stores the records of these until there is an owner.
    const unanswered = [await world.send(contributions(3)), await world.send(contributions(3))];
    first.claim(lane, () => true);
    await world.owned(first);
    for (const sent of unanswered) expect((await world.reply(sent)).outcomes).toHaveLength(3);
    await world.reply(await world.send(contributions(20)));
    await expectJournalIsTheFold();
    expect(first.statuses()[0]!).toMatchObject({ term: second.statuses()[0]!.term + 1, stopped: null });
  });

  /** A host whose lane another one has claimed. */
  async function taken() {
    const first = await world.startHost('first');
    await world.owned(first);
    await world.activeInstance();
    const second = await world.startHost('second');
    await world.owned(second);
    await world.until(() => first.statuses()[0]!.ownership === 'following', 'the first follows');
    return [first, second] as const;
  }

  it('stops when the replay is not what was journalled', async () => {
    const first = await world.startHost('first', { snapshotEveryMessages: 1_000_000 });
    await world.owned(first);
    await world.activeInstance();
    await world.reply(await world.send(contributions(5)));
    await world.outcomesStored();
    await first.abort();
    const last = (await world.log.lastCommand(lane)) + 1;
    await world.send([setStatus('Paused')]);
    // A record that no honest replica makes: another message's bytes under this sequence.
    const other = await world.log.readOutcome(lane, last - 1);
    await world.log.appendOutcome(lane, last, { wallet: false, hooks: false, events: false }, other!.bytes);
    const second = await world.startHost('second');
    await world.until(() => second.statuses()[0]!.stopped !== null, 'the lane stops');
    expect(second.statuses()[0]!.stopped).toBe('head_mismatch');
  });

  it('goes on by itself when the server was killed', async () => {
    const host = await world.startHost('one');
    await world.owned(host);
    await world.activeInstance();
    await world.reply(await world.send(contributions(20)));
    await world.killServer();
    await world.restartServer();
    const batchId = randomBytes(16);
    let stored = false;
    await world.until(async () => {
      stored = await world.send(contributions(20, 20), batchId).then(
        () => true,
        () => false,
      );
      return stored;
    }, 'the batch is stored');
    await world.until(async () => (await accountsOf().catch(() => null))?.sequence === 40, 'it is applied');
    // The connection for outcomes is another one and may come back later.
    await world.until(
      async () => (await world.log.lastOutcome(lane).catch(() => 0)) > 0,
      'outcomes can be read again',
    );
    await expectJournalIsTheFold();
    expect(brand).toBe('op:main');
  });
});

describe('a message whose time is far ahead', () => {
  const leapMs = 3_600_000;
  /** The server's clock leaps at this sequence, as the host sees it. */
  const leapingAt = (from: number) => (log: Log) => {
    const later = (stored: StoredCommand): StoredCommand =>
      stored.sequence < from ? stored : { ...stored, timestampMs: stored.timestampMs + leapMs };
    const follow = (of: number, start: number, handlers: FollowHandlers<StoredCommand>) =>
      log.follow(of, start, { ...handlers, message: (stored) => handlers.message(later(stored)) });
    return new Proxy(log, {
      get(target, name) {
        if (name === 'follow') return follow;
        const value = target[name as keyof Log] as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };

  it('halts its lane before it is applied, again after a restart, and passes with a larger limit', async () => {
    const first = await world.startHost('first');
    await world.owned(first);
    await world.activeInstance();
    await world.reply(await world.send(contributions(5)));
    await first.stop();
    const last = await world.log.lastCommand(lane);

    for (const name of ['second', 'third']) {
      const host = await world.startHost(name, {}, leapingAt(last + 1));
      if (name === 'second') await world.send(contributions(5, 5));
      await world.until(() => host.unready() === 'lane_0_log_time_ahead', 'the lane halts');
      expect(host.statuses()[0]?.appliedSequence).toBe(last);
      expect(world.alarms.at(-1)).toMatch(/^log_time_ahead: Message \d+ of .* is not applied/);
      await host.stop();
    }
    expect(await world.log.lastOutcome(lane)).toBe(last);

    const patient = await world.startHost('fourth', { maximumLogLeadMs: 2 * leapMs }, leapingAt(last + 1));
    await world.owned(patient);
    await world.outcomesStored();
    expect((await accountsOf()).accounts.reduce((sum, [, atoms]) => sum + atoms, 0n)).toBe(0n);
    await patient.stop();
    // It is history now, whatever the limit.
    await world.owned(await world.startHost('fifth', {}, leapingAt(last + 1)));
  });
});
