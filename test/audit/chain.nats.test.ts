import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeMessage } from '../../src/audit/chain.ts';
import { readTrail } from '../../src/audit/reader.ts';
import { AuditVerification } from '../../src/audit/verify.ts';
import { AuditWriter } from '../../src/audit/writer.ts';
import { connectAudit, connectLog } from '../../src/log/jetstream/connect.ts';
import type { AuditLog, StoredAudit } from '../../src/ports.ts';
import { startNatsServer, type TestNatsServer } from '../support/nats-server.ts';
import { entry } from './entries.ts';

/** Gateways that write one chain on a real server, which dies and comes back. */

const patienceMs = 180_000;
const gateways = 3;
/** The entry that is accepted last. */
let newestId = '';
let server: TestNatsServer;
let logs: AuditLog[];

beforeAll(async () => {
  server = await startNatsServer();
  const settings = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const log = await connectLog(settings);
  await log.prepare(1);
  await log.close();
  logs = await Promise.all(Array.from({ length: gateways }, () => connectAudit(settings)));
}, patienceMs);

afterAll(async () => {
  await Promise.all(logs.map((log) => log.close()));
  await server.stop();
}, patienceMs);

test(
  'several gateways make one chain, each entry once, though the server is killed meanwhile',
  async () => {
    const writers = logs.map((log) => new AuditWriter(log));
    const accepted = new Set<string>();
    const refused = new Set<string>();
    const append = (id: string, at: number): Promise<void> =>
      (writers[at % gateways] as AuditWriter).append(entry(id)).then(
        () => void accepted.add(id),
        () => void refused.add(id),
      );
    const running: Promise<void>[] = [];
    for (let at = 0; at < 600; at += 1) {
      running.push(append(`entry-${at}`, at));
      if (at % 20 === 0) await delay(1);
      if (at !== 300) continue;
      await server.kill();
      await server.restart();
    }
    await Promise.all(running);
    // Each may still be looking for the server.
    let after = 0;
    for (let gateway = 0; gateway < gateways; gateway += 1) {
      do {
        newestId = `after-${after}`;
        after += 1;
        await append(newestId, gateway);
      } while (!accepted.has(newestId));
    }
    expect(accepted.size + refused.size).toBe(600 + after);

    const messages = await allMessages();
    const { lastSequence } = await logs[0]!.extent();
    const verification = new AuditVerification();
    for (const message of messages) verification.take(message);
    expect(verification.report(lastSequence)).toMatchObject({ verified: true, faults: [] });
    const ids = messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries.map(({ id }) => id));
    // A refused one may be stored, if only its acknowledgement was lost.
    expect(ids.filter((id) => accepted.has(id)).toSorted()).toEqual([...accepted].toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  },
  patienceMs,
);

test('a list reads the stream in both directions', async () => {
  const everything = { matches: () => true };
  const newest = await readTrail(logs[1]!, everything, { skip: 0, limit: 1, oldestFirst: false });
  expect(newest.records.map(({ intent }) => intent.id)).toEqual([newestId]);
  const oldest = await readTrail(logs[1]!, everything, { skip: 0, limit: 100_000, oldestFirst: true });
  expect(oldest.records.at(-1)?.intent.id).toBe(newestId);
});

async function allMessages(): Promise<readonly StoredAudit[]> {
  const log = logs[0]!;
  const { lastSequence } = await log.extent();
  const messages: StoredAudit[] = [];
  while ((messages.at(-1)?.sequence ?? 0) < lastSequence)
    messages.push(...(await log.readFrom((messages.at(-1)?.sequence ?? 0) + 1)));
  return messages;
}
