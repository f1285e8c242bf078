import type { Log, StreamExtent } from '../../ports.ts';
import { JoinedFollower } from './joined-follower.ts';
import type { ArchivedMessage } from './segment.ts';
import type { SegmentIndex } from './segment-index.ts';

/** As many as a batch of the streams. */
const maxMessagesRead = 128;

/**
 * The log with its archive in front: what the streams have dropped is read from segments. Readers notice
 * nothing; what the archive does not have either is missing as before. Followers of a filter get all archived
 * messages.
 */
export function archivedLog(live: Log, index: SegmentIndex): Log {
  const archived = async <T>(
    lane: number,
    fromSequence: number,
    of: (message: ArchivedMessage) => T,
  ): Promise<readonly T[] | null> => {
    await index.open();
    const segment = index.find(lane, fromSequence);
    if (segment === null) return null;
    const messages = await index.messages(segment);
    return messages.slice(fromSequence - segment.first).map(of);
  };
  const batchOf = async <T extends { readonly sequence: number }>(
    found: readonly T[],
    lane: number,
    fromSequence: number,
    of: (message: ArchivedMessage) => T,
  ): Promise<readonly T[]> => {
    if (found[0]?.sequence === fromSequence) return found;
    return (await archived(lane, fromSequence, of))?.slice(0, maxMessagesRead) ?? found;
  };
  return {
    prepare: (lanes) => live.prepare(lanes),
    prepareLane: (lane) => live.prepareLane(lane),
    append: (...values) => live.append(...values),
    lastCommand: (lane) => live.lastCommand(lane),
    lastOwn: (lane) => live.lastOwn(lane),
    appendOutcome: (...values) => live.appendOutcome(...values),
    appendBlock: (...values) => live.appendBlock(...values),
    lastOutcome: (lane) => live.lastOutcome(lane),
    fill: (lane) => live.fill(lane),
    table: (name) => live.table(name),
    tableExtent: (name) => live.tableExtent(name),
    archive: (name) => live.archive(name),
    follow: (lane, fromSequence, handlers) =>
      new JoinedFollower(fromSequence, handlers, {
        follow: (from, following) => live.follow(lane, from, following),
        archived: (from) => archived(lane, from, ({ command }) => command),
        first: async () => (await live.extents(lane)).commands.firstSequence,
        reportsHoles: true,
      }),
    followOutcomes: (lane, fromSequence, filter, handlers) =>
      new JoinedFollower(fromSequence, handlers, {
        follow: (from, following) => live.followOutcomes(lane, from, filter, following),
        archived: (from) => archived(lane, from, ({ outcome }) => outcome),
        first: async () => (await live.extents(lane)).outcomes.firstSequence,
        // A consumer with a filter begins after what was dropped, and does not report it.
        reportsHoles: Object.keys(filter).length === 0,
      }),
    async readCommand(lane, sequence) {
      const found = await live.readCommand(lane, sequence);
      return found ?? (await index.message(lane, sequence))?.command ?? null;
    },
    async nextCommand(lane, channel, fromSequence) {
      const found = await live.nextCommand(lane, channel, fromSequence);
      // The segments name their quarantines; the others of a channel are asked for at the log's end only.
      if (channel !== 'quarantine') return found;
      await index.open();
      for (const segment of index.segments(lane)) {
        const sequence = segment.quarantines.find((each) => each >= fromSequence);
        if (sequence === undefined) continue;
        if (found !== null && found.sequence <= sequence) return found;
        return (await index.message(lane, sequence))?.command ?? found;
      }
      return found;
    },
    async readOutcome(lane, sequence) {
      const found = await live.readOutcome(lane, sequence);
      return found ?? (await index.message(lane, sequence))?.outcome ?? null;
    },
    async readCommands(lane, fromSequence) {
      const found = await live.readCommands(lane, fromSequence);
      return batchOf(found, lane, fromSequence, ({ command }) => command);
    },
    async readOutcomes(lane, fromSequence) {
      const found = await live.readOutcomes(lane, fromSequence);
      return batchOf(found, lane, fromSequence, ({ outcome }) => outcome);
    },
    async extents(lane) {
      const { commands, outcomes } = await live.extents(lane);
      await index.open();
      const [first, last] = [index.firstSequence(lane), index.lastSequence(lane)];
      return { commands: joined(commands, first, last), outcomes: joined(outcomes, first, last) };
    },
    async close() {
      await index.close();
      await live.close();
    },
  };
}

function joined(live: StreamExtent, first: number | null, last: number): StreamExtent {
  if (first === null || first >= live.firstSequence || last + 1 < live.firstSequence) return live;
  return { ...live, firstSequence: first, messages: live.messages + live.firstSequence - first };
}
