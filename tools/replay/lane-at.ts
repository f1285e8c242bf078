import {
  emptyReplica,
  type KeptSnapshot,
  keptSnapshots,
  readSnapshot,
  restoreSnapshot,
} from '../../src/actors/audit/kept-snapshots.ts';
import { commandPages } from '../../src/actors/audit/pages.ts';
import { Quarantines } from '../../src/actors/replica/quarantines.ts';
import type { Replica } from '../../src/actors/replica/replica.ts';
import { HeadChecks } from '../../src/actors/witness/head-checks.ts';
import type { ReplaySystem } from '../../src/cli/system/replay-system.ts';
import type { StoredInstance } from '../../src/jackpot/lane/snapshots/instance-facts.ts';
import { unframe } from '../../src/lib/json-chunks.ts';
import { LoopTurn } from '../../src/lib/turns.ts';
import { errorText } from '../../src/log/base/error-text.ts';
import { LogError } from '../../src/ports.ts';
import type { Moment } from './moment.ts';

/** The log and its snapshots do not reach the moment. */
export class NotReached extends Error {}

/** The replay is not what the lane was: the log, a snapshot or the engine differs. */
export class ReplayDiffers extends Error {}

/**
 * The lane at a moment of an instance, from the newest snapshot before it and the messages behind that. A
 * moment within a message is the end of the message. @throws NotReached, ReplayDiffers, LogError
 */
export async function laneAt(
  lane: number,
  instance: string,
  moment: Moment,
  system: ReplaySystem,
): Promise<Replica> {
  const turn = new LoopTurn();
  const replica = await restoredBefore(lane, instance, moment, system, turn);
  const to = await system.log.lastOutcome(lane);
  await replay(replica, to, instance, moment, system, turn);
  await requireStoredHead(replica, system);
  return replica;
}

/** Whether a snapshot has the instance; null: it cannot be read. */
export async function hasInstance(
  lane: number,
  kept: KeptSnapshot,
  instance: string,
  system: ReplaySystem,
): Promise<boolean | null> {
  const snapshot = await readSnapshot(lane, kept, system, new LoopTurn());
  if (snapshot === null || snapshot === 'torn') return null;
  return storedIn(snapshot.chunks, instance) !== null;
}

async function restoredBefore(
  lane: number,
  instance: string,
  moment: Moment,
  system: ReplaySystem,
  turn: LoopTurn,
): Promise<Replica> {
  const { commands, outcomes } = await system.log.extents(lane);
  const quarantines = await Quarantines.read(system.log, lane);
  for (const kept of await keptSnapshots(lane, system)) {
    const { sequence } = kept;
    if (sequence > outcomes.lastSequence || sequence < commands.firstSequence - 1) continue;
    if (!(await isBefore(lane, kept, instance, moment, system, turn))) continue;
    const restored = await restoreSnapshot(lane, kept, quarantines, system, turn);
    if (restored.kind === 'restored') return restored.replica;
  }
  if (commands.firstSequence <= 1) return emptyReplica(lane, quarantines, system);
  throw new NotReached(
    `The log of lane ${lane} begins at ${commands.firstSequence}, and no snapshot before that moment is kept.`,
  );
}

async function isBefore(
  lane: number,
  kept: KeptSnapshot,
  instance: string,
  moment: Moment,
  system: ReplaySystem,
  turn: LoopTurn,
): Promise<boolean> {
  if (moment.kind === 'time') return kept.timestampMs <= moment.timeMs;
  if (moment.kind === 'message') return kept.sequence <= moment.sequence;
  const snapshot = await readSnapshot(lane, kept, system, turn);
  if (snapshot === null || snapshot === 'torn') return false;
  const stored = storedIn(snapshot.chunks, instance);
  return stored === null || stored.sequence < moment.sequence;
}

function storedIn(chunks: Iterable<Uint8Array>, instance: string): StoredInstance | null {
  for (const chunk of chunks) {
    const stored = unframe(chunk).facts as StoredInstance | { readonly type: 'end' };
    if (stored.type === 'instance' && stored.facts.id === instance) return stored;
  }
  return null;
}

async function replay(
  replica: Replica,
  to: number,
  instance: string,
  moment: Moment,
  { log }: ReplaySystem,
  turn: LoopTurn,
): Promise<void> {
  const { lane } = replica;
  const commands = commandPages(log, lane);
  turn.begin();
  while (replica.appliedSequence < to && !isReached(replica, instance, moment)) {
    const sequence = replica.appliedSequence + 1;
    const stored = await commands.at(sequence);
    if (stored === null) throw new LogError('hole', `Message ${sequence} of lane ${lane} is gone.`);
    if (moment.kind === 'time' && stored.timestampMs > moment.timeMs) return;
    try {
      replica.apply(stored);
    } catch (error) {
      throw new ReplayDiffers(`Message ${sequence} of lane ${lane} cannot be applied: ${errorText(error)}`);
    }
    if (turn.isOver) await turn.next();
  }
  if (moment.kind === 'time' || isReached(replica, instance, moment)) return;
  const what = moment.kind === 'message' ? `Lane ${lane} has no message` : `${instance} has no sequence`;
  throw new NotReached(`${what} ${moment.sequence} yet; the lane ends at message ${to}.`);
}

function isReached({ engine }: Replica, instance: string, moment: Moment): boolean {
  if (moment.kind === 'time') return false;
  if (moment.kind === 'message') return engine.appliedSequence >= moment.sequence;
  return (engine.liveValues(instance)?.sequence ?? -1) >= moment.sequence;
}

async function requireStoredHead(
  { lane, appliedSequence, laneHead }: Replica,
  { log }: ReplaySystem,
): Promise<void> {
  const checks = await HeadChecks.read(log, lane, appliedSequence, appliedSequence);
  if (checks.check(appliedSequence, laneHead) === 'different')
    throw new ReplayDiffers(
      `The replay has another lane head at message ${appliedSequence} than OUT: "potstream audit --lane ${lane}" finds out what differs.`,
    );
}
