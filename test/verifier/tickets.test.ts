import { describe, expect, it } from 'vitest';
import type { PublicRecord } from '../../verifier/src/document.ts';
import type { Header, OpeningRound } from '../../verifier/src/header.ts';
import { Tickets } from '../../verifier/src/tickets.ts';

const rules = {
  cost_per_ticket: '1',
  cost_source: 'Contribution',
  allocation_mode: 'Instant',
  duration: { Seconds: 1 },
};
const anna = new Uint8Array(16).fill(1);
const atoms = (units: number) => BigInt(units) * 100_000_000n;

function headerOf(epoch: number, round: number, tickets: number): Header {
  const start = (round - 1) * 1000;
  const raffle: OpeningRound = { round, tickets, start, end: start + 1000, last: false };
  return { epoch, raffle } as Header;
}

/** A raffle whose first round was followed up to three tickets. */
function followed(): Tickets {
  const tickets = new Tickets();
  tickets.openEpoch(headerOf(0, 1, 0), rules);
  const record = { contribution: atoms(3), wager: 0n, player: 0n, converted: false, timestampMs: 500 };
  tickets.award(anna, record as PublicRecord);
  return tickets;
}

describe('the round that a header names, where the epochs before were followed', () => {
  it('is the one that runs, with its tickets', () => {
    expect(() => followed().openEpoch(headerOf(1, 1, 3), rules)).not.toThrow();
    expect(() => followed().openEpoch(headerOf(1, 2, 3), rules)).toThrow('the round of the raffle');
    expect(() => followed().openEpoch(headerOf(1, 1, 4), rules)).toThrow('its tickets');
  });

  it('may be the last one with its winners still to be told', () => {
    const ended = () => {
      const tickets = followed();
      tickets.endRound(
        {
          number: 1,
          tickets: 3,
          times: { start: 0, end: 1000, last: false },
          timestampMs: 1001,
          isOver: false,
        },
        rules,
      );
      return tickets;
    };
    expect(() => ended().openEpoch(headerOf(1, 1, 3), rules)).not.toThrow();
    expect(() => ended().openEpoch(headerOf(1, 2, 0), rules)).not.toThrow();
    expect(() => ended().openEpoch(headerOf(1, 2, 3), rules)).toThrow('its tickets');
    expect(() => ended().openEpoch(headerOf(1, 1, 0), rules)).toThrow('its tickets');
  });

  it('is not the last one where that had no ticket, unless no other follows', () => {
    const ended = (isOver: boolean) => {
      const tickets = new Tickets();
      tickets.openEpoch(headerOf(0, 1, 0), rules);
      tickets.endRound(
        { number: 1, tickets: 0, times: { start: 0, end: 1000, last: false }, timestampMs: 1001, isOver },
        rules,
      );
      return tickets;
    };
    expect(() => ended(false).openEpoch(headerOf(1, 2, 0), rules)).not.toThrow();
    expect(() => ended(false).openEpoch(headerOf(1, 1, 0), rules)).toThrow('the round of the raffle');
    expect(() => ended(true).openEpoch(headerOf(1, 1, 0), rules)).not.toThrow();
    expect(() => ended(true).openEpoch(headerOf(1, 2, 0), rules)).toThrow('the round of the raffle');
  });
});
