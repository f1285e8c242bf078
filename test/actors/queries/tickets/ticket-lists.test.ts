import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallRaffle, TicketLists } from '../../../../src/actors/queries/tickets/ticket-lists.ts';
import type { TicketPlace } from '../../../../src/actors/queries/tickets/ticket-orders.ts';
import { type TicketField, ticketFields } from '../../../../src/messages/queries.ts';
import { ManualClock } from '../../manual-clock.ts';

interface Participant {
  readonly row: number;
  readonly brand: number;
  readonly player: string;
  readonly tickets: number;
  readonly atoms: bigint;
}

const paths = ['op:main', 'op:vip', 'other:main'];
const sliceRows = 8_192;

/** A raffle as the engine shows it, and how much of it was looked at. */
class Raffle {
  participants: Participant[] = [];
  round = 1;
  appliedSequence = 1;
  players = 0;
  slices = 0;
  names = 0;

  set(participants: readonly Participant[], players = participants.length): void {
    this.participants = participants.toSorted((a, b) => a.row - b.row);
    this.players = Math.max(players, ...participants.slice(-1).map(({ row }) => row + 1));
    this.appliedSequence += 1;
  }

  ticketRows(instance: string, fromRow: number) {
    if (instance !== 'raffle') return null;
    if (fromRow < this.players) this.slices += 1;
    const found = this.participants.filter(({ row }) => row >= fromRow && row < fromRow + sliceRows);
    return {
      round: this.round,
      rows: found.map(({ row }) => row),
      tickets: found.map(({ tickets }) => tickets),
      accumulatedAtoms: found.map(({ atoms }) => atoms),
      brands: found.map(({ brand }) => brand),
      next: fromRow + sliceRows < this.players ? fromRow + sliceRows : null,
    };
  }
  ticketNames(_instance: string, rows: readonly number[]) {
    this.names += rows.length;
    return rows.map((row) => nameOf(this.#at(row)));
  }
  #at(row: number): Participant {
    return this.#byRow().get(row)!;
  }
  #rows: { of: Participant[]; map: Map<number, Participant> } | null = null;
  #byRow(): Map<number, Participant> {
    if (this.#rows?.of !== this.participants)
      this.#rows = { of: this.participants, map: new Map(this.participants.map((each) => [each.row, each])) };
    return this.#rows.map;
  }
  brandPath = (brand: number) => paths[brand]!;
  playerCount = (instance: string) => (instance === 'raffle' ? this.players : null);
  largeRaffles = (minPlayers: number) => (this.players > minPlayers ? ['raffle'] : []);
}

function world() {
  const raffle = new Raffle();
  const clock = new ManualClock();
  let seconds = 0;
  // Each step takes half a millisecond.
  const monitor = { stopwatchSeconds: () => (seconds += 0.0005) };
  const lists = new TicketLists(() => raffle, { clock, monitor });
  return { raffle, clock, lists };
}

const place = (changes: Partial<TicketPlace> = {}): TicketPlace => ({
  owners: [],
  field: 'joined',
  direction: 1,
  offset: 0,
  limit: 50,
  ...changes,
});

/** As a list would be made without orders: filter all, sort all, cut. */
function expected(
  participants: readonly Participant[],
  { owners, field, direction, offset, limit }: TicketPlace,
) {
  const isWanted = ({ brand }: Participant) =>
    owners.length === 0 ||
    owners.some((owner) => paths[brand] === owner || paths[brand]!.startsWith(`${owner}:`));
  const value = sortValueOf(field);
  return participants
    .filter(isWanted)
    .sort((a, b) => direction * (order(value(a), value(b)) || a.row - b.row))
    .slice(offset, offset + limit)
    .map(({ row }) => row);
}

function sortValueOf(field: TicketField): (participant: Participant) => string | number | bigint {
  switch (field) {
    case 'player_id':
      return nameOf;
    case 'ext_player_id':
      return ({ player }) => player;
    case 'brand_id':
      return ({ brand }) => paths[brand]!;
    case 'ticket_count':
      return ({ tickets }) => tickets;
    case 'accumulated_cost':
      return ({ atoms }) => atoms;
    default:
      return () => 0;
  }
}

const nameOf = ({ brand, player }: Participant) => `${paths[brand]}:${player}`;
const order = (a: string | number | bigint, b: string | number | bigint) => (a < b ? -1 : a > b ? 1 : 0);
const many = (count: number, from = 0): Participant[] =>
  Array.from({ length: count }, (_, index) => ({
    row: from + index,
    brand: index % 3,
    player: `p${(index * 7_919) % 1_000_003}`,
    tickets: (index * 31) % 97,
    atoms: BigInt((index * 17) % 89),
  }));

describe('lists of tickets', () => {
  it('have the pages that sorting everything would give, whatever changes between them', async () => {
    const participants = fc.uniqueArray(
      fc.record({
        row: fc.nat(40),
        brand: fc.nat(2),
        player: fc.constantFrom('a', 'b', 'b:c', 'Z', 'ä'),
        tickets: fc.nat(3),
        atoms: fc.bigInt({ min: 0n, max: 3n }),
      }),
      { selector: ({ row }) => row },
    );
    const asked = fc.record({
      owners: fc.constantFrom([], ['op'], ['op:vip'], ['op:main', 'other:main'], ['nobody']),
      field: fc.constantFrom(...ticketFields),
      direction: fc.constantFrom(1 as const, -1 as const),
      offset: fc.nat(5),
      limit: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(participants, fc.array(asked, { maxLength: 4 }))),
        async (rounds) => {
          const { raffle, lists } = world();
          for (const [more, questions] of rounds) {
            // A row keeps its name, and nobody leaves a round.
            const before = new Map(raffle.participants.map((each) => [each.row, each]));
            for (const each of more) before.set(each.row, { ...each, ...pick(before.get(each.row)) });
            raffle.set([...before.values()], 41);
            for (const question of questions) await expectPages(lists, raffle, question);
          }
        },
      ),
    );
  });

  it('look at nothing for a page of a large raffle whose orders are kept', async () => {
    const { raffle, clock, lists } = world();
    const all = many(30_000);
    raffle.set(all, 60_000);
    lists.follow(() => true, fail);
    await passing(clock, 1_000);
    const { slices, names } = raffle;
    expect(slices).toBe(8);
    for (const field of ticketFields)
      for (const offset of [0, 15_000, 29_950]) {
        const question = place({ field, direction: -1, offset });
        expect((await lists.page('raffle', question))?.rows).toEqual(expected(all, question));
      }
    expect([raffle.slices, raffle.names]).toEqual([slices, names]);
    // Only the names of those who are new, and what finding their places takes: not thirty thousand.
    raffle.set([...all, ...many(10, 40_000)], 60_000);
    await passing(clock, 60_000);
    expect(raffle.slices).toBeGreaterThan(slices);
    expect(raffle.names - names).toBeLessThan(1_000);
    expect((await lists.page('raffle', place({ offset: 30_000 })))?.rows).toHaveLength(10);
    lists.stop();
  });

  it('go on behind a place whose participant has moved, or that nobody ever had', async () => {
    const { raffle, lists } = world();
    const all = many(300);
    raffle.set(all);
    for (const field of ticketFields)
      for (const direction of [1, -1] as const) {
        const question = place({ field, direction, limit: 100 });
        const first = (await lists.page('raffle', question))!;
        const last = first.rows.at(-1)!;
        const after = first.positionOf(last);
        // Whoever was shown last is now in another place.
        raffle.set(
          all.map((each) => (each.row === last ? { ...each, tickets: 1_000, atoms: 1_000n } : each)),
        );
        const next = (await lists.page('raffle', { ...question, limit: 300, after }))!;
        expect(next.rows.filter((row) => row !== last)).toEqual(
          expected(all, place({ field, direction, offset: 100, limit: 300 })),
        );
        raffle.set(all);
      }
    const odd = place({ field: 'ticket_count', limit: 300, after: { value: 'many', row: 7 } });
    expect((await lists.page('raffle', odd))?.rows).toHaveLength(300);
  });

  it('read a raffle that has not changed only once', async () => {
    const { raffle, clock, lists } = world();
    raffle.set(many(20_000));
    lists.follow(() => true, fail);
    await passing(clock, 600_000);
    expect(raffle.slices).toBe(3);
    lists.stop();
  });

  it('read nothing while another host answers', async () => {
    const { raffle, clock, lists } = world();
    raffle.set(many(20_000));
    lists.follow(() => false, fail);
    await passing(clock, 10_000);
    expect(raffle.slices).toBe(0);
    lists.stop();
  });

  it('of a small raffle have what was awarded before the question', async () => {
    const { raffle, lists } = world();
    raffle.set(many(10));
    expect((await lists.page('raffle', place()))?.rows).toHaveLength(10);
    const first = lists.page('raffle', place());
    raffle.set(many(11));
    expect((await lists.page('raffle', place()))?.rows).toHaveLength(11);
    await first;
    expect(smallRaffle).toBeGreaterThan(11);
  });

  it('of a new round show nobody of the one before', async () => {
    const { raffle, clock, lists } = world();
    raffle.set(many(20_000));
    lists.follow(() => true, fail);
    await passing(clock, 1_000);
    raffle.round = 2;
    raffle.set(many(3, 100), 20_000);
    expect((await lists.page('raffle', place({ field: 'player_id' })))?.rows).toHaveLength(3);
    lists.stop();
  });

  it('several pages that have to wait read a raffle once', async () => {
    const { raffle, lists } = world();
    raffle.set(many(20_000));
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => lists.page('raffle', place({ field: 'ext_player_id' }))),
    );
    expect(new Set(pages.map((page) => String(page?.rows))).size).toBe(1);
    expect([raffle.slices, raffle.names]).toEqual([3, 20_000]);
  });

  it('of what is no instance are none', async () => {
    expect(await world().lists.page('missing', place())).toBeNull();
  });
});

/** A page, how many there are, and the rows behind each page until none are left. */
async function expectPages(lists: TicketLists, raffle: Raffle, question: TicketPlace): Promise<void> {
  const whole = expected(raffle.participants, { ...question, offset: 0, limit: 100 });
  const first = (await lists.page('raffle', question))!;
  expect([first.rows, first.total]).toEqual([expected(raffle.participants, question), whole.length]);
  const walked = whole.slice(0, question.offset).concat(first.rows);
  for (let page = first; page.hasMore; ) {
    const after = page.positionOf(page.rows.at(-1)!);
    page = (await lists.page('raffle', { ...question, offset: 0, after }))!;
    expect(page.total).toBe(whole.length);
    walked.push(...page.rows);
  }
  expect(walked).toEqual(whole);
}

function pick(known: Participant | undefined): Partial<Participant> {
  return known === undefined ? {} : { brand: known.brand, player: known.player };
}

function fail(error: unknown): never {
  throw error;
}

/** Lets the clock and what waits for the event loop go on together. */
async function passing(clock: ManualClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    clock.advance(1);
    await Promise.resolve();
    if (passed % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
