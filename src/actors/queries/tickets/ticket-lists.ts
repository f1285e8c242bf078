import type { LaneEngine } from '../../../jackpot/lane/lane.ts';
import { pause } from '../../../lib/pauses.ts';
import { finishInTurns, nextTurn, type Steps } from '../../../lib/turns.ts';
import { type TicketField, ticketFields } from '../../../messages/queries.ts';
import type { ActorPorts } from '../../ports/actor-ports.ts';
import { TicketOrders, type TicketPlace, type TicketRowsPage } from './ticket-orders.ts';

/** Participants of a raffle with no more players than these are read for each page. */
export const smallRaffle = 8_192;
/** Larger orders are read again after this many times the reading's duration; later if unasked. */
const askedTimes = 20;
const unaskedTimes = 400;
const askedWithinMs = 60_000;
const minAgeMs = 1_000;
const everyMs = 1_000;
const pauseMs = 1;
const maxKeptRows = 2_000_000;
const maxKept = 1_000;

type ListedEngine = Pick<
  LaneEngine,
  'ticketRows' | 'ticketNames' | 'brandPath' | 'playerCount' | 'largeRaffles' | 'appliedSequence'
>;

interface ListPorts extends Pick<ActorPorts, 'clock'> {
  readonly monitor: Pick<ActorPorts['monitor'], 'stopwatchSeconds'>;
}

interface Reading {
  readonly sequence: number;
  readonly promise: Promise<Kept | null>;
}

interface Kept {
  readonly orders: TicketOrders;
  readonly sequence: number;
  readonly madeMs: number;
  readonly tookMs: number;
}

/**
 * Pages of the tickets of a lane's raffles, in any order. What is small is read for each page; the orders of
 * a large raffle are kept, and follow in the background (docs/decisions/0207).
 */
export class TicketLists {
  readonly #engine: () => ListedEngine;
  readonly #ports: ListPorts;
  readonly #kept = new Map<string, Kept>();
  readonly #asked = new Map<string, number>();
  readonly #reading = new Map<string, Reading>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(engine: () => ListedEngine, ports: ListPorts) {
    this.#engine = engine;
    this.#ports = ports;
  }

  /** Keeps the orders of large raffles, while `isNeeded`. */
  follow(isNeeded: () => boolean, report: (error: unknown) => void, afterMs = 0): void {
    const next = (): void => {
      if (!this.#stopped) this.follow(isNeeded, report, everyMs);
    };
    this.#cancel = this.#ports.clock.after(afterMs, () => {
      if (!isNeeded() || this.#engine().largeRaffles(smallRaffle).length === 0) next();
      else this.#readDue().catch(report).finally(next);
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async page(instance: string, place: TicketPlace): Promise<TicketRowsPage | null> {
    const engine = this.#engine();
    const players = engine.playerCount(instance);
    if (players === null) return null;
    const kept = this.#kept.get(instance) ?? null;
    const isCurrent = kept !== null && kept.sequence === engine.appliedSequence;
    const isLarge = players > smallRaffle;
    if (isLarge) this.#asked.set(instance, this.#ports.clock.elapsedMs());
    const isGood = kept !== null && isLarge && kept.orders.round === this.#round(instance, players);
    const found = isCurrent || isGood ? kept : await this.#readForPage(instance, isLarge);
    return found === null ? null : finishInTurns(found.orders.page(place));
  }

  /** Reads only large raffles that have changed since. */
  async #readDue(): Promise<void> {
    for (const instance of this.#engine().largeRaffles(smallRaffle)) {
      if (this.#stopped) return;
      if (this.#isDue(instance))
        await this.#read(instance, () => pause(this.#ports.clock, pauseMs), ticketFields);
    }
  }

  #isDue(instance: string): boolean {
    const kept = this.#kept.get(instance);
    if (kept === undefined) return true;
    if (kept.sequence === this.#engine().appliedSequence) return false;
    const nowMs = this.#ports.clock.elapsedMs();
    const isAsked = nowMs - (this.#asked.get(instance) ?? Number.NEGATIVE_INFINITY) < askedWithinMs;
    const ageMs = nowMs - kept.madeMs;
    return ageMs >= minAgeMs && ageMs >= kept.tookMs * (isAsked ? askedTimes : unaskedTimes);
  }

  /** Several pages wait for the same reading, unless it began before what one of them has to show. */
  #readForPage(instance: string, isLarge: boolean): Promise<Kept | null> {
    const known = this.#reading.get(instance);
    const sequence = this.#engine().appliedSequence;
    if (known !== undefined && (isLarge || known.sequence === sequence)) return known.promise;
    const promise = this.#read(instance, nextTurn, []).finally(() => {
      if (this.#reading.get(instance)?.promise === promise) this.#reading.delete(instance);
    });
    this.#reading.set(instance, { sequence, promise });
    return promise;
  }

  async #read(
    instance: string,
    between: () => Promise<void>,
    fields: readonly TicketField[],
  ): Promise<Kept | null> {
    const engine = this.#engine();
    const { monitor, clock } = this.#ports;
    const sequence = engine.appliedSequence;
    let seconds = 0;
    const timed = async <R>(steps: Steps<R>): Promise<R> => {
      for (;;) {
        const beganAt = monitor.stopwatchSeconds();
        const step = steps.next();
        seconds += monitor.stopwatchSeconds() - beganAt;
        if (step.done === true) return step.value;
        await between();
      }
    };
    const orders = await timed(TicketOrders.read(engine, instance, this.#kept.get(instance)?.orders ?? null));
    if (orders === null) {
      this.#forget(instance);
      return null;
    }
    const kept = (): Kept => ({ orders, sequence, madeMs: clock.elapsedMs(), tookMs: seconds * 1000 });
    // The first pages need not wait for all orders; later ones have those before until the new ones are made.
    const before = this.#kept.get(instance);
    if (before === undefined || before.orders.round !== orders.round) this.#keep(instance, kept());
    for (const field of fields) await timed(orders.order(field));
    this.#keep(instance, kept());
    return kept();
  }

  #keep(instance: string, kept: Kept): void {
    if ((this.#kept.get(instance)?.sequence ?? -1) > kept.sequence) return;
    this.#kept.delete(instance);
    this.#kept.set(instance, kept);
    let rows = 0;
    for (const { orders } of this.#kept.values()) rows += orders.rows.length;
    for (const [oldest, { orders }] of this.#kept) {
      if ((rows <= maxKeptRows && this.#kept.size <= maxKept) || oldest === instance) return;
      this.#forget(oldest);
      rows -= orders.rows.length;
    }
  }

  #forget(instance: string): void {
    this.#kept.delete(instance);
    this.#asked.delete(instance);
  }

  #round(instance: string, players: number): number | undefined {
    return this.#engine().ticketRows(instance, players)?.round;
  }
}
