import type { Random } from '../../jackpot/mixed/random.ts';
import type { HeartbeatWatch } from '../check/heartbeat-watch.ts';
import type { Operators } from '../client/operators.ts';
import type { Traffic } from '../client/traffic.ts';
import type { Topology } from '../system/assemble.ts';
import type { ChaosSystem } from '../system/chaos-system.ts';

/** What a scenario needs of the machine, beside Node and nats-server. */
export type Need = 'namespaces' | 'mounts' | 'faketime';

/** One kind of fault. */
export interface Scenario {
  readonly name: string;
  /** One line for `npm run chaos -- list`. */
  readonly description: string;
  readonly topology: Topology;
  readonly needs?: readonly Need[];
  /** Senders of contributions that wait for no wallet; default: 6. */
  readonly senders?: number;
  /** Applies the fault, and heals it. Clients send meanwhile. */
  round(world: World): Promise<void>;
}

/** A running system under traffic. */
export interface World {
  readonly system: ChaosSystem;
  readonly watch: HeartbeatWatch;
  readonly traffic: Traffic;
  readonly operators: Operators;
  readonly random: Random;
  /** How long a pause or a partition lasts. */
  readonly seconds: number;
  /** Reports what must not be. */
  violated(what: string): void;
  /** Counts something that the table shows. */
  note(what: string): void;
  /** Waits until every process works, and the lane has an owner and, with a second host, a warm standby. */
  steady(): Promise<void>;
  /** Waits until no debit or credit is open. */
  atRest(): Promise<void>;
}
