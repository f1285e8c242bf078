import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { heartbeatSubject, querySubject, replySubject } from '../../../src/log/base/names.ts';
import type { ReceivedReply } from '../../../src/messages/bus-messages.ts';
import type { Log } from '../../../src/ports.ts';
import type { SimNode, SimServer } from '../../support/sim-server.ts';

/** What a caller sees of a gateway that dies, or of one that does not answer in its time. */
export class ConnectionLost extends Error {}

const callerPatienceMs = 10_000;

interface Running {
  readonly node: SimNode;
  readonly gateway: LaneGateway;
  readonly broken: Set<() => void>;
}

/** The gateways of the simulation: the real way into the lanes, in processes that die, pause and lose their connection. */
export class SimGateways {
  /** Replies with live values that any gateway has received. */
  readonly replies: ReceivedReply[] = [];
  readonly #server: SimServer;
  readonly #logOf: (log: Log, node: SimNode) => Log;
  readonly #report: (error: unknown) => void;
  readonly #running = new Map<number, Running>();
  #lives = 0;

  constructor(server: SimServer, logOf: (log: Log, node: SimNode) => Log, report: (error: unknown) => void) {
    this.#server = server;
    this.#logOf = logOf;
    this.#report = report;
  }

  node(index: number): SimNode | null {
    return this.#running.get(index)?.node ?? null;
  }

  start(index: number): void {
    this.kill(index);
    this.#lives += 1;
    const { world } = this.#server;
    const name = `gateway-${index}-${this.#lives}`;
    const node = this.#server.connect(name);
    const gateway = new LaneGateway({
      log: this.#logOf(node.log, node),
      bus: node.bus,
      clock: node.clock,
      random: world.random(),
      defer: (task) => void world.schedule(0, () => node.run(task)),
      report: this.#report,
      subjects: { reply: replySubject, query: querySubject, heartbeat: heartbeatSubject },
      lanes: 1,
      gateway: name,
    });
    gateway.onReply((reply) => {
      if (reply.allLiveValues.length > 0) this.replies.push(reply);
    });
    this.#running.set(index, { node, gateway, broken: new Set() });
  }

  kill(index: number): void {
    const running = this.#running.get(index);
    if (running === undefined) return;
    this.#running.delete(index);
    running.node.kill();
    for (const end of running.broken) end();
  }

  /** One HTTP request. @throws ConnectionLost */
  request<T>(index: number, run: (gateway: LaneGateway) => Promise<T>): Promise<T> {
    const running = this.#running.get(index);
    return new Promise((resolve, reject) => {
      if (running === undefined) return reject(new ConnectionLost('nobody listens'));
      const { node, gateway, broken } = running;
      const end = (): void => {
        broken.delete(end);
        reject(new ConnectionLost('no answer'));
      };
      broken.add(end);
      const cancel = this.#server.world.schedule(callerPatienceMs, end);
      const settled = (settle: () => void): void => {
        if (!broken.delete(end)) return;
        cancel();
        settle();
      };
      const work = async (): Promise<T> => run(gateway);
      node.run(() =>
        work().then(
          (value) => settled(() => resolve(value)),
          (error) => settled(() => reject(error)),
        ),
      );
    });
  }
}
