import type {
  Archive,
  ArchiveName,
  CommandChannel,
  Follower,
  FollowHandlers,
  Log,
  OutcomeRouting,
  StoredCommand,
  StoredOutcome,
  StreamExtent,
  StreamFill,
  Table,
  TableExtent,
  TableName,
} from '../../ports.ts';
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
export class ArchivedLog implements Log {
  readonly #live: Log;
  readonly #index: SegmentIndex;

  constructor(live: Log, index: SegmentIndex) {
    this.#live = live;
    this.#index = index;
  }

  prepare(lanes: number): Promise<void> {
    return this.#live.prepare(lanes);
  }

  prepareLane(lane: number): Promise<void> {
    return this.#live.prepareLane(lane);
  }

  append(...values: Parameters<Log['append']>): ReturnType<Log['append']> {
    return this.#live.append(...values);
  }

  follow(lane: number, fromSequence: number, handlers: FollowHandlers<StoredCommand>): Follower {
    return new JoinedFollower(fromSequence, handlers, {
      follow: (from, live) => this.#live.follow(lane, from, live),
      archived: (from) => this.#archived(lane, from, ({ command }) => command),
      first: async () => (await this.#live.extents(lane)).commands.firstSequence,
      reportsHoles: true,
    });
  }

  async readCommand(lane: number, sequence: number): Promise<StoredCommand | null> {
    const live = await this.#live.readCommand(lane, sequence);
    return live ?? (await this.#index.message(lane, sequence))?.command ?? null;
  }

  async nextCommand(
    lane: number,
    channel: CommandChannel,
    fromSequence: number,
  ): Promise<StoredCommand | null> {
    const live = await this.#live.nextCommand(lane, channel, fromSequence);
    // The segments name their quarantines; the others of a channel are asked for at the log's end only.
    if (channel !== 'quarantine') return live;
    await this.#index.open();
    for (const segment of this.#index.segments(lane)) {
      const sequence = segment.quarantines.find((each) => each >= fromSequence);
      if (sequence === undefined) continue;
      if (live !== null && live.sequence <= sequence) return live;
      return (await this.#index.message(lane, sequence))?.command ?? live;
    }
    return live;
  }

  lastCommand(lane: number): Promise<number> {
    return this.#live.lastCommand(lane);
  }

  lastOwn(lane: number): Promise<number> {
    return this.#live.lastOwn(lane);
  }

  appendOutcome(
    lane: number,
    sequence: number,
    routing: OutcomeRouting,
    bytes: Uint8Array,
    traces?: string,
  ): ReturnType<Log['appendOutcome']> {
    return this.#live.appendOutcome(lane, sequence, routing, bytes, traces);
  }

  async readOutcome(lane: number, sequence: number): Promise<StoredOutcome | null> {
    const live = await this.#live.readOutcome(lane, sequence);
    return live ?? (await this.#index.message(lane, sequence))?.outcome ?? null;
  }

  lastOutcome(lane: number): Promise<number> {
    return this.#live.lastOutcome(lane);
  }

  followOutcomes(
    lane: number,
    fromSequence: number,
    filter: Partial<OutcomeRouting>,
    handlers: FollowHandlers<StoredOutcome>,
  ): Follower {
    return new JoinedFollower(fromSequence, handlers, {
      follow: (from, live) => this.#live.followOutcomes(lane, from, filter, live),
      archived: (from) => this.#archived(lane, from, ({ outcome }) => outcome),
      first: async () => (await this.#live.extents(lane)).outcomes.firstSequence,
      // A consumer with a filter begins after what was dropped, and does not report it.
      reportsHoles: Object.keys(filter).length === 0,
    });
  }

  fill(lane: number): Promise<readonly StreamFill[]> {
    return this.#live.fill(lane);
  }

  async extents(lane: number): Promise<{ commands: StreamExtent; outcomes: StreamExtent }> {
    const { commands, outcomes } = await this.#live.extents(lane);
    await this.#index.open();
    const first = this.#index.firstSequence(lane);
    const last = this.#index.lastSequence(lane);
    return { commands: joined(commands, first, last), outcomes: joined(outcomes, first, last) };
  }

  async readCommands(lane: number, fromSequence: number): Promise<readonly StoredCommand[]> {
    const live = await this.#live.readCommands(lane, fromSequence);
    if (live[0]?.sequence === fromSequence) return live;
    const archived = await this.#archived(lane, fromSequence, ({ command }) => command);
    return archived === null ? live : archived.slice(0, maxMessagesRead);
  }

  async readOutcomes(lane: number, fromSequence: number): Promise<readonly StoredOutcome[]> {
    const live = await this.#live.readOutcomes(lane, fromSequence);
    if (live[0]?.sequence === fromSequence) return live;
    const archived = await this.#archived(lane, fromSequence, ({ outcome }) => outcome);
    return archived === null ? live : archived.slice(0, maxMessagesRead);
  }

  table(name: TableName): Promise<Table> {
    return this.#live.table(name);
  }

  tableExtent(name: TableName): Promise<TableExtent> {
    return this.#live.tableExtent(name);
  }

  archive(name: ArchiveName): Promise<Archive> {
    return this.#live.archive(name);
  }

  async close(): Promise<void> {
    await this.#index.close();
    await this.#live.close();
  }

  async #archived<T>(
    lane: number,
    fromSequence: number,
    of: (message: ArchivedMessage) => T,
  ): Promise<readonly T[] | null> {
    await this.#index.open();
    const segment = this.#index.find(lane, fromSequence);
    if (segment === null) return null;
    const messages = await this.#index.messages(segment);
    return messages.slice(fromSequence - segment.first).map(of);
  }
}

function joined(live: StreamExtent, first: number | null, last: number): StreamExtent {
  if (first === null || first >= live.firstSequence || last + 1 < live.firstSequence) return live;
  return { ...live, firstSequence: first, messages: live.messages + live.firstSequence - first };
}
