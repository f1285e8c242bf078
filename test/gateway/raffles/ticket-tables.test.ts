import { describe, expect, it } from 'vitest';
import type { KnownInstance } from '../../../src/directory/lane-view.ts';
import type { LaneClient } from '../../../src/gateway/lane-client.ts';
import { TicketTables } from '../../../src/gateway/raffles/ticket-tables.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../src/messages/queries.ts';

const known = { lane: 0, description: { instance: 'raffle' } } as unknown as KnownInstance;
const asked = { owners: ['acme'], field: 'ticket_count', direction: -1, offset: 0, limit: 2 } as const;

/** A lane whose players have so many tickets; each slice of it takes `sliceMs` of the clock. */
function world(sliceMs: number) {
  const time = { nowMs: 1_000 };
  const tickets = [3, 9, 1, 7];
  const scans: number[] = [];
  const query = async (_lane: number, question: LaneQuery): Promise<LaneQueryAnswer> => {
    if (question.kind === 'ticket_rows') {
      time.nowMs += sliceMs;
      const { fromRow } = question;
      scans.push(fromRow);
      const rows = [fromRow, fromRow + 1];
      const next = fromRow + 2 < tickets.length ? fromRow + 2 : null;
      const counts = rows.map((row) => tickets[row]!);
      return {
        kind: 'ticket_rows',
        rows,
        tickets: counts,
        accumulatedAtoms: rows.map(() => 0n),
        players: [],
        next,
      };
    }
    if (question.kind !== 'ticket_records') throw new Error(question.kind);
    const records = question.rows.map((row) => ({
      instance: 'raffle',
      brand: 'acme:main',
      player: `p${row}`,
      ticketCount: tickets[row]!,
      accumulatedAtoms: 0n,
      startMs: 0,
      endMs: 1,
    }));
    return { kind: 'tickets', tickets: records, more: false };
  };
  const clock = { nowMs: () => time.nowMs, after: () => () => {} };
  const tables = new TicketTables({ query } as unknown as LaneClient, clock);
  const page = async () =>
    (await tables.page(known, asked)).map(({ player, ticketCount }) => `${player} ${ticketCount}`);
  return { page, tickets, scans, time };
}

describe('tables of tickets', () => {
  it('that are read quickly are read for each page', async () => {
    const { page, tickets, scans } = world(1);
    expect(await page()).toEqual(['p1 9', 'p3 7']);
    tickets[2] = 50;
    expect(await page()).toEqual(['p2 50', 'p1 9']);
    expect(scans).toEqual([0, 2, 0, 2]);
  });

  it('that take long keep their order for a while, and their records are current', async () => {
    const { page, tickets, scans, time } = world(100);
    expect(await page()).toEqual(['p1 9', 'p3 7']);
    tickets[1] = 10;
    tickets[2] = 50;
    expect(await page()).toEqual(['p1 10', 'p3 7']);
    expect(scans).toEqual([0, 2]);
    // 200 ms of reading, twenty times.
    time.nowMs += 4_000;
    expect(await page()).toEqual(['p2 50', 'p1 10']);
  });

  it('that several callers ask for at once are read once', async () => {
    const { page, scans } = world(100);
    const pages = await Promise.all(Array.from({ length: 10 }, page));
    expect(new Set(pages.map(String)).size).toBe(1);
    expect(scans).toEqual([0, 2]);
  });
});
