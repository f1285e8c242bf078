import { describe, expect, it } from 'vitest';
import { createLane, restoreLane } from '../../../src/jackpot/lane/lane.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { archivedSnapshots } from '../../../src/log/archive/snapshot-names.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { BookedMessage } from '../../../src/reporting/base/booked-message.ts';
import type { LaneBooks } from '../../../src/reporting/books/lane-books.ts';
import { type BooksStart, openBooks } from '../../../src/reporting/books/open-books.ts';
import { contribution, createInstance, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { enginesOf, hashing } from '../../sim/sim-system.ts';
import { SimLanes } from '../../support/sim-lanes.ts';

const lane = 0;
const settings = { epochMs: 700, epochSequences: 1_000 };
const often = onePot({ pot_types: [{ HitRate: { max_magic_number: 4, cost_per_attempt: '1' } }] });
const upgraded = (of: Hashing) => enginesOf(settings, undefined, of);
/** As every log begins: in the first version of the engine. */
const first = (of: Hashing) => ({
  create: () => createLane(of, settings),
  restore: (chunks: Iterable<Uint8Array>) => restoreLane(chunks, of, settings),
});
let contributions = 0;

class Played {
  readonly lanes: SimLanes;
  readonly #engines: typeof upgraded;

  constructor(seed: number, engines = upgraded) {
    this.lanes = new SimLanes(seed);
    this.lanes.engines = engines(hashing);
    this.#engines = engines;
    this.lanes.startHost();
  }

  async begin(): Promise<void> {
    await this.lanes.ask(lane, [setBrand(), createInstance(often)]);
    await this.lanes.ask(lane, [setStatus('Active')]);
  }

  async contribute(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      contributions += 1;
      const contributionId = new Uint8Array(16).fill(contributions % 251);
      await this.lanes.ask(lane, [contribution({ contributionId, player: `p${index % 5}` })]);
    }
    await this.lanes.settled(lane);
  }

  async upgrade(version: number): Promise<void> {
    await this.lanes.ask(lane, [{ kind: 'UpgradeTo', version } as Command]);
  }

  /** Sequences of archived snapshots, the oldest first. */
  async snapshots(): Promise<number[]> {
    const names = [...(this.lanes.server.archives.get('SNAPSHOTS')?.keys() ?? [])];
    const kept = await archivedSnapshots({ list: async () => names }, lane);
    return kept.map(({ sequence }) => sequence).toReversed();
  }

  async archived(sequence: number): Promise<void> {
    while (!(await this.snapshots()).some((each) => each >= sequence)) {
      await this.lanes.world.passes(1_000);
      await this.contribute(1);
    }
  }

  open(place: BooksStart): Promise<LaneBooks> {
    const ports = { log: this.lanes.log, engines: this.#engines, turn: new LoopTurn(() => 0) };
    return this.lanes.resolved(openBooks(lane, place, ports));
  }

  /** Reads on to the end of the lane. */
  read(books: LaneBooks): BookedMessage[] {
    const { commands, outcomes } = this.lanes.server.lane(lane);
    const from = books.sequence;
    return outcomes.slice(from).map((outcome, index) => books.apply(commands[from + index]!, outcome));
  }

  get last(): number {
    return this.lanes.server.lane(lane).outcomes.length;
  }
}

const facts = ({ instance: _, accounts: __, ...others }: BookedMessage) => others;

describe('the books of a lane', () => {
  it('begin at its first message, or at the newest snapshot, and go on behind any message', async () => {
    const played = new Played(1);
    await played.begin();
    await played.contribute(30);
    await played.archived(20);
    const whole = await played.open('oldest');
    expect(whole.sequence).toBe(0);
    const all = played.read(whole);
    expect(all).toHaveLength(played.last);
    expect(all.flatMap(({ contributions: each }) => each).length).toBeGreaterThanOrEqual(30);

    const newest = await played.open('newest');
    expect(newest.sequence).toBe((await played.snapshots()).at(-1));
    expect(toHex(newest.head)).toBe(toHex(all[newest.sequence - 1]!.head));
    const begun = newest.sequence;
    expect(played.read(newest).map(facts)).toEqual(all.slice(begun).map(facts));
    expect(newest.accounts('jackpot')).toEqual(whole.accounts('jackpot'));

    for (const sequence of [1, begun - 1, begun, played.last]) {
      const { head } = all[sequence - 1]!;
      const books = await played.open({ sequence, head: toHex(head) });
      expect([books.sequence, books.head]).toEqual([sequence, head]);
      expect(played.read(books).map(facts)).toEqual(all.slice(sequence).map(facts));
    }
  });

  it('do not go on where they know another head, or more than the lane recorded', async () => {
    const played = new Played(2);
    await played.begin();
    await played.contribute(3);
    const { last } = played;
    const head = toHex(new Uint8Array(32));
    await expect(played.open({ sequence: last, head })).rejects.toMatchObject({
      code: 'books_differ',
      sequence: last,
    });
    await expect(played.open({ sequence: last + 1, head })).rejects.toMatchObject({
      code: 'books_ahead',
      sequence: last + 1,
      retryable: false,
    });
  });

  it('begin at the first snapshot of a version that names keys, where something was drawn before', async () => {
    const played = new Played(3, first);
    await played.upgrade(2);
    await played.upgrade(3);
    await played.begin();
    await played.contribute(30);
    await played.archived(10);
    for (const place of ['oldest', 'newest'] as const)
      await expect(played.open(place)).rejects.toMatchObject({ code: 'stream_keys_missing' });
    await played.upgrade(4);
    const upgradedAt = played.last;
    await played.archived(upgradedAt + 1);
    const oldest = await played.open('oldest');
    expect(oldest.sequence).toBe((await played.snapshots()).find((each) => each >= upgradedAt));
    expect(played.read(oldest).length).toBeGreaterThan(0);
  });

  it('begin at the first message, where nothing was drawn before version 4', async () => {
    const played = new Played(4, first);
    for (const version of [2, 3, 4]) await played.upgrade(version);
    await played.begin();
    await played.contribute(5);
    const books = await played.open('oldest');
    expect(books.sequence).toBe(0);
    expect(played.read(books)).toHaveLength(played.last);
  });

  it('take a quarantined message as its record has it', async () => {
    const played = new Played(5);
    await played.begin();
    await played.contribute(2);
    const books = await played.open('oldest');
    played.read(books);
    played.lanes.append(lane, new Uint8Array([9, 9, 9]));
    await played.lanes.until(() => played.lanes.halted(lane) === 'unreadable_message', 'it halts');
    const poison = await played.lanes.quarantineHalted(lane);
    await played.contribute(2);
    const read = played.read(books);
    const refused = read.find(({ sequence }) => sequence === poison)!;
    expect([refused.postings, refused.contributions, refused.outcome.outcomes]).toEqual([[], [], []]);
    expect(books.sequence).toBe(played.last);
  });
});
