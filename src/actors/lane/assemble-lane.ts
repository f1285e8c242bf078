import { commandStream, outcomeStream, tickSubject } from '../../log/base/names.ts';
import { encodeLaneTick } from '../../messages/codec/codec.ts';
import type { Follower } from '../../ports.ts';
import { EpochPublisher } from '../epochs/publisher.ts';
import type { ActorSettings, ComponentPorts } from '../ports/actor-ports.ts';
import { QueryServer } from '../queries/server.ts';
import { OutcomeRebuilder } from '../recovery/outcome-rebuilder.ts';
import type { Recovered } from '../recovery/recover-lane.ts';
import { SnapshotTaker } from '../recovery/snapshots/taker.ts';
import { LaneWitness } from '../witness/lane-witness.ts';
import { OwnerHeads } from '../witness/owner-heads.ts';
import { StreamCapacity } from './capacity.ts';
import type { DirectoryWatch } from './directory/directory-watch.ts';
import { DirectoryWriter } from './directory/directory-writer.ts';
import { Emitter } from './emit/emitter.ts';
import { Ticker, tickSource } from './emit/ticker.ts';
import { type Halt, haltOfJournal } from './halt.ts';
import { CommandWriter } from './ownership/command-writer.ts';
import { OwnerTasks } from './ownership/owner-tasks.ts';
import { Ownership } from './ownership/ownership.ts';
import type { PlacementEvents } from './placement-events.ts';
import { TimeGuard } from './time-guard.ts';

interface AssemblyEvents {
  readonly failed: (halt: Halt) => void;
  readonly conditionChanged: () => void;
  readonly isServedElsewhere: () => boolean;
  readonly placement: Pick<PlacementEvents, 'hasStandby' | 'nextEngineVersion' | 'view' | 'order'>;
}

/** The components of a recovered lane. All of them rest: the lane's host follows the log and starts them. */
export function assembleLane(
  { replica, storedOutcome, headChecks, origin, quarantines }: Recovered,
  ports: ComponentPorts,
  settings: ActorSettings,
  watch: DirectoryWatch,
  events: AssemblyEvents,
) {
  const { lane } = replica;
  const capacity: StreamCapacity = new StreamCapacity(
    lane,
    ports,
    settings,
    () => emitter,
    events.conditionChanged,
  );
  const writer = new CommandWriter(lane, ports, (full) => capacity.refused(commandStream(lane), full));
  const emitter: Emitter = new Emitter(
    replica,
    ports,
    storedOutcome,
    (error) => events.failed(haltOfJournal(emitter.storedOutcome, error)),
    (full) => capacity.refused(outcomeStream(lane), full),
    () => witness.stored(),
  );
  const stored = (): number => emitter.storedOutcome;
  const witness = new LaneWitness(replica, stored, ports);
  const directory = new DirectoryWriter(replica, ports, writer, watch);
  const rebuilder = new OutcomeRebuilder(lane, ports);
  return {
    replica,
    headChecks,
    ownerHeads: new OwnerHeads((sequence) => emitter.recentHead(sequence)),
    timeGuard: new TimeGuard(replica, ports, settings.maximumLogLeadMs),
    quarantines,
    emitter,
    writer,
    capacity,
    directory,
    ownership: new Ownership(replica, ports, writer, settings),
    ownerTasks: new OwnerTasks(replica, ports, writer, (isEmpty) =>
      events.placement.nextEngineVersion(lane, isEmpty),
    ),
    rebuilder,
    witness,
    queries: new QueryServer(
      replica,
      ports,
      (revision, timeoutMs) => directory.written(revision, timeoutMs),
      rebuilder,
      events.placement,
      events.isServedElsewhere,
    ),
    snapshots: new SnapshotTaker(replica, origin, stored, ports, settings, () =>
      events.placement.hasStandby(lane),
    ),
    epochs: new EpochPublisher(replica, ports, settings.epochPage),
    ticker: new Ticker(lane, tickSource(replica.engine, stored), ports.clock, (tick) =>
      ports.bus.publish(tickSubject(lane), encodeLaneTick(tick)),
    ),
  };
}

/** Everything that works on one recovered replica. `epochs` is another one in each term of this host. */
export type LaneComponents = Readonly<Omit<ReturnType<typeof assembleLane>, 'epochs'>> & {
  epochs: EpochPublisher;
  readonly follower: Follower;
};
