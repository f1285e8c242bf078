import type { Follower } from '../lib/ports.ts';
import type { CommandWriter } from './command-writer.ts';
import type { Duties } from './duties.ts';
import type { Emitter } from './emitter.ts';
import type { EpochPublisher } from './epoch-publisher.ts';
import type { HeadChecks } from './head-checks.ts';
import type { LaneDirectory } from './lane-directory.ts';
import type { LaneRoom } from './lane-room.ts';
import type { LaneWitness } from './lane-witness.ts';
import type { OutcomeRebuilder } from './outcome-rebuilder.ts';
import type { Ownership } from './ownership.ts';
import type { Quarantines } from './quarantines.ts';
import type { QueryServer } from './query-server.ts';
import type { Replica } from './replica.ts';
import type { SnapshotTaker } from './snapshot-taker.ts';
import type { Ticker } from './ticker.ts';
import type { TimeGuard } from './time-guard.ts';

/** Everything that works on one recovered replica. */
export type Rooms = {
  readonly replica: Replica;
  readonly headChecks: HeadChecks;
  readonly timeGuard: TimeGuard;
  readonly emitter: Emitter;
  readonly ownership: Ownership;
  readonly writer: CommandWriter;
  readonly duties: Duties;
  readonly directory: LaneDirectory;
  readonly queries: QueryServer;
  readonly witness: LaneWitness;
  readonly rebuilder: OutcomeRebuilder;
  readonly snapshots: SnapshotTaker;
  readonly epochs: EpochPublisher;
  readonly ticker: Ticker;
  readonly room: LaneRoom;
  readonly follower: Follower;
  readonly quarantines: Quarantines;
};
