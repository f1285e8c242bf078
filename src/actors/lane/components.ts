import type { Follower } from '../../ports.ts';
import type { EpochPublisher } from '../epochs/publisher.ts';
import type { QueryServer } from '../queries/server.ts';
import type { OutcomeRebuilder } from '../recovery/outcome-rebuilder.ts';
import type { SnapshotTaker } from '../recovery/snapshots/taker.ts';
import type { Quarantines } from '../replica/quarantines.ts';
import type { Replica } from '../replica/replica.ts';
import type { HeadChecks } from '../witness/head-checks.ts';
import type { LaneWitness } from '../witness/lane-witness.ts';
import type { OwnerHeads } from '../witness/owner-heads.ts';
import type { StreamCapacity } from './capacity.ts';
import type { DirectoryWriter } from './directory/directory-writer.ts';
import type { Emitter } from './emit/emitter.ts';
import type { Ticker } from './emit/ticker.ts';
import type { CommandWriter } from './ownership/command-writer.ts';
import type { OwnerTasks } from './ownership/owner-tasks.ts';
import type { Ownership } from './ownership/ownership.ts';
import type { TimeGuard } from './time-guard.ts';

/** Everything that works on one recovered replica. */
export type LaneComponents = {
  readonly replica: Replica;
  readonly headChecks: HeadChecks;
  readonly ownerHeads: OwnerHeads;
  readonly timeGuard: TimeGuard;
  readonly emitter: Emitter;
  readonly ownership: Ownership;
  readonly writer: CommandWriter;
  readonly ownerTasks: OwnerTasks;
  readonly directory: DirectoryWriter;
  readonly queries: QueryServer;
  readonly witness: LaneWitness;
  readonly rebuilder: OutcomeRebuilder;
  readonly snapshots: SnapshotTaker;
  /** Another one in each term of this host. */
  epochs: EpochPublisher;
  readonly ticker: Ticker;
  readonly capacity: StreamCapacity;
  readonly follower: Follower;
  readonly quarantines: Quarantines;
};
