import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuditTrail } from '../../../src/audit/trail.ts';
import { type CallbackTry, encodeTries, type WalletTry } from '../../../src/contracts/payments/tries.ts';
import { callbackTriesSubject, walletTriesSubject } from '../../../src/log/base/names.ts';
import {
  connectAudit,
  connectBus,
  connectLog,
  connectSideStreams,
} from '../../../src/log/jetstream/connect.ts';
import type { Bus, StreamReader } from '../../../src/ports.ts';
import type { SideStream } from '../../../src/reporting/base/side-tables.ts';
import { scan } from '../../../src/reporting/store/questions/scan.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { StreamKeeper } from '../../../src/reporting/streams/stream-keeper.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';
import { eventually } from '../../outbox/support/receiver.ts';
import { makeSystemOn } from '../../support/made-system.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';
import { onEachDatabase, systemId } from '../support/places.ts';

/** The streams beside the lanes, of a real server, in a real database: whatever dies, each row is there once. */
onEachDatabase((books) => {
  let server: TestNatsServer;
  let bus: Bus;
  let trail: AuditTrail;
  let sides: Awaited<ReturnType<typeof connectSideStreams>>;
  const closing: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startNatsServer();
    const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
    const log = await connectLog(reach);
    await makeSystemOn(log, 1);
    bus = await connectBus(reach);
    trail = new AuditTrail(await connectAudit(reach), { clock: systemClock, random: systemRandom });
    sides = await connectSideStreams(reach);
    closing.push(log, bus, sides);
  });
  afterAll(async () => {
    await trail.stop();
    await Promise.all(closing.map((each) => each.close()));
    await server.stop();
  });

  function keep(store: BooksStore, stream: SideStream, through = streams()): StreamKeeper {
    const ports = { clock: systemClock, systemId, store, streams: through, report: rethrow };
    return new StreamKeeper(stream, ports);
  }
  const streams = (): Readonly<Record<SideStream, StreamReader>> => ({
    TRIES: sides.tries,
    AUDIT: sides.audit,
  });

  test('tries are there once, through ends of the process and messages that cannot be read', async () => {
    const store = await books.open();
    const already = (await sides.tries.extent()).lastSequence;
    bus.publish(walletTriesSubject, encodeTries({ process: 'w', tries: [walletTry(1), walletTry(2)] }));
    bus.publish(walletTriesSubject, Buffer.from('no tries'));
    bus.publish(walletTriesSubject, Buffer.from('{"process":"w","tries":[{"number":-1}]}'));
    bus.publish(callbackTriesSubject, encodeTries({ process: 'c', tries: [callbackTry(1)] }));
    await eventually(async () => (await sides.tries.extent()).lastSequence === already + 4, 'all are stored');
    let keeper = keep(store, 'TRIES');
    await eventually(async () => (await store.streamPosition('TRIES')) === already + 4, 'all are read');
    await keeper.stop();
    bus.publish(walletTriesSubject, encodeTries({ process: 'w', tries: [walletTry(3)] }));
    // The same again: it takes its own place.
    bus.publish(walletTriesSubject, encodeTries({ process: 'w', tries: [walletTry(3), walletTry(3)] }));
    await eventually(async () => (await sides.tries.extent()).lastSequence === already + 6, 'the next ones');
    keeper = keep(store, 'TRIES');
    await eventually(async () => (await store.streamPosition('TRIES')) === already + 6, 'they are read');
    await keeper.stop();
    expect(await rowsOf(store, 'wallet_tries')).toEqual([
      { ...walletTry(1), process: 'w', operator: 'acme' },
      { ...walletTry(2), process: 'w', operator: 'acme' },
      { ...walletTry(3), process: 'w', operator: 'acme' },
    ]);
    expect(await rowsOf(store, 'callback_tries')).toEqual([
      { ...callbackTry(1), process: 'c', operator: 'acme' },
    ]);
  });

  test('who changed what, and why, is there without addresses and inputs', async () => {
    const store = await books.open();
    const open = await trail.begin(
      {
        ...{ request_id: 'r', operation: 'A22', method: 'PATCH', path: '/config/pots/p?token=secret-query' },
        ...{ user: 'ada', address: '203.0.113.9', owners: ['acme'], reason: 'a refund' },
        approval: { id: 'a1', approved_by: 'bob' },
      },
      { body: { note: 'the input' } },
    );
    await open.finish({
      ...{ outcome: 'applied', status: 200, code: null },
      changes: [{ object: 'pot main', before: { value: '1' }, after: { value: '2', player: 'the-player' } }],
    });
    const keeper = keep(store, 'AUDIT');
    const { lastSequence } = await sides.audit.extent();
    await eventually(async () => (await store.streamPosition('AUDIT')) === lastSequence, 'it is read');
    await keeper.stop();
    const rows = (await rowsOf(store, 'audit')).slice(-2);
    expect(rows).toMatchObject([
      { kind: 'intent', user_name: 'ada', reason: 'a refund', approved_by: 'bob', path: '/config/pots/p' },
      { kind: 'outcome', outcome: 'applied', status: 200, operation: 'A22', owners: ['acme'] },
    ]);
    expect(rows[0]?.id).toBe(rows[1]?.id);
    expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.9|the input|secret-query|the-player/);
    expect(rows[1]?.changes).toEqual([
      { object: 'pot main', before: { value: '1' }, after: { value: '2', player: '***' } },
    ]);
  });

  test('of two processes one goes on; a stream that was made anew is read from its beginning', async () => {
    const store = await books.open();
    const message = (sequence: number, number: number) => ({
      ...{ sequence, timestampMs: 1_000 + sequence, relayed: sequence === 2 },
      bytes: encodeTries({ process: 'p', tries: [walletTry(number)] }),
    });
    const stored = [message(1, 1), message(2, 2), message(3, 3)];
    const memory: StreamReader = {
      async extent() {
        const [first, last] = [stored[0]!.sequence, stored.at(-1)!.sequence];
        return {
          ...{ stream: 'TRIES', firstSequence: first, lastSequence: last },
          ...{ messages: stored.length, maxAgeMs: 0 },
        };
      },
      readFrom: async (from) => stored.filter(({ sequence }) => sequence >= from).slice(0, 2),
    };
    const through = { TRIES: memory, AUDIT: memory };
    const keepers = [keep(store, 'TRIES', through), keep(store, 'TRIES', through)];
    await eventually(async () => (await store.streamPosition('TRIES')) === 3, 'all are read');
    await Promise.all(keepers.map((keeper) => keeper.stop()));
    // A message that a stranger had the server store brings nothing.
    const numbers = async () => (await rowsOf(store, 'wallet_tries')).map(({ number }) => number);
    expect(await numbers()).toEqual([1, 3]);
    stored.splice(0, 3, message(1, 9));
    const keeper = keep(store, 'TRIES', through);
    await eventually(async () => (await store.streamPosition('TRIES')) === 1, 'the new one is read');
    await keeper.stop();
    expect(await numbers()).toEqual([1, 3, 9]);
  });
});

function walletTry(number: number): WalletTry {
  return {
    ...{ number, time: 1_700_000_000_000 + number, took_ms: 5, status: 200, call: 'W3', brand: 'acme:main' },
    ...{ transaction_id: `t${number}`, batch_id: null, records: 1, result: 'accepted', code: null },
  };
}

function callbackTry(number: number): CallbackTry {
  return {
    ...{ number, time: 1_700_000_000_000, took_ms: 5, status: null, owner: 'acme:main', event_id: 'e' },
    ...{ kind: 'ContributionResult', lane: 0, sequence: 7, origin: 'https://callbacks.example.com' },
    ...{ result: 'failed', error: 'no_answer', is_final: false },
  };
}

async function rowsOf(store: BooksStore, table: 'wallet_tries' | 'callback_tries' | 'audit') {
  const rows: Record<string, unknown>[] = [];
  for await (const row of scan(store, table, { where: [] })) rows.push({ ...row });
  return rows;
}

function rethrow(error: unknown): void {
  throw error;
}
