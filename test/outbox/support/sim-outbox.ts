import type { DeliveryAnswer, DeliveryQuestion } from '../../../src/contracts/payments/delivery-questions.ts';
import { deliveryBody } from '../../../src/outbox/delivery/body.ts';
import type { Delivery } from '../../../src/outbox/delivery/delivery.ts';
import { KnownSubscriptions } from '../../../src/outbox/events/subscriptions.ts';
import { LaneOutbox } from '../../../src/outbox/lane/lane-outbox.ts';
import type { DeliverySender, TryError, TryResult } from '../../../src/outbox/send/sender.ts';
import { LogError, type StoredOutcome, type Table } from '../../../src/ports.ts';
import { type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';
import { LaneLog } from './lane-log.ts';

/** `paused`: stopped before it writes; it goes on while its successor works, and learns only later that it has lost the lane. */
export const writeFaults = ['killed_before', 'killed_after', 'answer_lost', 'paused'] as const;
export type WriteFaultKind = (typeof writeFaults)[number];

/** What happens at one write of the outbox to KV DELIVERIES. */
export interface WriteFault {
  /** From 1 on. */
  readonly at: number;
  /** Killed before or after the server has it; `answer_lost`: it has it, and the process hears of an outage. */
  readonly kind: WriteFaultKind;
}

type Seen = (stored: { readonly sequence: number; readonly bytes: Uint8Array }) => Uint8Array;
const asStored: Seen = ({ bytes }) => bytes;

const room = { storedPerReceiver: 3, storedPerOperator: 5 };
const restartMs = 1_000;
const overlapMs = 10_000;

/** A lane, its outbox and the receivers in simulated time. A killed outbox is started again after a second. */
export class SimOutbox {
  readonly world: SimWorld;
  readonly subscriptions = new KnownSubscriptions();
  readonly server: SimServer;
  readonly lane: LaneLog;
  /** Bodies that receivers got, by event. */
  readonly received = new Map<string, string[]>();
  readonly lost: number[] = [];
  readonly reports: string[] = [];
  /** Keys of writes, with `-` in front of removals. */
  readonly writes: string[] = [];
  /** The bodies in the order in which they came. */
  readonly arrivals: string[] = [];
  /** Why a receiver takes this one not. */
  refuses: (delivery: Delivery) => TryError | null = () => null;
  /** Why each origin takes nothing now. */
  readonly failing = new Map<string, TryError>();
  fault: WriteFault | null = null;
  pausedMs = 20_000;
  /** What the outbox gets instead of the stored bytes: as an older or newer release would see them. */
  seen: { outcome: Seen; command: Seen } = { outcome: asStored, command: asStored };
  #node: SimNode;
  #outbox: LaneOutbox | null = null;
  #stopped = false;

  constructor(seed = 1) {
    this.world = new SimWorld(seed);
    this.server = new SimServer(this.world, 1);
    const { log, bus } = this.server.connect('owner');
    this.lane = new LaneLog({ log, bus });
    this.#node = this.server.connect('outbox');
  }

  /** Lets time pass until the work is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    await this.world.until(() => isDone, 3_600_000, 'the work');
    return done;
  }

  async start(): Promise<void> {
    const node = this.server.connect('outbox');
    this.#node = node;
    const table = this.#faulty(await node.log.table('DELIVERIES'));
    const { bus, clock } = node;
    const log = this.#asSeen(node.log);
    this.#outbox = new LaneOutbox(0, {
      log,
      bus,
      table,
      clock,
      random: this.world.random(),
      sender: this.#sender(node),
      subscriptions: this.subscriptions,
      room,
      report: (message, error) => void this.reports.push(`${message} ${error ?? ''}`),
      lost: (callbacks) => void this.lost.push(callbacks),
    });
  }

  /** An administrator wants all callbacks sent again. */
  async replayAll(id: string, events?: true): Promise<void> {
    const range = { id, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, owners: [] };
    await this.ask({ kind: 'replay_range', ...range, ...(events && { events }) });
  }

  ask(question: DeliveryQuestion): Promise<DeliveryAnswer> {
    return this.during(this.#outbox!.answer(question));
  }

  kill(): void {
    this.#node.kill();
    if (this.#stopped) return;
    this.world.schedule(restartMs, () => void this.start());
  }

  /** SIGSTOP. Its successor takes the lane over; it wakes up, works on for a while, and ends. */
  pause(): void {
    const node = this.#node;
    node.pause();
    this.world.schedule(restartMs, () => void this.start());
    this.world.schedule(this.pausedMs, () => node.resume());
    this.world.schedule(this.pausedMs + overlapMs, () => node.kill());
  }

  /** Of the running outbox. */
  get unsupported() {
    return this.#outbox?.unsupported ?? null;
  }

  known() {
    return [...(this.#outbox?.known() ?? [])];
  }

  /** Keys of the table that begin so. */
  keys(prefix: string): string[] {
    return [...this.server.entries('DELIVERIES')].flatMap(([key, { value }]) =>
      value !== null && key.startsWith(prefix) ? [key] : [],
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.kill();
    await this.lane.stop();
  }

  #asSeen(log: SimNode['log']): SimNode['log'] {
    const seenOutcome = (stored: StoredOutcome) => ({ ...stored, bytes: this.seen.outcome(stored) });
    return {
      ...log,
      followOutcomes: (lane, from, filter, handlers) =>
        log.followOutcomes(lane, from, filter, {
          ...handlers,
          message: (stored) => handlers.message(seenOutcome(stored)),
        }),
      readOutcome: async (lane, sequence) => {
        const stored = await log.readOutcome(lane, sequence);
        return stored === null ? null : seenOutcome(stored);
      },
      readOutcomes: async (lane, from) => (await log.readOutcomes(lane, from)).map(seenOutcome),
      readCommand: async (lane, sequence) => {
        const stored = await log.readCommand(lane, sequence);
        return stored === null ? null : { ...stored, bytes: this.seen.command(stored) };
      },
    };
  }

  #sender(node: SimNode): DeliverySender {
    const send = (load: () => Promise<Delivery | null>) =>
      new Promise<TryResult>((resolve, reject) => {
        const arrive = () => this.#arrive(node, load).then(resolve, reject);
        this.world.schedule(this.world.between(1, 20), () => node.run(() => void arrive()));
      });
    return {
      first: (delivery) => send(async () => delivery),
      repeat: (_, load) => send(load),
    };
  }

  async #arrive(node: SimNode, load: () => Promise<Delivery | null>): Promise<TryResult> {
    const delivery = await load();
    if (delivery === null) return { kind: 'gone' };
    const error = this.failing.get(new URL(delivery.url).origin) ?? this.refuses(delivery);
    if (error !== null) {
      const status = error.startsWith('status_') ? Number(error.slice(7)) : null;
      return { kind: 'failed', error, final: false, status, refused: false };
    }
    const body = Buffer.from(deliveryBody(delivery)).toString('utf8');
    this.arrivals.push(body);
    this.received.set(delivery.id, [...(this.received.get(delivery.id) ?? []), body]);
    return new Promise((resolve) => {
      this.world.schedule(this.world.between(1, 20), () =>
        node.run(() => resolve({ kind: 'delivered', status: 200 })),
      );
    });
  }

  #faulty(table: Table): Table {
    const write = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      this.writes.push(key);
      const { fault } = this;
      if (fault === null || this.writes.length !== fault.at) return work();
      if (fault.kind === 'killed_before') this.kill();
      if (fault.kind === 'paused') this.pause();
      const done = work();
      if (fault.kind === 'killed_before' || fault.kind === 'paused') return done;
      await done;
      if (fault.kind === 'answer_lost') throw new LogError('unknown', 'The answer is lost.');
      this.kill();
      return new Promise<T>(() => {});
    };
    return {
      ...table,
      put: (key, value, expected) => write(key, () => table.put(key, value, expected)),
      remove: (key, expected) => write(`-${key}`, () => table.remove(key, expected)),
    };
  }
}
