import { expect, it } from 'vitest';
import type { CreditSettled } from '../../../src/messages/settlement-commands.ts';
import { type Log, LogError } from '../../../src/ports.ts';
import { reasonText } from '../../../src/wallet/execution/batch-job.ts';
import { settlementLimits } from '../../../src/wallet/execution/limits.ts';
import { SettlementWriter } from '../../../src/wallet/execution/settlement-writer.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';

const reports = 3_000;

it.each([
  ['ASCII', 'x'],
  ['two bytes a character', 'ж'],
  ['three bytes a character', '後'],
  ['four bytes a character', '🎰'],
])('reports that wait for the log fit its messages, with reasons of %s', async (_, character) => {
  const sizes: number[] = [];
  let isDown = true;
  const append: Log['append'] = async (_lane, _channel, bytes) => {
    if (isDown) throw new LogError('unavailable', 'down');
    sizes.push(bytes.length);
    return { kind: 'stored', sequence: sizes.length, duplicate: false };
  };
  const bugs: unknown[] = [];
  const writer = new SettlementWriter(0, {
    ...{ log: { append } as Log, clock: systemClock, random: systemRandom },
    trouble: () => {},
    report: (error) => void bugs.push(error),
  });
  const written = Array.from({ length: reports }, (_, index) =>
    writer.write([refused(index, reasonText('locked', character.repeat(400)))]),
  );
  isDown = false;
  await Promise.all(written);
  await writer.stop(0);
  expect(bugs).toEqual([]);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(settlementLimits.messageBytes);
});

it('an error of the log that is no LogError is reported, and the same bytes are sent again', async () => {
  const sent: string[] = [];
  const append: Log['append'] = async (_lane, _channel, bytes, { messageId }) => {
    sent.push(`${messageId} ${Buffer.from(bytes).toString('hex')}`);
    if (sent.length === 1) throw new TypeError('a client that is broken');
    return { kind: 'stored', sequence: 7, duplicate: false };
  };
  const bugs: unknown[] = [];
  const writer = writerOf(append, bugs);
  expect(await writer.write([refused(1, 'locked')])).toBe(7);
  expect(bugs).toEqual([new TypeError('a client that is broken')]);
  expect(new Set(sent).size).toBe(1);
  await writer.stop(0);
});

it('a report that cannot be written ends by itself, and those beside it are stored', async () => {
  let stored = 0;
  const append: Log['append'] = async () => {
    stored += 1;
    return { kind: 'stored', sequence: stored, duplicate: false };
  };
  const bugs: unknown[] = [];
  const writer = writerOf(append, bugs);
  const poison: CreditSettled = {
    ...refused(1, 'locked'),
    get result(): never {
      throw new Error('cannot be written');
    },
  };
  const written = await Promise.allSettled(
    [refused(0, 'locked'), poison, refused(2, 'locked')].map((report) => writer.write([report])),
  );
  expect(written.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await writer.write([refused(3, 'a'), refused(4, 'b')])).toBe(3);
  await writer.stop(0);
});

function writerOf(append: Log['append'], bugs: unknown[]): SettlementWriter {
  return new SettlementWriter(0, {
    ...{ log: { append } as Log, clock: systemClock, random: systemRandom },
    trouble: () => {},
    report: (error) => void bugs.push(error),
  });
}

it('a reason is cut between characters', () => {
  const reason = reasonText('a', '🎰'.repeat(400));
  expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(200);
  expect(reason).toBe(`a: ${'🎰'.repeat(49)}`);
});

function refused(index: number, reason: string): CreditSettled {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return { kind: 'CreditSettled', transactionIds: [id], result: 'refused', reason };
}
