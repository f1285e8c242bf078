import { errorText } from '../../log/base/error-text.ts';
import { querySubject } from '../../log/base/names.ts';
import { decodeLaneQueryRequest, encodeLaneQueryAnswer } from '../../messages/codec/codec.ts';
import type { PlacementOrder, PlacementView } from '../../messages/placement.ts';
import type { LaneQueryAnswer, LaneQueryRequest } from '../../messages/queries.ts';
import { type BusMessage, LogError } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { OutcomeRebuilder } from '../recovery/outcome-rebuilder.ts';
import type { Replica } from '../replica/replica.ts';
import { answerQuery, ticketPage } from './answers.ts';
import { TicketLists } from './tickets/ticket-lists.ts';

/** A question that asks for more than is applied waits this long. */
const maxWaitMs = 2000;
const maxWaiting = 2000;
/** Shorter than the caller waits. */
const maxRebuildMs = 1500;
/** Half of what the bus takes at once. */
const rebuiltPartBytes = 512 * 1024;

/** What the host of the lane knows of placement, and writes of it. */
interface Placement {
  view(): PlacementView | null;
  order(order: PlacementOrder): Promise<boolean>;
}

const alone: Placement = { view: () => null, order: async () => false };

type Waiting = { readonly sequence: number; readonly wake: (applied: boolean) => void };

/** Pages are smaller; the bus takes a megabyte. */
const maxAnswerBytes = 1_000_000;
const tooLarge: LaneQueryAnswer = {
  kind: 'refused',
  code: 'internal_error',
  message: 'The answer is too large.',
};

/** The host is alone, and places nothing. */
const unplaced: LaneQueryAnswer = { kind: 'refused', code: 'storage_unavailable', message: '' };
const overloaded: LaneQueryAnswer = { kind: 'refused', code: 'overloaded', message: '' };

/**
 * Answers `query.<lane>` from the replica, never from an older state than the question asks for. Every host
 * of the lane receives each question; a follower answers only while no owner does (docs/decisions/0300).
 */
export class QueryServer {
  readonly #replica: Replica;
  readonly #ports: ActorPorts;
  readonly #directoryWritten: (revision: number, timeoutMs: number) => Promise<number | null>;
  readonly #rebuilder: OutcomeRebuilder;
  readonly #placement: Placement;
  readonly #isServedElsewhere: () => boolean;
  readonly #tickets: TicketLists;
  readonly #waiting = new Set<Waiting>();
  #subscription: { stop(): void } | null = null;

  /** `directoryWritten` gives the lane sequence of that revision's commands; null: not in time. */
  constructor(
    replica: Replica,
    ports: ActorPorts,
    directoryWritten: (revision: number, timeoutMs: number) => Promise<number | null>,
    rebuilder: OutcomeRebuilder,
    placement: Placement = alone,
    isServedElsewhere: () => boolean = () => false,
  ) {
    this.#isServedElsewhere = isServedElsewhere;
    this.#rebuilder = rebuilder;
    this.#placement = placement;
    this.#replica = replica;
    this.#ports = ports;
    this.#directoryWritten = directoryWritten;
    this.#tickets = new TicketLists(() => replica.engine, ports);
  }

  start(): void {
    if (this.#subscription !== null) return;
    const subject = querySubject(this.#replica.lane);
    this.#subscription = this.#ports.bus.subscribe(subject, (message) => this.#attend(message));
    this.#tickets.follow(
      () => !this.#isServedElsewhere(),
      (error) => this.#alarm(error),
    );
  }

  stop(): void {
    this.#subscription?.stop();
    this.#subscription = null;
    this.#tickets.stop();
    for (const waiting of this.#waiting) waiting.wake(false);
  }

  applied(): void {
    if (this.#waiting.size === 0) return;
    for (const waiting of this.#waiting) {
      if (this.#replica.appliedSequence >= waiting.sequence) waiting.wake(true);
    }
  }

  /** A question that fails costs its caller the answer, and the lane nothing. */
  #attend(message: BusMessage): void {
    this.#answer(message).catch((error: unknown) => {
      this.#alarm(error);
      respond(message, overloaded);
    });
  }

  async #answer(message: BusMessage): Promise<void> {
    let request: LaneQueryRequest;
    try {
      request = decodeLaneQueryRequest(message.bytes);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return respond(message, {
        kind: 'refused',
        code: 'invalid_request',
        message: 'The query does not read.',
      });
    }
    const { query, minSequence } = request;
    if (query.kind === 'directory') return this.#answerDirectory(message, query.revision, minSequence);
    if (this.#isServedElsewhere()) return;
    if (query.kind === 'placement') return this.#answerPlacement(message);
    if (query.kind === 'placement_order') {
      const isWritten = await this.#placement.order(query.order);
      return respond(message, isWritten ? { kind: 'placement_order' } : unplaced);
    }
    if (!(await this.#appliedUpTo(minSequence))) return respond(message, overloaded);
    if (query.kind === 'rebuilt_outcome') {
      const { sequence, offset } = query;
      const isApplied = sequence <= this.#replica.appliedSequence;
      const record = isApplied ? await this.#rebuilder.record(sequence, maxRebuildMs) : null;
      const part = record?.subarray(offset, offset + rebuiltPartBytes) ?? null;
      return respond(message, { kind: 'rebuilt_outcome', part, totalBytes: record?.length ?? 0 });
    }
    const { engine } = this.#replica;
    if (query.kind === 'ticket_page') return respond(message, await ticketPage(engine, this.#tickets, query));
    respond(message, answerQuery(engine, query));
  }

  #alarm(error: unknown): void {
    this.#ports.monitor.alarm(this.#replica.lane, 'query_not_answered', errorText(error));
  }

  /** Only an owner writes the directory. A follower waits: it may become the owner meanwhile. */
  async #answerDirectory(message: BusMessage, revision: number, minSequence: number): Promise<void> {
    const isCurrent = await this.#appliedUpTo(minSequence);
    const sequence = isCurrent ? await this.#directoryWritten(revision, maxWaitMs) : null;
    const isApplied = sequence !== null && (await this.#appliedUpTo(sequence));
    if (isApplied) respond(message, { kind: 'directory', revision });
    else if (!this.#isServedElsewhere()) respond(message, overloaded);
  }

  /** The answer is about all lanes, however far this one is. */
  async #answerPlacement(message: BusMessage): Promise<void> {
    const view = this.#placement.view();
    if (view === null) return respond(message, unplaced);
    const ends = view.lanes.map(({ lane }) => this.#ports.log.lastCommand(lane).catch(ifReachable));
    respond(message, { kind: 'placement', view, ends: await Promise.all(ends) });
  }

  #appliedUpTo(sequence: number): Promise<boolean> | true {
    if (this.#replica.appliedSequence >= sequence) return true;
    if (this.#waiting.size >= maxWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = this.#ports.clock.after(maxWaitMs, () => waiting.wake(false));
      const waiting: Waiting = {
        sequence,
        wake: (applied) => {
          cancel();
          this.#waiting.delete(waiting);
          resolve(applied);
        },
      };
      this.#waiting.add(waiting);
    });
  }
}

/** The end of a log that cannot be asked is unknown. */
function ifReachable(error: unknown): null {
  if (error instanceof LogError) return null;
  throw error;
}

function respond(message: BusMessage, answer: LaneQueryAnswer): void {
  const bytes = encodeLaneQueryAnswer(answer);
  const fits = bytes.length <= maxAnswerBytes;
  message.respond(fits ? bytes : encodeLaneQueryAnswer(tooLarge));
}
