import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EpochPublisher } from '../../../src/actors/epochs/publisher.ts';
import { type ActorSettings, defaultActorSettings } from '../../../src/actors/ports/actor-ports.ts';
import { recoverLane } from '../../../src/actors/recovery/recover-lane.ts';
import { epochDocumentName } from '../../../src/contracts/jackpots/epochs.ts';
import { publishedPage } from '../../../src/gateway/api/services/published-epochs.ts';
import { type Archive, type Log, LogError } from '../../../src/ports.ts';
import { nodeHashing } from '../../../tools/verify/node-hashing.ts';
import { Followed } from '../../../verifier/src/followed.ts';
import { verifyEpoch } from '../../../verifier/src/verify.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld } from '../actor-world.ts';

const epochSequences = 100;
const engine = { epochMs: 86_400_000, epochSequences };
/** Odds of 1 in 8 for each pot of a contribution, so that an epoch has wins: one of 100 has none once in 10^17. */
const often = threePots({}, { pot_types: [{ HitRate: { max_magic_number: 8, cost_per_attempt: '0.1' } }] });

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

async function contribute(batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const commands = Array.from({ length: 10 }, (_, index) =>
      contribution({ contributionId: randomBytes(16), player: `p${index}` }),
    );
    await world.reply(await world.send(commands));
  }
}

/** The first page of a published epoch as its file says it. */
async function published(epoch: number): Promise<{ readonly seed: string; readonly pages?: number }> {
  const archive = await world.log.archive('EPOCHS');
  let bytes: Uint8Array | null = null;
  await world.until(async () => {
    bytes = await archive.get(epochDocumentName('jackpot', epoch));
    return bytes !== null;
  }, `epoch ${epoch} is published`);
  return JSON.parse(Buffer.from(bytes!).toString('utf8'));
}

it('reveals ended epochs and publishes what verifies every draw', async () => {
  const host = await world.startHost('one', { engine, snapshotEveryMessages: 7 });
  await world.owned(host);
  await world.activeInstance('jackpot', often);
  await contribute(25);
  const followed = new Followed();
  for (const epoch of [0, 1]) {
    const report = verifyEpoch(await published(epoch), nodeHashing, { followed });
    expect(report.failure).toBeNull();
    expect(report.counts.draws).toBeGreaterThanOrEqual(3 * epochSequences);
    expect(report.counts.wins).toBeGreaterThan(0);
    expect(report.checks.find(({ id }) => id === 'closing')).toMatchObject({ state: 'verified' });
  }
  const epochs = async () => {
    const answer = await world.query({ kind: 'epochs', instance: 'jackpot', after: -1 });
    if (answer.kind !== 'epochs') throw new Error(answer.kind);
    return answer.epochs;
  };
  // The owner commits to seeds by messages of its own.
  await world.until(async () => (await epochs()).length === 5, 'seeds are committed');
  const known = await epochs();
  const states = known.map(({ epoch, state }) => `${epoch} ${state}`);
  expect(states).toEqual(['0 revealed', '1 revealed', '2 running', '3 committed', '4 committed']);
  for (const { seed, state } of known) expect(seed !== null).toBe(state === 'revealed');
});

it('publishes after a restart what a killed owner left out', async () => {
  const first = await world.startHost('first', { engine });
  await world.owned(first);
  await world.activeInstance('jackpot', often);
  await contribute(12);
  const before = await published(0);
  await first.abort();
  const archive = await world.log.archive('EPOCHS');
  await archive.remove(epochDocumentName('jackpot', 0));
  const second = await world.startHost('second', { engine });
  await world.owned(second);
  const after = await published(0);
  expect(verifyEpoch(after, nodeHashing)).toEqual(verifyEpoch(before, nodeHashing));
  expect(after.seed).toBe(before.seed);
});

/** Pages of a published epoch, the first one first. */
async function publishedPages(epoch: number): Promise<readonly unknown[]> {
  const first = await published(epoch);
  const archive = await world.log.archive('EPOCHS');
  const pages: unknown[] = [first];
  for (let page = 1; page < (first.pages ?? 1); page += 1) {
    const bytes = await publishedPage(archive, 'jackpot', epoch, page);
    pages.push(JSON.parse(Buffer.from(bytes!).toString('utf8')));
  }
  return pages;
}

/** A log like another one, but for what becomes of its archive of epochs. */
function withArchive(log: Log, change: (real: Archive) => Partial<Archive>): Log {
  const changed = (real: Archive): Archive => ({
    get: (name) => real.get(name),
    has: (name) => real.has(name),
    list: () => real.list(),
    put: (name, bytes) => real.put(name, bytes),
    remove: (name) => real.remove(name),
    ...change(real),
  });
  return new Proxy(log, {
    get(target, member) {
      if (member === 'archive') return async (which: 'EPOCHS') => changed(await target.archive(which));
      const value = Reflect.get(target, member, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A log that stores everything but the epoch's first page; `asked` resolves once that is to be stored. */
function withoutTheFirstPage() {
  const first = epochDocumentName('jackpot', 0);
  const events = new EventEmitter();
  const asked = once(events, 'asked');
  const killed = once(events, 'killed');
  const through = (log: Log): Log =>
    withArchive(log, (real) => ({
      async put(name, bytes) {
        if (name !== first) return real.put(name, bytes);
        events.emit('asked');
        await killed;
        throw new LogError('stopped', 'The process is killed.');
      },
    }));
  return { through, asked, kill: () => events.emit('killed') };
}

it('publishes a large epoch in pages, each within its limit', async () => {
  const epochPage = { textBytes: 2 ** 20, records: 25 };
  const host = await world.startHost('one', { engine, epochPage });
  await world.owned(host);
  await world.activeInstance('jackpot', often);
  await contribute(12);
  const pages = await publishedPages(0);
  const counts = pages.map((page) =>
    (page as { groups: { records: unknown[] }[] }).groups.reduce(
      (total, { records }) => total + records.length,
      0,
    ),
  );
  expect(pages.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...counts)).toBeLessThanOrEqual(epochPage.records);
  const report = verifyEpoch(pages, nodeHashing);
  expect(report.failure).toBeNull();
  expect(report.counts.contributions).toBeGreaterThanOrEqual(epochSequences);
});

const noRoom = () => new LogError('unavailable', 'There is no room.');

/** What an owner publishes who finds the lane as it is, over `log`; its pauses take no time. */
async function publisherOver(log: Log): Promise<EpochPublisher> {
  const ports = world.ports(world.log, world.bus, engine);
  const { replica } = await recoverLane(0, ports);
  const clock = { ...ports.clock, after: (_delayMs: number, task: () => void) => ports.clock.after(0, task) };
  return new EpochPublisher(replica, { ...ports, log, clock }, defaultActorSettings.epochPage);
}

/** A lane that nobody owns any more, and of whose epochs the archive has none. */
async function leftWithout(
  epochs: readonly number[],
  settings: Partial<ActorSettings> = {},
): Promise<readonly unknown[]> {
  const host = await world.startHost('one', { engine, ...settings });
  await world.owned(host);
  await world.activeInstance('jackpot', often);
  await contribute(12 * epochs.length);
  const before = [];
  for (const epoch of epochs) before.push(await published(epoch));
  await host.stop();
  const archive = await world.log.archive('EPOCHS');
  for (const epoch of epochs) await archive.remove(epochDocumentName('jackpot', epoch));
  return before;
}

it.each([
  ['all', (epoch: number) => epoch >= 0],
  ['some', (epoch: number) => [0, 2, 3, 11].includes(epoch)],
])('publishes %s that owners before it left out, also what the lane has forgotten', async (_what, isLeft) => {
  const epochs = Array.from({ length: 13 }, (_, epoch) => epoch);
  const before = await leftWithout(epochs, { snapshotEveryMessages: 50 });
  const archive = await world.log.archive('EPOCHS');
  const text = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));
  for (const epoch of epochs.filter((each) => !isLeft(each)))
    await archive.put(epochDocumentName('jackpot', epoch), text(before[epoch]));
  const stored: string[] = [];
  const log = withArchive(world.log, (real) => ({
    async put(name, bytes) {
      stored.push(name);
      return real.put(name, bytes);
    },
  }));
  const publisher = await publisherOver(log);
  publisher.start();
  for (const epoch of epochs) expect(await published(epoch)).toEqual(before[epoch]);
  await publisher.stop();
  const inOrder = epochs.filter(isLeft).map((epoch) => epochDocumentName('jackpot', epoch));
  expect(stored.slice(0, inOrder.length)).toEqual(inOrder);
});

it('publishes an epoch however long the archive had no room for it', async () => {
  const [before] = await leftWithout([0]);
  let refusals = 40;
  const refuse = (): void => {
    refusals -= 1;
    if (refusals >= 0) throw noRoom();
  };
  const log = withArchive(world.log, (real) => ({
    async has(name) {
      if (refusals > 37) refuse();
      return real.has(name);
    },
    async put(name, bytes) {
      refuse();
      return real.put(name, bytes);
    },
  }));
  const publisher = await publisherOver(log);
  publisher.start();
  expect(await published(0)).toEqual(before);
  expect(refusals).toBeLessThan(0);
  await publisher.stop();
});

it('publishes the next epoch while one has no room', async () => {
  const [, second] = await leftWithout([0, 1]);
  const kept = epochDocumentName('jackpot', 0);
  const log = withArchive(world.log, (real) => ({
    async put(name, bytes) {
      if (name === kept) throw noRoom();
      return real.put(name, bytes);
    },
  }));
  const publisher = await publisherOver(log);
  publisher.start();
  expect(await published(1)).toEqual(second);
  expect(await (await world.log.archive('EPOCHS')).has(kept)).toBe(false);
  await publisher.stop();
});

it('shows nothing of an epoch whose owner was killed before the first page, and publishes it afterwards', async () => {
  const { asked, kill, through } = withoutTheFirstPage();
  const smaller = { textBytes: 2 ** 20, records: 10 };
  const first = await world.startHost('first', { engine, epochPage: smaller }, through);
  await world.owned(first);
  await world.activeInstance('jackpot', often);
  await contribute(12);
  await asked;
  const archive = await world.log.archive('EPOCHS');
  const left = await archive.list();
  expect(left).toContain(epochDocumentName('jackpot', 0, 1));
  expect(left).not.toContain(epochDocumentName('jackpot', 0));
  for (const page of [0, 1]) expect(await publishedPage(archive, 'jackpot', 0, page)).toBeNull();
  const ended = first.abort();
  kill();
  await ended;
  const epochPage = { textBytes: 2 ** 20, records: 40 };
  const second = await world.startHost('second', { engine, epochPage });
  await world.owned(second);
  const pages = await publishedPages(0);
  expect(verifyEpoch(pages, nodeHashing).failure).toBeNull();
  const ofEpoch = (await archive.list()).filter((name) => /\/0[.]/.test(name));
  expect(ofEpoch).toHaveLength(pages.length);
  expect(left.length).toBeGreaterThan(pages.length);
});

it('publishes nothing more once another host owns the lane', async () => {
  const stored = { first: 0, second: 0 };
  const counting = (host: 'first' | 'second') => (log: Log) =>
    withArchive(log, (real) => ({
      async put(name, bytes) {
        stored[host] += 1;
        return real.put(name, bytes);
      },
    }));
  const first = await world.startHost('first', { engine }, counting('first'));
  await world.owned(first);
  await world.activeInstance('jackpot', often);
  await contribute(12);
  await published(0);
  const second = await world.startHost('second', { engine }, counting('second'));
  await world.owned(second);
  await world.until(() => first.statuses()[0]?.ownership === 'following', 'the first host follows');
  const before = stored.first;
  await contribute(30);
  for (const epoch of [1, 2]) expect(verifyEpoch(await published(epoch), nodeHashing).failure).toBeNull();
  expect(stored.first).toBe(before);
  expect(stored.second).toBeGreaterThanOrEqual(2);
});
