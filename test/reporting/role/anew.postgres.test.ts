import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { enginesOf } from '../../../src/actors/replica/engines.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { LogError, type StreamReader } from '../../../src/ports.ts';
import { type BooksPorts, openBooks } from '../../../src/reporting/books/open-books.ts';
import { checkBooks } from '../../../src/reporting/check/check.ts';
import { findingText } from '../../../src/reporting/check/finding.ts';
import { checkLane, checkLaneAccounts } from '../../../src/reporting/check/lane-accounts.ts';
import { rebuildBooks } from '../../../src/reporting/role/rebuild.ts';
import { ReopeningStore } from '../../../src/reporting/role/reopening-store.ts';
import { startReporting } from '../../../src/reporting/role/reporting.ts';
import { type BooksPlace, beginRebuild, openStore } from '../../../src/reporting/store/open.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { systemClock } from '../../../src/wiring.ts';
import { ActorWorld, lane } from '../../actors/actor-world.ts';
import { atoms, contribution } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { dumpOf } from '../support/dump.ts';
import { onEachDatabase, systemId } from '../support/places.ts';

/** The role on a real log and a real database, whose books are made anew while it writes. */
const noStream: StreamReader = {
  extent: async () => ({ stream: 'TRIES', firstSequence: 1, lastSequence: 0, messages: 0, maxAgeMs: 0 }),
  readFrom: async () => [],
};
const often = { HitRate: { max_magic_number: 1, cost_per_attempt: '3' } };

onEachDatabase((books) => {
  let world: ActorWorld;
  let ports: BooksPorts;

  beforeAll(async () => {
    world = await ActorWorld.open();
    await world.owned(await world.startHost('host'));
    for (let version = 2; version <= 4; version += 1)
      await world.reply(await world.send([{ kind: 'UpgradeTo', version }]));
    await world.activeInstance('jackpot', onePot({ pot_types: [often] }));
    const { engine } = world.settings('');
    ports = { log: world.log, engines: (of) => enginesOf(of, engine), turn: new LoopTurn() };
  });
  afterAll(() => world.close());

  async function contribute(): Promise<void> {
    const made = Array.from({ length: 5 }, () =>
      contribution({ contributionId: randomBytes(16), player: `p${randomBytes(1)[0]! % 7}` }),
    );
    await world.reply(await world.send(made));
    await world.send([
      {
        ...{ kind: 'AdjustPot', instance: 'jackpot', pot: 'main', account: 'seed_value', reason: 'more' },
        ...{ targetAtoms: atoms(String(randomBytes(1)[0]!)), user: 'admin', mayDecrease: true },
        ...{ idempotencyKey: null, expectedVersion: null },
      },
    ]);
  }

  async function startRole(place: BooksPlace, alarms: string[] = []) {
    const store = new ReopeningStore(() => openStore(place, systemId), rethrow);
    const role = startReporting({
      ...{ log: world.log, clock: systemClock, turn: new LoopTurn(), systemId, store, lanes: 1 },
      open: (of, position) => openBooks(of, position ?? 'oldest', ports),
      leases: await world.log.table('LEASES'),
      holder: `test ${randomBytes(4).toString('hex')}`,
      checkHour: null,
      ...{ spareTime: { isThere: true }, givesWayMs: 0 },
      streams: { TRIES: noStream, AUDIT: noStream },
      async *check() {},
      writeHours: null,
      removeOld: async () => 0,
      forgotten: () => null,
      isConnected: () => true,
      alarm: (code, message) => void alarms.push(`${code} ${message}`),
      notice: () => {},
      report: rethrow,
    });
    return async () => {
      await role.stop();
      await store.close();
    };
  }

  function rebuild(place: BooksPlace) {
    return rebuildBooks({
      ...{ log: world.log, clock: systemClock, turn: new LoopTurn(), systemId, place, lanes: 1 },
      forgotten: null,
      open: (of, position) => openBooks(of, position ?? 'oldest', ports),
      progress: () => {},
      notice: () => {},
    });
  }

  async function current(store: BooksStore): Promise<void> {
    const last = await world.outcomesStored();
    await world.until(async () => ((await store.position(lane))?.sequence ?? 0) >= last, 'the books follow');
  }

  test('have the same bytes of every table, and the role goes on in them', async () => {
    const place = await books.place();
    const alarms: string[] = [];
    const stop = await startRole(place, alarms);
    for (let round = 0; round < 10; round += 1) await contribute();
    // What an attempt that was killed has left.
    const left = await beginRebuild(place, systemId);
    await left.store.close();
    let isOver = false;
    const load = (async () => {
      while (!isOver) await contribute();
    })();
    for (let times = 0; times < 3; times += 1) await rebuild(place);
    for (let round = 0; round < 5; round += 1) await contribute();
    isOver = true;
    await load;
    const store = await books.open(place);
    await current(store);
    await stop();
    expect(alarms).toEqual([]);
    const written = await dumpOf(store);
    expect(written.contributions!.length).toBeGreaterThan(75);
    expect(written.wins!.length).toBeGreaterThan(5);
    expect(await findingsOf(store)).toEqual([]);

    const fresh = await books.place();
    await rebuild(fresh);
    const anew = await dumpOf(await books.open(fresh));
    // The host may have written a message since.
    expect({ ...anew, positions: [] }).toEqual({ ...written, positions: [] });
  });

  test('wait for a log that does not answer, which is asked how far it is', async () => {
    const place = await books.place();
    const asked = { times: 0 };
    const ask = world.log.lastOutcome.bind(world.log);
    const away = vi.spyOn(world.log, 'lastOutcome').mockImplementation(async (of) => {
      asked.times += 1;
      if (asked.times <= 4) throw new LogError('unknown', 'No answer.');
      return ask(of);
    });
    onTestFinished(() => away.mockRestore());
    await rebuild(place);
    expect(asked.times).toBeGreaterThan(4);
    expect(await findingsOf(await books.open(place))).toEqual([]);
    away.mockRejectedValue(new LogError('misconfigured', 'Never.'));
    await expect(rebuild(await books.place())).rejects.toThrow('Never.');
  });

  test('are refused where another system is meant, and the old ones stay', async () => {
    const place = await books.place();
    const store = await openStore(place, systemId);
    onTestFinished(() => store.close());
    const broken = {
      ...{ log: world.log, clock: systemClock, turn: new LoopTurn(), systemId, place, lanes: 1 },
      open: async () => {
        throw new Error('a bug');
      },
      forgotten: null,
      progress: () => {},
      notice: () => {},
    };
    await expect(rebuildBooks(broken)).rejects.toThrow('a bug');
    expect(await store.position(lane)).toBeNull();
    await rebuild(place);
    expect(await findingsOf(await books.open(place))).toEqual([]);
  });

  test('a balance that is not the lane’s is named, whatever the rows say', async () => {
    const place = await books.place();
    await rebuild(place);
    const store = await books.open(place);
    expect(await findingsOf(store)).toEqual([]);
    const table = `${store.prefix}daily_balances`;
    const value = store.dialect === 'postgres' ? 'closing + 1' : "'1'";
    await store.select(`UPDATE ${table} SET closing = ${value} WHERE account = 'main.seed' RETURNING 1`, []);
    const found = await findingsOf(store);
    expect(
      found.some((each) => each.startsWith('daily_balances of jackpot, main.seed: the newest closing')),
    ).toBe(true);
    expect(found.every((each) => each.includes('jackpot, main.seed') || each.includes('sum of all'))).toBe(
      true,
    );
    // What a night checks: closed days, of which there are none yet, and the balances of now.
    const night: string[] = [];
    for await (const finding of checkLane(store, lane, 3, ports)) night.push(findingText(finding));
    expect(night).toHaveLength(1);
    // An instance that was not asked for is not compared.
    const none: string[] = [];
    for await (const finding of checkLaneAccounts(store, lane, ports, () => false))
      none.push(findingText(finding));
    expect(none).toEqual([]);
  });

  async function findingsOf(store: BooksStore): Promise<string[]> {
    const found: string[] = [];
    for await (const finding of checkBooks(store, { from: null, to: '9999-12-30' }))
      found.push(findingText(finding));
    for await (const finding of checkLaneAccounts(store, lane, ports)) found.push(findingText(finding));
    return found;
  }
});

function rethrow(error: unknown): void {
  throw error;
}
