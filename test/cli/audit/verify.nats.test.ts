import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { secondWitnessPath } from '../../../src/actors/witness/witness-files.ts';
import { formatLine } from '../../../src/actors/witness/witness-lines.ts';
import { hashOf } from '../../../src/audit/chain.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import { exportTrail, verifyTrail } from '../../../src/cli/audit/run.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { connectAudit, connectLog } from '../../../src/log/jetstream/connect.ts';
import { systemId } from '../../../src/log/system/system-id.ts';
import { foundSystem } from '../../../src/log/system/system-lanes.ts';
import type { AuditLog } from '../../../src/ports.ts';
import { systemRandom } from '../../../src/wiring.ts';
import { entry } from '../../audit/entries.ts';
import { startNatsServer, type TestNatsServer } from '../../support/nats-server.ts';

/** A trail on a real server, of which somebody with rights to its configuration erases what they like. */

const patienceMs = 120_000;
const dayMs = 86_400_000;
let server: TestNatsServer;
let trail: AuditLog;
let directory: string;
let system: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'audit-'));
  server = await startNatsServer();
  const reach = { servers: [server.url], user: server.user, password: server.password, replicas: 1 };
  const log = await connectLog(reach);
  await foundSystem(log, 1, systemRandom);
  await log.prepare(1);
  system = await systemId(await log.table('PLACEMENT'));
  await log.close();
  trail = await connectAudit(reach);
}, patienceMs);

afterAll(async () => {
  await trail.close();
  await server.stop();
  rmSync(directory, { recursive: true });
}, patienceMs);

async function verified(members: { maxAgeDays?: number; file?: string } = {}) {
  const settings = {
    ...readSettings({ POTSTREAM_DATA: directory, POTSTREAM_WITNESS_DIRECTORY: join(directory, 'second') }),
    natsUrl: server.url,
    natsCredentials: { kind: 'password', user: server.user, password: server.password },
    auditMaxAgeMs: members.maxAgeDays === undefined ? null : members.maxAgeDays * dayMs,
  } as const;
  let text = '';
  const add = (more: string): void => {
    text += more;
  };
  const output = { write: add, print: add };
  const choices = { file: members.file ?? null, head: null, json: false };
  const code = await verifyTrail(settings, choices, output);
  return { code, text, settings };
}

/** All messages that are there leave the stream. */
async function erase(): Promise<void> {
  const connection = await connect({ servers: server.url, user: server.user, pass: server.password });
  const manager = await jetstreamManager(connection);
  const { config } = await manager.streams.info('AUDIT');
  await manager.streams.update('AUDIT', { ...config, max_age: 100_000_000, duplicate_window: 100_000_000 });
  await expect.poll(async () => (await trail.extent()).messages, { timeout: patienceMs }).toBe(0);
  // Who lets messages leave by their age could set the age back.
  await manager.streams.update('AUDIT', { ...config, max_age: 30 * dayMs * 1_000_000 });
  await connection.close();
}

it(
  'takes the allowed age from the settings, and not from the stream that was erased',
  async () => {
    const writer = new AuditWriter(trail);
    for (let at = 0; at < 5; at += 1) await writer.append(entry(`early-${at}`));
    expect(await verified()).toMatchObject({ code: 0, text: expect.stringMatching(/^VERIFIED\n/) });
    await erase();
    for (let at = 0; at < 3; at += 1) await writer.append(entry(`late-${at}`));
    expect(await verified()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/^FAILED\n[\s\S]*Message 6 is the first one: those before it are gone/),
    });
  },
  patienceMs,
);

it('does not take the age in the settings for proof that what is gone was old', async () => {
  expect(await verified({ maxAgeDays: 30 })).toMatchObject({
    code: 3,
    text: expect.stringMatching(/^INCOMPLETE\n[\s\S]*It begins with message 6\./),
  });
  const { settings } = await verified();
  const lines: string[] = [];
  await exportTrail(settings, { write: (line) => void lines.push(line), print: () => {} });
  const file = join(directory, 'trail');
  writeFileSync(file, lines.join(''));
  expect(await verified({ file })).toMatchObject({ code: 3, text: expect.stringMatching(/^INCOMPLETE\n/) });
  writeFileSync(file, '');
  expect(await verified({ file })).toMatchObject({ code: 3, text: expect.stringContaining('It is empty.') });
});

it('compares the trail with what hosts of the actors saw of it', async () => {
  const last = await trail.read(8);
  const head = hashOf(last?.bytes ?? '');
  const seen = (line: { first: number; last: number; head: string; daysAgo: number }) => {
    const { daysAgo, ...members } = line;
    const lastMs = Date.now() - daysAgo * dayMs;
    return formatLine({ system, trail: 'AUDIT', ...members, lastMs, atMs: lastMs });
  };
  const witness = (...lines: Parameters<typeof seen>[0][]) => {
    const path = secondWitnessPath(join(directory, 'second'), system, 'host');
    writeFileSync(path, lines.map(seen).join(''));
  };
  mkdirSync(join(directory, 'second'));
  witness({ first: 1, last: 5, head, daysAgo: 31 });
  expect(await verified({ maxAgeDays: 30 })).toMatchObject({ code: 0 });
  witness({ first: 1, last: 5, head, daysAgo: 29 });
  expect(await verified({ maxAgeDays: 30 })).toMatchObject({
    code: 1,
    text: expect.stringMatching(/5 is gone, which was stored at .* and is not 30 days old/),
  });
  witness({ first: 6, last: 8, head, daysAgo: 0 });
  expect(await verified({ maxAgeDays: 30 })).toMatchObject({ code: 0 });
  expect(await verified()).toMatchObject({ code: 0 });
  witness({ first: 6, last: 8, head: hashOf('another'), daysAgo: 0 });
  expect(await verified()).toMatchObject({
    code: 1,
    text: expect.stringContaining('Message 8 is another one'),
  });
  witness({ first: 6, last: 9, head, daysAgo: 0 });
  expect(await verified()).toMatchObject({ code: 1, text: expect.stringContaining('saw it end with 9') });
});
