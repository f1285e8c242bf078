import type { Follower } from '../../ports.ts';
import type { LaneDirectory } from '../directory/lane-directory.ts';
import type { Emitter } from '../emit/emitter.ts';
import type { OutcomeRebuilder } from '../emit/outcome-rebuilder.ts';
import type { Ticker } from '../emit/ticker.ts';
import type { EpochPublisher } from '../epochs/publisher.ts';
import type { CommandWriter } from '../ownership/command-writer.ts';
import type { OwnerTasks } from '../ownership/owner-tasks.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { Quarantines } from '../quarantine/quarantines.ts';
import type { QueryServer } from '../queries/server.ts';
import type { LaneReplica } from '../replica/lane-replica.ts';
import type { SnapshotTaker } from '../snapshots/taker.ts';
import type { LaneCapacity } from '../streams/lane-capacity.ts';
import type { HeadChecks } from '../witness/head-checks.ts';
import type { LaneWitness } from '../witness/lane-witness.ts';
import type { OwnerHeads } from '../witness/owner-heads.ts';
import type { TimeGuard } from './time-guard.ts';

/** Everything that works on one recovered replica. */
export type LaneComponents = {
  readonly replica: LaneReplica;
  readonly headChecks: HeadChecks;
  readonly ownerHeads: OwnerHeads;
  readonly timeGuard: TimeGuard;
  readonly emitter: Emitter;
  readonly ownership: Ownership;
  readonly writer: CommandWriter;
  readonly ownerTasks: OwnerTasks;
  readonly directory: LaneDirectory;
  readonly queries: QueryServer;
  readonly witness: LaneWitness;
  readonly rebuilder: OutcomeRebuilder;
  readonly snapshots: SnapshotTaker;
  /** Another one in each term of this host. */
  epochs: EpochPublisher;
  readonly ticker: Ticker;
  readonly capacity: LaneCapacity;
  readonly follower: Follower;
  readonly quarantines: Quarantines;
};
