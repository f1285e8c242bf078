import { createUpgradedLane, restoreLane } from '../../../src/jackpot/lane/lane.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { StoreError } from '../../../src/reporting/base/errors.ts';
import type { LaneBatch } from '../../../src/reporting/base/lane-batch.ts';
import { openBooks } from '../../../src/reporting/books/open-books.ts';
import { Bookkeeper } from '../../../src/reporting/lane/bookkeeper.ts';
import type { LaneStore } from '../../../src/reporting/lane/lane-writer.ts';
import type { Trouble } from '../../../src/reporting/lane/trouble.ts';
import { SimLanes } from '../../support/sim-lanes.ts';
import type { SimNode } from '../../support/sim-server.ts';
import { testSystem } from './booked-lane.ts';
import { MemoryBooks } from './memory-books.ts';

export const writeFaults = ['killed_before', 'killed_after', 'answer_lost', 'unavailable'] as const;
export type WriteFaultKind = (typeof writeFaults)[number];

const settings = { epochMs: 700, epochSequences: 1_000 };
/** How long the books wait for spare time. */
export const givesWayMs = 60_000;
const restartMs = 500;

/** The engines of a reporting process, as the simulated hosts have them. */
function engines(hashing: Hashing) {
  return {
    create: () => createUpgradedLane(hashing, settings),
    restore: (chunks: Iterable<Uint8Array>) => restoreLane(chunks, hashing, settings),
  };
}

/** Lanes of a simulated host, and a process that keeps the books of one. A killed one is started again. */
export class SimBooks {
  readonly lanes: SimLanes;
  readonly books = new MemoryBooks();
  readonly troubles: (Trouble | null)[] = [];
  systemId = testSystem;
  spareTime = { isThere: true };
  /** What happens at one write of the process, from 1 on. */
  fault: { readonly at: number; readonly kind: WriteFaultKind } | null = null;
  writes = 0;
  #node: SimNode | null = null;
  #keeper: Bookkeeper | null = null;

  constructor(seed: number) {
    this.lanes = new SimLanes(seed);
  }

  start(): void {
    const node = this.lanes.server.connect('reporting');
    this.#node = node;
    this.#keeper = this.#keeperOf(node, this.#faulty(node));
  }

  #keeperOf(node: SimNode, store: LaneStore): Bookkeeper {
    const { log, clock } = node;
    const ports = { log, engines, turn: new LoopTurn(() => 0) };
    return new Bookkeeper(0, {
      ...{
        log,
        clock,
        systemId: this.systemId,
        store,
        turn: ports.turn,
        spareTime: this.spareTime,
        givesWayMs,
      },
      open: (lane, position) => openBooks(lane, position ?? 'oldest', ports),
      written: () => {},
      trouble: (_, trouble) => void this.troubles.push(trouble),
    });
  }

  /** The books up to here, as a process makes them that nothing disturbs. */
  async anew(): Promise<MemoryBooks> {
    const books = new MemoryBooks();
    const to = this.sequence;
    const keeper = this.#keeperOf(this.lanes.server.connect('anew'), books);
    await this.lanes.until(
      () => (books.batches.at(-1)?.position.sequence ?? 0) >= to,
      'the books are made anew',
    );
    await keeper.stop();
    return books;
  }

  /** kill -9; a new process begins a little later. */
  kill(): void {
    this.#node?.kill();
    this.lanes.world.schedule(restartMs, () => this.start());
  }

  get sequence(): number {
    return this.books.batches.at(-1)?.position.sequence ?? 0;
  }

  /** The books have everything that the log has by now. */
  async current(): Promise<void> {
    await this.lanes.settled(0);
    const last = this.lanes.server.lane(0).commands.length;
    await this.lanes.until(() => this.sequence >= last, `the books come to ${last}`);
  }

  async stop(): Promise<void> {
    await this.#keeper?.stop();
    this.#node?.kill();
  }

  #faulty(node: SimNode): LaneStore {
    const { books } = this;
    return {
      position: (lane) => books.position(lane),
      write: async (batch: LaneBatch) => {
        if (!node.alive) return new Promise<never>(() => {});
        this.writes += 1;
        const { fault } = this;
        if (fault === null || fault.at !== this.writes) return books.write(batch);
        if (fault.kind === 'unavailable') throw unanswered();
        if (fault.kind !== 'killed_before') await books.write(batch);
        if (fault.kind === 'answer_lost') throw unanswered();
        this.kill();
        return new Promise<never>(() => {});
      },
    };
  }
}

function unanswered(): StoreError {
  return new StoreError('reporting_unavailable', 'no answer');
}
