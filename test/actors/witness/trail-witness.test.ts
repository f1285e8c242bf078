import { expect, it } from 'vitest';
import { TrailWitness } from '../../../src/actors/witness/trail-witness.ts';
import { compacted } from '../../../src/actors/witness/witness-lines.ts';
import { AuditWriter } from '../../../src/audit/writer.ts';
import type { StoredAudit } from '../../../src/ports.ts';
import { entry } from '../../audit/entries.ts';
import { type MemoryAudit, memoryAudit } from '../../audit/memory-audit.ts';
import { MemoryWitness } from '../../support/memory-witness.ts';
import { ManualClock } from '../manual-clock.ts';

const dayMs = 86_400_000;

/** One host after another, with the same witness. */
function world(maxAgeMs: number | null = null) {
  const trail = memoryAudit();
  const clock = new ManualClock();
  const witness = new MemoryWitness();
  const alarms: string[] = [];
  const monitor = {
    alarm: (_: number, code: string, message: string) => void alarms.push(`${code}: ${message}`),
  };
  const host = () => new TrailWitness({ trail, clock, monitor, witness }, maxAgeMs);
  return { trail, clock, witness, alarms, host };
}

async function write(trail: MemoryAudit, clock: ManualClock, count: number, name = 'entry'): Promise<void> {
  const writer = new AuditWriter(trail);
  for (let at = 0; at < count; at += 1) await writer.append(entry(`${name}-${at}`));
  for (const [at, message] of trail.messages.entries())
    if (message.timestampMs > clock.nowMs()) trail.messages[at] = { ...message, timestampMs: clock.nowMs() };
}

it('notes each new end of the trail, and tells of nothing while it only grows', async () => {
  const { trail, clock, witness, alarms, host } = world();
  const first = host();
  await first.look();
  await write(trail, clock, 2);
  await first.look();
  await first.look();
  await write(trail, clock, 1);
  await host().look();
  expect(witness.trails().map(({ first, last }) => [first, last])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
  expect(alarms).toEqual([]);
});

it.each<[string, RegExp, (messages: StoredAudit[]) => unknown]>([
  ['was cut at its end', /ends with message 4, but a witness saw it end with 5/, (all) => all.pop()],
  ['was deleted', /ends with message 0, but/, (all) => all.splice(0)],
  ['lost its beginning', /Message 3 is the first one/, (all) => all.splice(0, 2)],
])('a host that starts later tells of a trail that %s', async (_, text, change) => {
  const { trail, clock, alarms, host } = world();
  await write(trail, clock, 5);
  await host().look();
  change(trail.messages);
  const later = host();
  await later.look();
  await later.look();
  expect(alarms).toEqual([expect.stringMatching(/^audit_trail_damaged: /)]);
  expect(alarms[0]).toMatch(text);
  expect(later.warnings()).toHaveLength(1);
});

it('tells of a trail that was made anew and is longer by now', async () => {
  const { trail, clock, alarms, host } = world();
  await write(trail, clock, 5);
  await host().look();
  trail.messages.splice(0);
  await write(trail, clock, 9, 'other');
  await host().look();
  expect(alarms).toEqual([expect.stringContaining('Message 5 is another one than a witness saw')]);
});

it('lets messages leave when they are as old as the settings say, and no sooner', async () => {
  const { trail, clock, witness, alarms, host } = world(30 * dayMs);
  await write(trail, clock, 5);
  await host().look();
  clock.advance(31 * dayMs);
  await write(trail, clock, 5);
  await host().look();
  trail.messages.splice(0, 5);
  await host().look();
  expect([alarms, witness.trails().at(-1)?.first]).toEqual([[], 6]);
  clock.advance(20 * dayMs);
  await write(trail, clock, 1);
  trail.messages.splice(0, 5);
  await host().look();
  expect(alarms).toEqual([
    expect.stringMatching(/10 is gone, which was stored at .* and is not 30 days old/),
  ]);
});

it('takes what somebody accepted as the trail from then on', async () => {
  const { trail, clock, witness, alarms, host } = world();
  await write(trail, clock, 5);
  await host().look();
  trail.messages.splice(0, 2);
  clock.advance(1000);
  witness.lines.push({ accepted: 'AUDIT', by: 'ada', reason: 'restored', atMs: clock.nowMs() });
  clock.advance(1000);
  await host().look();
  expect(alarms).toEqual([]);
  trail.messages.splice(0, 1);
  await host().look();
  expect(alarms).toEqual([expect.stringContaining('Message 4 is the first one')]);
});

it('keeps a line of each day for ever', async () => {
  const { trail, clock, witness, host } = world();
  for (let day = 0; day < 400; day += 1) {
    clock.advance(dayMs / 2);
    await write(trail, clock, 1);
    await host().look();
  }
  const kept = compacted(witness.lines, clock.nowMs());
  expect(kept.length).toBeGreaterThan(200);
  expect(kept.length).toBeLessThan(212);
});
