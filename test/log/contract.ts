import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryKey, parseDirectoryKey } from '../../src/contracts/directory/directory-keys.ts';
import { presenceSubject } from '../../src/log/base/names.ts';
import { type Bus, type Log, LogError, type StoredCommand, type StoredOutcome } from '../../src/ports.ts';

/** What a Log and Bus must do, whoever implements them. Lanes are used one a test, so tests do not meet. */
export interface LogUnderTest {
  readonly log: Log;
  readonly bus: Bus;
  /** Waits until `done`: in real or in simulated time. */
  until(done: () => boolean, what: string): Promise<void>;
  /** Settles a promise of the log: a simulated one needs its time to be moved. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Waits until every server has what has been stored. Otherwise one that is a moment behind may answer. */
  settled(): Promise<void>;
  /** Ends the server without warning, and starts it again on the same data. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const lanesOfContract = 17;
const noRouting = { wallet: false, hooks: false, events: false };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const patience = { timeout: 60_000 };
/** A disk may be busy for longer than a process wants to wait. */
const storedWithinMs = 20_000;

/** Bytes that no compression makes small. */
function randomBytes(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

export function logContract(name: string, open: () => Promise<LogUnderTest>): void {
  describe(`the log's contract: ${name}`, () => {
    let world: LogUnderTest;
    let log: Log;
    const run = <T>(work: Promise<T>): Promise<T> => world.run(work);
    const append = (lane: number, text: string, messageId = text) =>
      run(log.append(lane, 'batch', bytesOf(text), { messageId, timeoutMs: storedWithinMs }));

    beforeAll(async () => {
      world = await open();
      log = world.log;
      await run(log.prepare(lanesOfContract));
    });
    afterAll(() => world.close());

    it('stores commands gapless from 1 and reads them back', async () => {
      expect(await append(0, 'a')).toEqual({ kind: 'stored', sequence: 1, duplicate: false });
      expect(await append(0, 'b')).toEqual({ kind: 'stored', sequence: 2, duplicate: false });
      const stored = await run(log.readCommand(0, 2));
      expect(stored).toMatchObject({ lane: 0, sequence: 2, channel: 'batch' });
      expect(textOf(stored!.bytes)).toBe('b');
      expect(await run(log.readCommand(0, 3))).toBeNull();
      expect(await run(log.lastCommand(0))).toBe(2);
    });

    it('stores the same message id once and names where', async () => {
      await append(1, 'first');
      await append(1, 'second');
      expect(await append(1, 'first')).toEqual({ kind: 'stored', sequence: 1, duplicate: true });
      expect(await run(log.lastCommand(1))).toBe(2);
    });

    it('fences the own subject by its last sequence, whatever other subjects do', async () => {
      const own = (expectedLastOnSubject: number, messageId: string) =>
        run(
          log.append(2, 'own', bytesOf(messageId), {
            messageId,
            expectedLastOnSubject,
            timeoutMs: storedWithinMs,
          }),
        );
      expect(await run(log.lastOwn(2))).toBe(0);
      expect(await own(0, 'o1')).toMatchObject({ kind: 'stored', sequence: 1 });
      await append(2, 'between');
      expect(await own(0, 'o2')).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(await own(1, 'o3')).toMatchObject({ kind: 'stored', sequence: 3 });
      expect(await run(log.lastOwn(2))).toBe(3);
      expect((await run(log.readCommand(2, 3)))?.channel).toBe('own');
      expect((await run(log.nextCommand(2, 'own', 1)))?.sequence).toBe(1);
      expect((await run(log.nextCommand(2, 'own', 2)))?.sequence).toBe(3);
      expect(await run(log.nextCommand(2, 'own', 4))).toBeNull();
      expect(await run(log.nextCommand(2, 'quarantine', 1))).toBeNull();
    });

    it('follows from a sequence on, in order, and goes on with what comes', async () => {
      for (const text of ['a', 'b', 'c']) await append(3, text);
      const seen: StoredCommand[] = [];
      const caughtUp: number[] = [];
      const follower = log.follow(3, 2, {
        message: (stored) => void seen.push(stored),
        caughtUp: (last) => void caughtUp.push(last),
      });
      await world.until(() => caughtUp.length === 1, 'caught up');
      expect(caughtUp).toEqual([3]);
      await append(3, 'd');
      await world.until(() => seen.length === 3, 'the tail');
      await run(follower.stop());
      await run(follower.done);
      await append(3, 'e');
      expect(seen.map((stored) => [stored.sequence, textOf(stored.bytes)])).toEqual([
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
      ]);
      const read = await run(log.readCommand(3, 4));
      expect(seen[2]!.timestampMs).toBe(read!.timestampMs);
    });

    it('awaits a handler before the next message', async () => {
      for (const text of ['a', 'b', 'c']) await append(4, text);
      const steps: string[] = [];
      const follower = log.follow(4, 1, {
        message: async (stored) => {
          steps.push(`begin ${stored.sequence}`);
          await Promise.resolve();
          steps.push(`end ${stored.sequence}`);
        },
      });
      await world.until(() => steps.length === 6, 'three messages');
      await run(follower.stop());
      expect(steps).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
    });

    it('ends with the error of its handler', async () => {
      await append(5, 'a');
      const follower = log.follow(5, 1, {
        message: () => {
          throw new LogError('corrupt', 'not readable');
        },
      });
      const failure = follower.done.then(
        () => null,
        (error: unknown) => error,
      );
      expect(await run(failure)).toMatchObject({ code: 'corrupt' });
    });

    it('catches up more than 5,000 messages, gapless, with the times that a read gives', async () => {
      const total = 5_600;
      // The server syncs each: more at once would wait longer for a slow disk than an append may.
      const atOnce = 50;
      for (let from = 1; from <= total; from += atOnce) {
        await run(
          Promise.all(
            Array.from({ length: atOnce }, (_, index) =>
              log.append(6, 'batch', bytesOf(`m${from + index}`), {
                messageId: `m${from + index}`,
                timeoutMs: storedWithinMs,
              }),
            ),
          ),
        );
      }
      const sequences: number[] = [];
      const times: number[] = [];
      const follower = log.follow(6, 1, {
        message: (stored) => {
          sequences.push(stored.sequence);
          times.push(stored.timestampMs);
        },
      });
      await world.until(() => sequences.length >= total, 'the catch-up');
      await run(follower.stop());
      expect(sequences).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      for (const sequence of [1, 2_000, 5_500]) {
        expect(times[sequence - 1]).toBe((await run(log.readCommand(6, sequence)))!.timestampMs);
      }
    });

    it('stores outcomes only behind the last one', async () => {
      const outcome = (sequence: number, text: string) =>
        run(log.appendOutcome(7, sequence, noRouting, bytesOf(text)));
      expect(await outcome(1, 'one')).toMatchObject({ kind: 'stored', sequence: 1 });
      expect(await outcome(3, 'three')).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(await outcome(1, 'again')).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(await outcome(2, 'two')).toMatchObject({ kind: 'stored', sequence: 2 });
      expect(await run(log.lastOutcome(7))).toBe(2);
      expect(textOf((await run(log.readOutcome(7, 1)))!.bytes)).toBe('one');
      expect(await run(log.readOutcome(7, 3))).toBeNull();
    });

    it('stores a record of any size, and gives it back whole to whoever reads or follows', async () => {
      const records = [
        bytesOf('small before'),
        randomBytes(256 * 1024 + 1, 1),
        randomBytes(192 * 1024, 2),
        randomBytes(5_000_000, 3),
        // As long as a head is.
        randomBytes(32, 4),
        bytesOf('small behind'),
      ];
      for (const [index, record] of records.entries()) {
        const routing = { ...noRouting, events: record.length > 32 };
        const stored = await run(log.appendOutcome(10, index + 1, routing, record));
        expect(stored).toMatchObject({ kind: 'stored', sequence: index + 1 });
      }
      const same = (a: Uint8Array | undefined, b: Uint8Array) => Buffer.compare(a!, b) === 0;
      for (const [index, record] of records.entries()) {
        expect(same((await run(log.readOutcome(10, index + 1)))!.bytes, record)).toBe(true);
      }
      const followed = async (filter: Partial<typeof noRouting>, count: number) => {
        const seen: StoredOutcome[] = [];
        const follower = log.followOutcomes(10, 1, filter, { message: (each) => void seen.push(each) });
        await world.until(() => seen.length === count, 'every record');
        await run(follower.stop());
        return seen;
      };
      const all = await followed({}, records.length);
      expect(all.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(all.every(({ bytes }, index) => same(bytes, records[index]!))).toBe(true);
      const large = await followed({ events: true }, 3);
      expect(large.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
      expect(same(large[2]!.bytes, records[3]!)).toBe(true);
    });

    it('fences a large record like a small one, whatever two owners stored before', async () => {
      const ours = randomBytes(700_000, 5);
      const theirs = randomBytes(700_000, 6);
      const append = (sequence: number, record: Uint8Array) =>
        run(log.appendOutcome(11, sequence, noRouting, record));
      expect(await append(2, ours)).toEqual({ kind: 'wrong_last_sequence', last: 0 });
      expect(await append(1, theirs)).toMatchObject({ kind: 'stored', sequence: 1 });
      expect(await append(1, ours)).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(Buffer.compare((await run(log.readOutcome(11, 1)))!.bytes, theirs)).toBe(0);
      // The parts of it were stored by the first try.
      expect(await append(2, ours)).toMatchObject({ kind: 'stored', sequence: 2 });
      expect(Buffer.compare((await run(log.readOutcome(11, 2)))!.bytes, ours)).toBe(0);
    });

    it('stores blocks of records behind records of their own, and gives each record back', async () => {
      const lane = 16;
      const routings = [noRouting, { ...noRouting, events: true }, { ...noRouting, wallet: true }];
      const bytes = (sequence: number) => bytesOf(`record ${sequence}`);
      const large = randomBytes(400_000, 9);
      const recordOf = (sequence: number) => ({
        routing: routings[sequence % 3]!,
        bytes: sequence === 9 ? large : bytes(sequence),
      });
      const block = (first: number, last: number) =>
        run(
          log.appendBlock(
            lane,
            first,
            Array.from({ length: last - first + 1 }, (_, index) => recordOf(first + index)),
          ),
        );
      const { routing } = recordOf(1);
      expect(await run(log.appendOutcome(lane, 1, routing, bytes(1)))).toMatchObject({ kind: 'stored' });
      expect(await block(1, 3)).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(await block(3, 4)).toEqual({ kind: 'wrong_last_sequence', last: 1 });
      expect(await block(2, 5)).toMatchObject({ kind: 'stored', sequence: 5 });
      expect(await block(4, 6)).toEqual({ kind: 'wrong_last_sequence', last: 5 });
      for (const [first, last] of [
        [6, 8],
        [9, 9],
        [10, 10],
        [11, 20],
      ] as const)
        expect(await block(first, last)).toMatchObject({ kind: 'stored', sequence: last });
      expect(await run(log.lastOutcome(lane))).toBe(20);
      for (const sequence of [1, 2, 5, 6, 9, 10, 15, 20]) {
        const stored = (await run(log.readOutcome(lane, sequence)))!;
        expect(stored.sequence).toBe(sequence);
        expect(Buffer.compare(stored.bytes, recordOf(sequence).bytes)).toBe(0);
      }
      expect(await run(log.readOutcome(lane, 21))).toBeNull();
      const { outcomes } = await run(log.extents(lane));
      expect(outcomes).toMatchObject({ firstSequence: 1, lastSequence: 20, messages: 20 });
      const followed = async (from: number, filter: Partial<typeof noRouting>, count: number) => {
        const [seen, caughtUp]: [number[], number[]] = [[], []];
        const follower = log.followOutcomes(lane, from, filter, {
          message: ({ sequence }) => void seen.push(sequence),
          caughtUp: (last) => void caughtUp.push(last),
        });
        await world.until(() => seen.length >= count && caughtUp.length > 0, 'the records');
        await run(follower.stop());
        return seen;
      };
      const from = (first: number) => Array.from({ length: 21 - first }, (_, index) => first + index);
      expect(await followed(1, {}, 20)).toEqual(from(1));
      expect(await followed(4, {}, 17)).toEqual(from(4));
      expect(await followed(21, {}, 0)).toEqual([]);
      expect(await followed(1, { events: true }, 7)).toEqual([1, 4, 7, 10, 13, 16, 19]);
      expect(await followed(5, { wallet: true }, 6)).toEqual([5, 8, 11, 14, 17, 20]);
      const read = (first: number) =>
        run(log.readOutcomes(lane, first)).then((records) => records.map(({ sequence }) => sequence));
      await expect.poll(() => read(7), patience).toEqual(from(7));
      expect(await read(8)).toEqual(from(8));
      expect(await read(21)).toEqual([]);
    });

    it('tells what its streams hold, and reads some at a time from anywhere', async () => {
      const lane = 15;
      const empty = { firstSequence: 1, lastSequence: 0, messages: 0 };
      expect(await run(log.extents(lane))).toMatchObject({ commands: empty, outcomes: empty });
      for (const text of ['a', 'b', 'c']) await append(lane, text);
      await run(log.appendOutcome(lane, 1, noRouting, bytesOf('A')));
      expect(await run(log.extents(lane))).toMatchObject({
        commands: { stream: `CMD_${lane}`, firstSequence: 1, lastSequence: 3, messages: 3 },
        outcomes: { stream: `OUT_${lane}`, firstSequence: 1, lastSequence: 1, messages: 1 },
      });
      // Of three servers, one that is a moment behind may answer.
      const commands = async () =>
        (await run(log.readCommands(lane, 2))).map(({ sequence, bytes }) => [sequence, textOf(bytes)]);
      await expect.poll(commands, patience).toEqual([
        [2, 'b'],
        [3, 'c'],
      ]);
      const outcomes = async () => (await run(log.readOutcomes(lane, 1))).map(({ bytes }) => textOf(bytes));
      await expect.poll(outcomes, patience).toEqual(['A']);
      expect(await run(log.readCommands(lane, 4))).toEqual([]);
    });

    it('tells the last revision of a table, and how many keys it has had', async () => {
      expect(await run(log.tableExtent('EPOCHS'))).toEqual({ revision: 0, keys: 0 });
      const table = await run(log.table('EPOCHS'));
      const revision = await run(table.put('one', bytesOf('1'), 0));
      expect(await run(log.tableExtent('EPOCHS'))).toEqual({ revision, keys: 1 });
      expect(await run(table.remove('one', revision!))).toBe(true);
      expect(await run(log.tableExtent('EPOCHS'))).toEqual({ revision: revision! + 1, keys: 1 });
    });

    it('follows outcomes by what is in them', async () => {
      const routings = [
        noRouting,
        { wallet: true, hooks: false, events: true },
        { wallet: false, hooks: true, events: false },
        { wallet: true, hooks: true, events: true },
      ];
      for (const [index, routing] of routings.entries()) {
        await run(log.appendOutcome(8, index + 1, routing, bytesOf(String(index + 1))));
      }
      const followed = async (filter: Partial<typeof noRouting>, count: number): Promise<number[]> => {
        const seen: StoredOutcome[] = [];
        let current = false;
        const follower = log.followOutcomes(8, 1, filter, {
          message: (stored) => void seen.push(stored),
          caughtUp: () => {
            current = true;
          },
        });
        await world.until(() => current && seen.length >= count, 'the filtered records');
        await run(follower.stop());
        return seen.map((stored) => stored.sequence);
      };
      expect(await followed({ wallet: true }, 2)).toEqual([2, 4]);
      expect(await followed({ hooks: true }, 2)).toEqual([3, 4]);
      expect(await followed({}, 4)).toEqual([1, 2, 3, 4]);
    });

    it('writes a table only over the revision that the writer has seen', async () => {
      const table = await run(log.table('ACCOUNTS'));
      const revision = await run(table.put('lane.1', bytesOf('a'), 0));
      expect(revision).not.toBeNull();
      expect(await run(table.put('lane.1', bytesOf('b'), 0))).toBeNull();
      const next = await run(table.put('lane.1', bytesOf('b'), revision!));
      expect(next).toBeGreaterThan(revision!);
      expect(textOf((await run(table.get('lane.1')))!.value)).toBe('b');
      expect(await run(table.remove('lane.1', revision!))).toBe(false);
      expect(await run(table.remove('lane.1', next!))).toBe(true);
      expect(await run(table.get('lane.1'))).toBeNull();
      expect(await run(table.get('lane.2'))).toBeNull();
      expect(await run(table.put('lane.1', bytesOf('c'), 0))).not.toBeNull();
    });

    it('lists the present keys below a prefix', async () => {
      const table = await run(log.table('PLACEMENT'));
      for (const key of ['lane.1', 'lane.2', 'host.1']) await run(table.put(key, bytesOf(key), 0));
      const entry = await run(table.get('lane.1'));
      await run(table.remove('lane.1', entry!.revision));
      // Of three servers, one that is a moment behind may answer.
      await expect.poll(async () => (await run(table.keys())).sort(), patience).toEqual(['host.1', 'lane.2']);
      await expect.poll(() => run(table.keys('lane.')), patience).toEqual(['lane.2']);
    });

    it('keeps the longest key that an id may make', async () => {
      const longest = 'x'.repeat(64);
      const segment = String.fromCodePoint(0x1f600).repeat(128);
      const key = directoryKey.segment(`${longest}:${longest}`, segment);
      const table = await run(log.table('ACCOUNTS'));
      expect(await run(table.put(key, bytesOf('long'), 0))).not.toBeNull();
      expect(textOf((await run(table.get(key)))!.value)).toBe('long');
      expect(parseDirectoryKey(key)).toEqual({
        kind: 'segment',
        owner: `${longest}:${longest}`,
        id: segment,
      });
    });

    it('watches a table: what is there, then every change', async () => {
      const table = await run(log.table('NONCES'));
      await run(table.put('a', bytesOf('1'), 0));
      const seen: (string | null)[] = [];
      const watch = await run(
        table.watch({
          entry: (key, value) => void seen.push(`${key}=${value === null ? 'removed' : textOf(value)}`),
          current: () => void seen.push('current'),
        }),
      );
      await world.until(() => seen.includes('current'), 'the present entries');
      const revision = await run(table.put('b', bytesOf('2'), 0));
      await world.until(() => seen.length === 3, 'the change');
      await run(table.remove('b', revision!));
      await world.until(() => seen.length === 4, 'the removal');
      await run(watch.stop());
      expect(seen).toEqual(['a=1', 'current', 'b=2', 'b=removed']);
    });

    it('watches only the keys under some parts, where they are named', async () => {
      const table = await run(log.table('EPOCHS'));
      for (const key of ['item.1.a', 'item.11.b', 'item.2.c', 'item.1'])
        await run(table.put(key, bytesOf('1'), 0));
      await world.settled();
      const seen: string[] = [];
      const entry = (key: string): void => void seen.push(key);
      const watch = await run(table.watch({ entry, current: () => void seen.push('current') }, 'item.1'));
      await world.until(() => seen.includes('current'), 'the present entries');
      await run(table.put('item.2.d', bytesOf('2'), 0));
      await run(table.put('item.1.e', bytesOf('2'), 0));
      await world.until(() => seen.length === 3, 'the change');
      await run(watch.stop());
      expect(seen).toEqual(['item.1.a', 'current', 'item.1.e']);
    });

    it('keeps objects in an archive', async () => {
      const archive = await run(log.archive('SNAPSHOTS'));
      const large = new Uint8Array(700_000).map((_, index) => index % 251);
      const inParts = [large.subarray(0, 200_001), large.subarray(200_001)];
      // Of three servers, one that is a moment behind may answer.
      const settled = <T>(read: () => Promise<T>) => expect.poll(() => run(read()), patience);
      const isLarge = async (object: string) =>
        Buffer.compare((await archive.get(object)) ?? bytesOf(''), large) === 0;
      expect(await run(archive.get('0/1'))).toBeNull();
      await run(archive.put('0/1', large));
      await run(archive.put('0/2', bytesOf('small')));
      await settled(() => isLarge('0/1')).toBe(true);
      await settled(async () => (await archive.list()).sort()).toEqual(['0/1', '0/2']);
      await settled(() => archive.has('0/2')).toBe(true);
      expect(await run(archive.has('0/3'))).toBe(false);
      await run(archive.put('0/2', inParts));
      await settled(() => isLarge('0/2')).toBe(true);
      await run(archive.remove('0/1'));
      await settled(() => archive.list()).toEqual(['0/2']);
      await settled(() => archive.get('0/1')).toBeNull();
      await settled(() => archive.has('0/1')).toBe(false);
    });

    it('knows on the bus whether somebody listens', async () => {
      const subject = presenceSubject('somebody.here');
      const hasListener = () => run(world.bus.hasListener(subject, 300));
      expect(await hasListener()).toBe(false);
      const listening = world.bus.subscribe(subject, () => {});
      expect(await hasListener()).toBe(true);
      listening.stop();
      expect(await hasListener()).toBe(false);
    });

    it('carries messages and requests over the bus', async () => {
      const heard: string[] = [];
      const listening = world.bus.subscribe('tick.*', (message) => {
        heard.push(`${message.subject} ${textOf(message.bytes)}`);
      });
      const answering = world.bus.subscribe(
        'query.1',
        (message) => message.respond(bytesOf(`${textOf(message.bytes)}!`)),
        { queue: 'lane' },
      );
      expect(textOf(await run(world.bus.request('query.1', bytesOf('hello'), 20_000)))).toBe('hello!');
      world.bus.publish('tick.1', bytesOf('x'));
      await world.until(() => heard.length === 1, 'the tick');
      expect(heard).toEqual(['tick.1 x']);
      listening.stop();
      answering.stop();
      await expect(run(world.bus.request('query.1', bytesOf('hello'), 300))).rejects.toMatchObject({
        code: 'unavailable',
      });
    });

    it('goes on by itself after the server was killed: nothing lost, nothing twice', async () => {
      const seen: number[] = [];
      const events: string[] = [];
      const follower = log.follow(9, 1, { message: (stored) => void seen.push(stored.sequence) });
      const table = await run(log.table('DIRECTORY'));
      const watch = await run(table.watch({ entry: (key) => void events.push(key) }));
      const heard: string[] = [];
      const listening = world.bus.subscribe('tick.9', (message) => void heard.push(textOf(message.bytes)));
      for (let index = 0; index < 20; index += 1) await append(9, `before ${index}`);
      await run(table.put('before', bytesOf('1'), 0));
      await world.until(() => seen.length === 20 && events.length === 1, 'everything before');
      const interruptions = world.bus.interruptions();
      await world.kill();
      await world.until(() => !world.bus.connected(), 'the connection breaks');
      expect(world.bus.interruptions()).toBe(interruptions + 1);
      await expect(append(9, 'while down')).rejects.toMatchObject({ retryable: true });
      await world.restart();
      await world.until(() => world.bus.connected(), 'the connection is back');
      await atLast(() => append(9, 'after'));
      await atLast(() => run(table.put('after', bytesOf('2'), 0)));
      await world.until(() => seen.length >= 21 && events.length >= 2, 'everything after');
      const isHeard = (): boolean => {
        // The connection may look for another server meanwhile, and what is sent then is lost.
        world.bus.publish('tick.9', bytesOf('back'));
        return heard.length > 0;
      };
      await world.until(isHeard, 'the bus is back');
      const last = await atLast(() => run(log.lastCommand(9)));
      await world.until(() => seen.length >= last, 'the whole log');
      await run(follower.stop());
      await run(watch.stop());
      listening.stop();
      expect(seen).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      expect(events).toEqual(['before', 'after']);
    });

    async function atLast<T>(work: () => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (error) {
          if (attempt === 300 || !(error instanceof LogError) || !error.retryable) throw error;
          let paused = false;
          setTimeout(() => {
            paused = true;
          }, 100);
          await world.until(() => paused, 'a pause').catch(() => {});
        }
      }
    }
  });
}
