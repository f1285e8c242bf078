import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createFeedTickets, type FeedTickets } from '../../../src/access/keys/feed-tickets.ts';
import { openSealer } from '../../../src/access/keys/seal.ts';
import {
  decodeTicketAnswer,
  decodeTicketQuestion,
  encodeTicketAnswer,
  encodeTicketQuestion,
  maxTicketLength,
  type TicketContent,
} from '../../../src/contracts/feeds/tickets.ts';
import { LogError, type Table } from '../../../src/ports.ts';
import { systemRandom } from '../../../src/wiring.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const directory = mkdtempSync(join(tmpdir(), 'tickets-'));
afterAll(() => rmSync(directory, { recursive: true }));

const ofPlayer: TicketContent = {
  brand: 'demo:main',
  currency: 'EUR',
  instances: ['a'.repeat(32), 'pot-1'],
  holder: { kind: 'player', player: 'player-1', token: 'secret-token' },
};

let nowMs = 0;
let table: Table;
beforeEach(() => {
  nowMs = 1_700_000_000_000;
  table = memoryTable();
});

/** One that shares the key and the table, as gateways do. */
function gateway(keys = 'shared', of: Table = table): FeedTickets {
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
  const sealer = openSealer(join(directory, keys), systemRandom);
  return createFeedTickets({ sealer, table: of, clock, random: systemRandom });
}

const redeemed = { kind: 'redeemed', content: ofPlayer };
const refused = { kind: 'refused' };

describe('a ticket', () => {
  test('is redeemed by another gateway than that which issued it', async () => {
    const ticket = gateway().issue(ofPlayer)!;
    expect(await gateway().redeem({ ticket, attempt: 'a' })).toEqual(redeemed);
  });

  test('is used once, whoever asks', async () => {
    const ticket = gateway().issue(ofPlayer)!;
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((attempt) => gateway().redeem({ ticket, attempt })),
    );
    expect(answers.filter(({ kind }) => kind === 'redeemed')).toHaveLength(1);
    expect(await gateway().redeem({ ticket, attempt: 'd' })).toEqual(refused);
  });

  test('is answered the same to the same question, asked again', async () => {
    const ticket = gateway().issue(ofPlayer)!;
    await gateway().redeem({ ticket, attempt: 'a' });
    expect(await gateway().redeem({ ticket, attempt: 'a' })).toEqual(redeemed);
  });

  test('counts for 30 seconds', async () => {
    const [one, other] = [gateway().issue(ofPlayer)!, gateway().issue(ofPlayer)!];
    nowMs += 29_999;
    expect(await gateway().redeem({ ticket: one, attempt: 'a' })).toEqual(redeemed);
    nowMs += 1;
    expect(await gateway().redeem({ ticket: other, attempt: 'a' })).toEqual(refused);
  });

  test('says nothing to who reads it', () => {
    const ticket = gateway().issue(ofPlayer)!;
    const seen = `${ticket}${Buffer.from(ticket, 'base64url').toString('latin1')}`;
    for (const part of ['secret-token', 'player-1', 'demo']) expect(seen).not.toContain(part);
    expect(gateway().issue(ofPlayer)).not.toBe(ticket);
  });

  test('is short enough for an address with a token of 1,000 characters, and else there is none', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_';
    const token = (length: number) =>
      Array.from(systemRandom.bytes(length), (byte) => alphabet[byte % 64]).join('');
    const withToken = (length: number): TicketContent => ({
      ...ofPlayer,
      holder: { kind: 'player', player: 'player-1', token: token(length) },
    });
    expect(gateway().issue(withToken(1_000))!.length).toBeLessThanOrEqual(maxTicketLength);
    expect(gateway().issue(withToken(4_096))).toBeNull();
  });

  test('fits with the largest of everything else', () => {
    const names = Array.from({ length: 16 }, (_, at) => `${at}`.padStart(32, 'f'));
    const holder = {
      kind: 'service',
      player: '𝒫'.repeat(128),
      username: 'u'.repeat(64),
      generation: 'g'.repeat(32),
    } as const;
    const content = { ...ofPlayer, brand: `${'o'.repeat(64)}:${'b'.repeat(64)}`, instances: names, holder };
    expect(gateway().issue(content)).not.toBeNull();
  });
});

describe('no ticket', () => {
  test('of another system', async () => {
    const ticket = gateway('foreign').issue(ofPlayer)!;
    expect(await gateway().redeem({ ticket, attempt: 'a' })).toEqual(refused);
  });

  test('with any bit changed, cut short or spelled otherwise', async () => {
    const ticket = gateway().issue(ofPlayer)!;
    const bytes = Buffer.from(ticket, 'base64url');
    const changed = Array.from(bytes, (byte, at) => {
      const copy = Buffer.from(bytes);
      copy[at] = byte ^ 1;
      return copy.toString('base64url');
    });
    const others = ['', 'A', ticket.slice(0, -1), `${ticket}A`, `${ticket}=`, bytes.toString('base64')];
    for (const wrong of [...changed, ...others.filter((one) => one !== ticket)])
      expect(await gateway().redeem({ ticket: wrong, attempt: 'a' })).toEqual(refused);
    expect(await table.keys()).toEqual([]);
  });

  test('while its use cannot be noted', async () => {
    const broken = { ...memoryTable(), put: () => Promise.reject(new LogError('unavailable', 'down')) };
    const ticket = gateway().issue(ofPlayer)!;
    expect(await gateway('shared', broken).redeem({ ticket, attempt: 'a' })).toEqual({ kind: 'unknown' });
    expect(await gateway().redeem({ ticket, attempt: 'a' })).toEqual(redeemed);
  });
});

describe('between fan-out and gateway', () => {
  test('questions and answers read as they were written', () => {
    const question = { ticket: 'abc', attempt: 'd-_e' };
    expect(decodeTicketQuestion(encodeTicketQuestion(question))).toEqual(question);
    for (const answer of [redeemed, refused, { kind: 'unknown' }])
      expect(decodeTicketAnswer(encodeTicketAnswer(answer as never))).toEqual(answer);
  });

  test.each(['', '{', '{}', '[]', '{"ticket":"a"}', '{"ticket":"a","attempt":"a b"}'])(
    '%s is none',
    (text) => {
      expect(decodeTicketQuestion(Buffer.from(text))).toBeNull();
      expect(decodeTicketAnswer(Buffer.from(text))).toEqual({ kind: 'unknown' });
    },
  );
});
