import { describe, expect, it } from 'vitest';
import { OutcomeJournal } from '../../../src/log/lanes/outcome-journal.ts';
import type { Clock, OutcomeRouting } from '../../../src/ports.ts';
import { noFaults, type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const routing: OutcomeRouting = { wallet: false, hooks: false, events: false };
const record = (sequence: number): Uint8Array => Uint8Array.of(sequence & 0xff, sequence >> 8, 7);

interface Setting {
  readonly world: SimWorld;
  readonly server: SimServer;
  readonly node: SimNode;
  readonly clock: Clock;
  readonly failures: Error[];
  open(storedSequence: number): OutcomeJournal;
}

function given(seed: number): Setting {
  const world = new SimWorld(seed);
  const server = new SimServer(world, 1);
  const node = server.connect('owner');
  const clock = world.clock(() => node.alive);
  const failures: Error[] = [];
  const open = (storedSequence: number): OutcomeJournal =>
    new OutcomeJournal({
      log: node.log,
      clock,
      lane: 0,
      storedSequence,
      onFailure: (error) => void failures.push(error),
    });
  return { world, server, node, clock, failures, open };
}

const contents = (server: SimServer): Uint8Array[] => server.lanes[0]!.outcomes.map(({ bytes }) => bytes);
const records = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => record(index + 1));

describe.each([
  ['a message for each record', false],
  ['blocks', true],
])('in %s, a journal', (_, inBlock) => {
  const of = (sequence: number, bytes: Uint8Array) => ({ sequence, routing, bytes, inBlock });

  it('stores every record once and in order, whatever is lost, delayed or unknown', async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { world, server, open, failures } = given(seed);
      server.faults = { ...noFaults, lostRequest: 0.05, lostAnswer: 0.05, maxDelayMs: 40 };
      const journal = open(0);
      for (let sequence = 1; sequence <= 150; sequence += 1) {
        journal.append(of(sequence, record(sequence)));
        if (sequence % 20 === 0) await world.passes(world.between(0, 60));
      }
      await world.until(() => journal.storedSequence === 150, 300_000, 'the last record');
      expect(contents(server)).toEqual(records(150));
      expect(journal.pendingCount).toBe(0);
      expect(failures).toEqual([]);
    }
  });

  it('takes equal records of another owner for stored', async () => {
    const { world, server, open, failures } = given(1);
    for (let sequence = 1; sequence <= 10; sequence += 1) {
      server.appendOutcome(0, sequence, routing, record(sequence));
    }
    const journal = open(2);
    for (let sequence = 3; sequence <= 12; sequence += 1) journal.append(of(sequence, record(sequence)));
    await world.until(() => journal.storedSequence === 12, 60_000, 'the last record');
    expect(contents(server)).toEqual(records(12));
    expect(failures).toEqual([]);
  });

  it('ends where another owner stored other bytes', async () => {
    const { world, server, open, failures } = given(1);
    server.appendOutcome(0, 1, routing, record(99));
    const journal = open(0);
    journal.append(of(1, record(1)));
    journal.append(of(2, record(2)));
    const drained = journal.drained().then(
      () => null,
      (error: unknown) => error,
    );
    await world.until(() => failures.length > 0, 60_000, 'the failure');
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ code: 'corrupt' });
    expect(await drained).toBe(failures[0]);
    await world.passes(10_000);
    expect(contents(server)[0]).toEqual(record(99));
    expect(journal.storedSequence).toBe(0);
  });

  it('ends where OUT has lost records that were stored', async () => {
    const { world, server, open, failures } = given(1);
    const journal = open(0);
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      journal.append(of(sequence, record(sequence)));
      // So that blocks end here.
      if (sequence % 5 === 0) await world.passes(50);
    }
    await world.until(() => journal.storedSequence === 20, 10_000, 'the last record');
    server.cutOutcomes(0, 15);
    journal.append(of(21, record(21)));
    await world.until(() => failures.length > 0, 60_000, 'the failure');
    expect(failures).toMatchObject([{ code: 'hole', message: expect.stringContaining('ends at 15') }]);
    expect(contents(server)).toEqual(records(15));
  });

  it('waits for a server that does not know its whole OUT yet', async () => {
    const { world, server, open, failures } = given(1);
    const journal = open(0);
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      journal.append(of(sequence, record(sequence)));
      // So that blocks end here.
      if (sequence % 5 === 0) await world.passes(50);
    }
    await world.until(() => journal.storedSequence === 20, 10_000, 'the last record');
    const { outcomes } = server.lane(0);
    const tail = outcomes.slice(15);
    server.cutOutcomes(0, 15);
    journal.append(of(21, record(21)));
    await world.passes(1_000);
    outcomes.push(...tail);
    await world.until(() => journal.storedSequence === 21, 60_000, 'the last record');
    expect(contents(server)).toEqual(records(21));
    expect(failures).toEqual([]);
  });

  it('goes on when the server is back', async () => {
    const { world, server, open } = given(1);
    const journal = open(0);
    server.up = false;
    for (let sequence = 1; sequence <= 5; sequence += 1) journal.append(of(sequence, record(sequence)));
    await world.passes(5_000);
    expect(journal.storedSequence).toBe(0);
    server.up = true;
    await world.until(() => journal.storedSequence === 5, 10_000, 'the last record');
    expect(contents(server)).toEqual(records(5));
  });

  it('has no room where too many records wait, until enough are stored', async () => {
    const { world, server, open } = given(1);
    const journal = open(0);
    server.up = false;
    let sequence = 0;
    while (journal.room() === null && sequence < 10_000) {
      sequence += 1;
      journal.append(of(sequence, record(sequence)));
    }
    expect(sequence).toBe(1_024);
    let room = false;
    void journal.room()!.then(() => {
      room = true;
    });
    await world.passes(1_000);
    expect(room).toBe(false);
    server.up = true;
    await world.until(() => room, 60_000, 'room');
    expect(journal.pendingCount).toBeLessThan(512);
  });

  it('sends nothing more once it is stopped', async () => {
    const { world, server, open } = given(1);
    server.up = false;
    const journal = open(0);
    journal.append(of(1, record(1)));
    const drained = journal.drained().then(
      () => null,
      (error: unknown) => error,
    );
    await world.passes(100);
    await journal.stop();
    server.up = true;
    await world.passes(10_000);
    expect(contents(server)).toEqual([]);
    expect(await drained).toMatchObject({ code: 'stopped' });
  });

  it('refuses a record that does not follow the one before', () => {
    const journal = given(1).open(4);
    expect(() => journal.append(of(6, record(6)))).toThrow('does not follow');
  });

  it('holds the lane once too many bytes are on their way, however few records they are', async () => {
    const { world, server, open } = given(3);
    const journal = open(0);
    const large = new Uint8Array(24 * 1024 * 1024);
    server.up = false;
    for (let sequence = 1; sequence <= 2; sequence += 1) journal.append(of(sequence, large));
    expect(journal.room()).toBeNull();
    journal.append(of(3, large));
    let isFree = false;
    void journal.room()!.then(() => {
      isFree = true;
    });
    await world.passes(1_000);
    expect(isFree).toBe(false);
    server.up = true;
    await world.until(() => journal.storedSequence === 3, 60_000, 'the last record');
    expect(isFree).toBe(true);
    expect(journal.room()).toBeNull();
  });

  it('holds where OUT takes nothing more, says so once, and goes on by itself when there is room', async () => {
    const { world, server, node, clock, failures } = given(1);
    const told: boolean[] = [];
    const journal = new OutcomeJournal({
      log: node.log,
      clock,
      lane: 0,
      storedSequence: 0,
      onFailure: (error) => void failures.push(error),
      onFull: (full) => void told.push(full),
    });
    server.maxOutcomeBytes = 3 * 20;
    for (let sequence = 1; sequence <= 20; sequence += 1) journal.append(of(sequence, record(sequence)));
    await world.until(() => journal.storedSequence === 20, 10_000, 'all that has room');
    for (let sequence = 21; sequence <= 90; sequence += 1) journal.append(of(sequence, record(sequence)));
    await world.passes(600_000);
    expect([contents(server), failures, told]).toEqual([records(20), [], [true]]);
    expect(journal.storedSequence).toBe(20);
    expect(journal.pendingBytes).toBe(70 * 3);
    server.maxOutcomeBytes = Number.POSITIVE_INFINITY;
    await world.until(() => journal.storedSequence === 90, 60_000, 'the last record');
    expect([contents(server), failures, told]).toEqual([records(90), [], [true, false]]);
    expect(journal.pendingBytes).toBe(0);
  });
});

const none = { routing, inBlock: true };
const followed = { routing: { ...routing, events: true }, inBlock: true };
const blocksOf = (server: SimServer): number[] => [
  ...new Set(server.lanes[0]!.outcomes.map(({ first }) => first)),
];

it('waits a moment for more records, but not behind one that somebody follows', async () => {
  const { world, server, open } = given(1);
  const journal = open(0);
  for (const sequence of [1, 2]) journal.append({ sequence, bytes: record(sequence), ...none });
  await world.passes(2);
  expect(journal.storedSequence).toBe(0);
  journal.append({ sequence: 3, bytes: record(3), ...followed });
  await world.passes(3);
  expect(journal.storedSequence).toBe(3);
  for (const sequence of [4, 5]) journal.append({ sequence, bytes: record(sequence), ...none });
  await world.passes(10);
  expect([journal.storedSequence, blocksOf(server)]).toEqual([5, [1, 4]]);
});

it('fills a block up to 256 records or 128 KiB, and none with a traced record', async () => {
  const { world, server, open } = given(1);
  const journal = open(0);
  for (let sequence = 1; sequence <= 300; sequence += 1)
    journal.append({ sequence, bytes: record(sequence), ...none });
  const traces = { header: 'a', stored() {} };
  journal.append({ sequence: 301, bytes: record(301), ...none, traces });
  const half = new Uint8Array(65 * 1024);
  for (const sequence of [302, 303]) journal.append({ sequence, bytes: half, ...none });
  await world.until(() => journal.storedSequence === 303, 10_000, 'all');
  expect(blocksOf(server)).toEqual([1, 257, 301, 302, 303]);
});

it('stores at once what is waited for', async () => {
  const { world, server, open } = given(1);
  const journal = open(0);
  journal.append({ sequence: 1, bytes: record(1), ...none });
  let isDrained = false;
  void journal.drained().then(() => {
    isDrained = true;
  });
  await world.passes(3);
  expect([isDrained, contents(server)]).toEqual([true, [record(1)]]);
});

it('takes the records of another owner for stored wherever its blocks end', async () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { world, server, open, failures } = given(seed);
    const total = 40;
    for (let first = 1; first <= total; ) {
      const count = Math.min(world.between(1, 6), total + 1 - first);
      const block = Array.from({ length: count }, (_, index) => ({ routing, bytes: record(first + index) }));
      server.appendBlock(0, first, block);
      first += count;
    }
    server.faults = { ...noFaults, lostRequest: 0.05, lostAnswer: 0.05, maxDelayMs: 20 };
    const from = world.between(0, total);
    const journal = open(from);
    for (let sequence = from + 1; sequence <= total + 30; sequence += 1) {
      journal.append({ sequence, bytes: record(sequence), ...(sequence % 7 === 0 ? followed : none) });
      if (sequence % 5 === 0) await world.passes(world.between(0, 20));
    }
    await world.until(() => journal.storedSequence === total + 30, 300_000, 'the last record');
    expect(contents(server)).toEqual(records(total + 30));
    expect(failures).toEqual([]);
  }
});
