import { heartbeatSubject } from '../../log/base/names.ts';
import type { LaneCondition } from '../../messages/bus-messages.ts';
import { encodeHeartbeat } from '../../messages/codec/codec.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import type { Replica } from '../replica/replica.ts';
import type { HostedLaneStatus } from './lane-status.ts';

const everyMs = 200;

/** Heartbeats of a lane: its host lives, how far the lane is, and what the host can do for it. */
export class Heartbeats {
  readonly #ports: Pick<ActorPorts, 'bus' | 'clock'>;
  readonly #host: string;
  readonly #status: () => HostedLaneStatus;
  readonly #replica: () => Pick<Replica, 'laneHead' | 'appliedCommands'> | undefined;
  #cancel: () => void = () => {};

  constructor(
    ports: Pick<ActorPorts, 'bus' | 'clock'>,
    host: string,
    status: () => HostedLaneStatus,
    replica: () => Pick<Replica, 'laneHead' | 'appliedCommands'> | undefined,
  ) {
    this.#ports = ports;
    this.#host = host;
    this.#status = status;
    this.#replica = replica;
  }

  beat(): void {
    this.#cancel();
    const { full, appliedSequence } = this.#status();
    this.send(full === '' ? 'serving' : 'full', full, appliedSequence);
    this.#cancel = this.#ports.clock.after(everyMs, () => this.beat(), 'aligned');
  }

  send(condition: LaneCondition, code: string, appliedSequence: number): void {
    const { lane, term, storedOutcome } = this.#status();
    const { laneHead, appliedCommands } = (condition === 'stopped' ? undefined : this.#replica()) ?? {};
    const heartbeat = { lane, host: this.#host, term, appliedSequence, storedOutcome, condition, code };
    this.#ports.bus.publish(
      heartbeatSubject(lane),
      encodeHeartbeat({ ...heartbeat, laneHead, appliedCommands }),
    );
  }

  stop(): void {
    this.#cancel();
  }
}
