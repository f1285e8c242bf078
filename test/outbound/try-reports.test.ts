import { expect, it } from 'vitest';
import {
  decodeCallbackTries,
  decodeWalletTries,
  encodeTries,
  type WalletTry,
} from '../../src/contracts/payments/tries.ts';
import { TryReports } from '../../src/outbound/try-reports.ts';
import { ManualClock } from '../actors/manual-clock.ts';

type Tried = Omit<WalletTry, 'number' | 'time'>;

function tried(transaction: string): Tried {
  return {
    ...{ call: 'W3', brand: 'acme:main', transaction_id: transaction, batch_id: null, records: 1 },
    ...{ result: 'accepted', code: null, status: 200, took_ms: 7 },
  };
}

function reporting() {
  const clock = new ManualClock();
  const messages: (readonly WalletTry[])[] = [];
  let dropped = 0;
  const reports = new TryReports<Tried>({
    clock,
    publish: (tries) => void messages.push(tries),
    dropped: (tries) => {
      dropped += tries;
    },
  });
  return { clock, messages, reports, dropped: () => dropped };
}

it('tells of tries a little later, many in a message, each with its number and time', () => {
  const { clock, messages, reports } = reporting();
  clock.advance(1_000);
  for (const id of ['a', 'b']) reports.add(tried(id));
  expect(messages).toEqual([]);
  clock.advance(500);
  expect(messages).toEqual([
    [
      { ...tried('a'), number: 1, time: 1_000 },
      { ...tried('b'), number: 2, time: 1_000 },
    ],
  ]);
  clock.advance(10_000);
  expect(messages).toHaveLength(1);
});

it('drops and counts what is too much, and their numbers stay free', () => {
  const { clock, messages, reports, dropped } = reporting();
  for (let count = 0; count < 4_100; count += 1) reports.add(tried(`t${count}`));
  expect(dropped()).toBe(4);
  clock.advance(500);
  expect(messages.flat()).toHaveLength(4_096);
  reports.add(tried('last'));
  reports.flush();
  expect(messages.flat().at(-1)).toMatchObject({ transaction_id: 'last', number: 4_101 });
});

it('fits a message of the log, whatever the ids are', () => {
  const { messages, reports } = reporting();
  const longest = '\u{1f600}'.repeat(128);
  for (let count = 0; count < 200; count += 1)
    reports.add({ ...tried(longest), brand: `${longest}:${longest}`.slice(0, 400), code: 'x'.repeat(64) });
  reports.flush();
  for (const tries of messages)
    expect(encodeTries({ process: 'p'.repeat(16), tries }).length).toBeLessThan(256 * 1024 - 1_024);
});

it('is read as it was told; anything else is nothing', () => {
  const told = { process: 'abc', tries: [{ ...tried('a'), number: 1, time: 2 }] };
  expect(decodeWalletTries(encodeTries(told))).toEqual(told);
  expect(decodeCallbackTries(encodeTries(told))).toBeNull();
  for (const text of ['', '{', 'null', '[]', '{"process":"a"}', '{"process":1,"tries":[]}'])
    expect(decodeWalletTries(Buffer.from(text))).toBeNull();
  const extra = { ...told, tries: [{ ...told.tries[0], player: 'ada' }] };
  expect(decodeWalletTries(Buffer.from(JSON.stringify(extra)))).toEqual(told);
});
