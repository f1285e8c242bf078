import { expect, it } from 'vitest';
import { type RecordedMessage, RecordedMessages } from '../../../src/gateway/lanes/recorded-outcome.ts';

const message = (sequence: number) => ({ commands: [], record: { sequence } }) as unknown as RecordedMessage;

function reading() {
  const reads: number[] = [];
  const messages = new RecordedMessages();
  const get = (sequence: number, answer: () => Promise<RecordedMessage | null>, lane = 0) =>
    messages.get(lane, sequence, () => {
      reads.push(sequence);
      return answer();
    });
  return { reads, get };
}

it('reads a message once for all that ask for it now or soon', async () => {
  const { reads, get } = reading();
  const found = async () => message(7);
  const asked = [get(7, found), get(7, found)];
  expect(await Promise.all(asked)).toEqual([message(7), message(7)]);
  await get(7, found);
  expect(reads).toEqual([7]);
  await get(7, found, 1);
  expect(reads).toEqual([7, 7]);
});

it('asks again about what is not recorded yet, and after a failure', async () => {
  const { reads, get } = reading();
  expect(await get(7, async () => null)).toBeNull();
  await expect(get(7, () => Promise.reject(new Error('outage')))).rejects.toThrow('outage');
  expect(await get(7, async () => message(7))).toEqual(message(7));
  expect(reads).toEqual([7, 7, 7]);
});

it('keeps the newest sixteen', async () => {
  const { reads, get } = reading();
  for (let sequence = 1; sequence <= 17; sequence += 1) await get(sequence, async () => message(sequence));
  for (const sequence of [17, 2, 1]) await get(sequence, async () => message(sequence));
  expect(reads.slice(17)).toEqual([1]);
});
