import { deliveryBody } from '../../../src/outbox/event/body.ts';
import { LaneOutbox } from '../../../src/outbox/lane/lane-outbox.ts';
import type { DeliverySender, TryError, TryResult } from '../../../src/outbox/send/sender.ts';
import { LogError, type Table } from '../../../src/ports.ts';
import { SimServer, type SimNode } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';
import { LaneLog } from './lane-log.ts';

/** What happens at one write of the outbox to KV DELIVERIES. */
export interface WriteFault {
  /** From 1 on. */
  readonly at: number;
  /** Killed before or after the server has it; `answer_lost`: it has it, and the process hears of an outage. */
  readonly kind: 'killed_before' | 'killed_after' | 'answer_lost';
}

const room = { storedPerReceiver: 3, storedPerOperator: 5 };
const restartMs = 1_000;

/** A lane, its outbox and the receivers in simulated time. A killed outbox is started again after a second. */
export class SimOutbox {
  readonly world: SimWorld;
  readonly server: SimServer;
  readonly lane: LaneLog;
  /** Bodies that receivers got, by event. */
  readonly received = new Map<string, string[]>();
  readonly lost: number[] = [];
  readonly reports: string[] = [];
  /** Keys of writes, with `-` in front of removals. */
  readonly writes: string[] = [];
  /** Why each origin takes nothing now. */
  readonly failing = new Map<string, TryError>();
  fault: WriteFault | null = null;
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
    const { log, bus, clock } = node;
    this.#outbox = new LaneOutbox(0, {
      log,
      bus,
      table,
      clock,
      random: this.world.random(),
      sender: this.#sender(node),
      room,
      report: (message, error) => void this.reports.push(`${message} ${error ?? ''}`),
      lost: (callbacks) => void this.lost.push(callbacks),
    });
  }

  kill(): void {
    this.#node.kill();
    if (this.#stopped) return;
    this.world.schedule(restartMs, () => void this.start());
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

  #sender(node: SimNode): DeliverySender {
    const send = (origin: string, load: () => Promise<Parameters<DeliverySender['first']>[0] | null>) =>
      new Promise<TryResult>((resolve) => {
        this.world.schedule(this.world.between(1, 20), () =>
          node.run(async () => {
            const delivery = await load();
            if (delivery === null) return resolve({ kind: 'gone' });
            const error = this.failing.get(origin);
            if (error !== undefined) {
              const status = error.startsWith('status_') ? Number(error.slice(7)) : null;
              return resolve({ kind: 'failed', error, final: false, status, refused: false });
            }
            const body = Buffer.from(deliveryBody(delivery)).toString('utf8');
            this.received.set(delivery.id, [...(this.received.get(delivery.id) ?? []), body]);
            this.world.schedule(this.world.between(1, 20), () =>
              node.run(() => resolve({ kind: 'delivered', status: 200 })),
            );
          }),
        );
      });
    return {
      first: (delivery) => send(new URL(delivery.url).origin, async () => delivery),
      repeat: ({ origin }, load) => send(origin, load),
    };
  }

  #faulty(table: Table): Table {
    const write = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      this.writes.push(key);
      const { fault } = this;
      if (fault === null || this.writes.length !== fault.at) return work();
      if (fault.kind === 'killed_before') this.kill();
      const done = work();
      if (fault.kind === 'killed_before') return done;
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
