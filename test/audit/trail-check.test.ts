import { expect, it } from 'vitest';
import { encodeMessage, hashOf, noPrevious } from '../../src/audit/chain.ts';
import { TrailCheck } from '../../src/audit/trail-check.ts';
import type { StoredAudit } from '../../src/ports.ts';
import { ManualClock } from '../actors/manual-clock.ts';
import { entry } from './entries.ts';
import { memoryAudit } from './memory-audit.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

function trailOf(count: number, name = 'e'): StoredAudit[] {
  let previous = noPrevious;
  return Array.from({ length: count }, (_, at) => {
    const bytes = encodeMessage({ sequence: at + 1, previous, entries: [entry(`${name}${at}`)] });
    previous = hashOf(bytes);
    return { sequence: at + 1, timestampMs: new ManualClock().nowMs(), bytes, relayed: false };
  });
}

function checkOf(messages: StoredAudit[], maxAgeMs: number | null = null) {
  const log = memoryAudit(messages);
  const clock = new ManualClock();
  const alarms: string[] = [];
  const ports = {
    log,
    clock,
    alarm: (code: string, message: string) => void alarms.push(`${code}: ${message}`),
    report(error: unknown) {
      throw error;
    },
  };
  const check = new TrailCheck(ports, maxAgeMs);
  return { check, alarms, clock };
}

it('finds a changed byte within a round of slices, and a second one in the next round', async () => {
  const messages = trailOf(2_200);
  const { check, alarms } = checkOf(messages);
  for (let n = 0; n < 3; n += 1) await check.poll();
  expect([check.faults(), check.warnings(), alarms]).toEqual([0, [], []]);
  messages[2_100] = changed(messages[2_100] as StoredAudit);
  await check.poll();
  await check.poll();
  expect(alarms).toEqual([]);
  await check.poll();
  // The message, and the link of the one behind it.
  expect(check.faults()).toBe(2);
  expect(alarms).toEqual([expect.stringContaining('Message 2101 is not what was written.')]);
  messages[5] = changed(messages[5] as StoredAudit);
  for (let n = 0; n < 3; n += 1) await check.poll();
  expect(check.faults()).toBe(4);
  expect(alarms).toHaveLength(2);
  expect(check.warnings()).toEqual(['the audit trail is damaged: 4 faults ("potstream audit verify")']);
});

it('finds a message that nats-server dropped within a minute, and says so each hour', async () => {
  const messages = trailOf(2_200);
  const { check, alarms, clock } = checkOf(messages);
  await check.poll();
  messages.splice(2_150, 1);
  await check.poll();
  expect(check.faults()).toBe(1);
  expect(alarms).toEqual([
    'audit_trail_damaged: The audit trail is damaged. Missing messages: 1. Runbook: docs/operate.md#potstreamaudittraildamaged',
  ]);
  // The round that gets there says which.
  await check.poll();
  expect(alarms[1]).toContain('Message 2152 follows 2150.');
  clock.advance(59 * minuteMs);
  await check.poll();
  expect(alarms).toHaveLength(2);
  clock.advance(minuteMs);
  await check.poll();
  expect(alarms).toHaveLength(3);
});

it('takes a trail with a maximum age as it is while its oldest messages leave', async () => {
  const messages = trailOf(2_200);
  const { check, alarms, clock } = checkOf(messages, 30 * dayMs);
  await check.poll();
  clock.advance(31 * dayMs);
  messages.splice(0, 1_500);
  for (let n = 0; n < 3; n += 1) await check.poll();
  expect([check.faults(), alarms]).toEqual([0, []]);
});

it('finds that messages left the trail before they were as old as the settings allow', async () => {
  const messages = trailOf(2_000);
  const { check, alarms, clock } = checkOf(messages, 30 * dayMs);
  await check.poll();
  clock.advance(29 * dayMs);
  messages.splice(0, 1_000);
  await check.poll();
  expect(alarms).toEqual([expect.stringMatching(/ is gone, which was stored at .* and is not 30 days old/)]);
});

it('finds a trail that was made anew, as long as the one before or longer', async () => {
  const messages = trailOf(20);
  const { check, alarms } = checkOf(messages);
  await check.poll();
  messages.splice(0, 20, ...trailOf(21, 'other').slice(0, 20));
  await check.poll();
  expect(alarms.at(-1)).toContain('Message 20 is another one than a witness saw');
  messages.splice(0, 20, ...trailOf(25, 'other'));
  await check.poll();
  expect(check.warnings()).toHaveLength(1);
});

it('finds that the beginning of a trail without a maximum age is gone', async () => {
  const { check, alarms } = checkOf(trailOf(20).slice(3));
  await check.poll();
  expect(alarms).toEqual([expect.stringContaining('those before it are gone')]);
});

function changed(message: StoredAudit): StoredAudit {
  const bytes = Uint8Array.from(message.bytes);
  bytes[100]! ^= 1;
  return { ...message, bytes };
}
