import { equalBytes } from '../lib/bytes.ts';
import type { ArchivedMessage } from '../log/archive/segment.ts';
import type { SegmentIndex } from '../log/archive/segment-index.ts';
import { type Log, LogError } from '../ports.ts';

interface ArchiveCheckPorts {
  readonly log: Pick<Log, 'readCommands' | 'readOutcomes'>;
  readonly index: SegmentIndex;
  /** Paces the reading. @throws LogError `stopped` */
  readonly worked: (bytes: number) => Promise<void>;
}

/** The archive has something else than the streams. */
export class ArchiveDiffers extends LogError {
  constructor(lane: number, sequence: number, what: string) {
    super(
      'corrupt',
      `Message ${sequence} of lane ${lane} is not in the archive as the streams have it: ${what}.`,
    );
  }
}

/**
 * Compares the archive of a lane with its streams, byte by byte, before anything leaves these: a role that
 * may write the archive cannot have what it lacks dropped (docs/decisions/0465).
 */
export class ArchiveCheck {
  readonly #lane: number;
  readonly #ports: ArchiveCheckPorts;
  #checkedTo = 0;

  constructor(lane: number, ports: ArchiveCheckPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  get checkedTo(): number {
    return this.#checkedTo;
  }

  /**
   * Compares from `first`, where the streams begin, up to `to` or the end of the archive.
   * @throws ArchiveDiffers; LogError on outages
   */
  async advance(first: number, to: number): Promise<void> {
    const { index, worked } = this.#ports;
    for (let next = Math.max(first, this.#checkedTo + 1); next <= to; ) {
      const segment = index.find(this.#lane, next);
      if (segment === null) {
        if (next > index.lastSequence(this.#lane)) return;
        throw new ArchiveDiffers(this.#lane, next, 'no segment has it');
      }
      const archived = await index.messages(segment);
      await worked(segment.storedBytes);
      next = await this.#compare(archived, next, Math.min(to, segment.last));
      this.#checkedTo = next - 1;
    }
  }

  async #compare(archived: readonly ArchivedMessage[], from: number, to: number): Promise<number> {
    const { log, worked } = this.#ports;
    const start = archived[0]?.command.sequence ?? 0;
    for (let next = from; next <= to; ) {
      const commands = await log.readCommands(this.#lane, next);
      const outcomes = await log.readOutcomes(this.#lane, next);
      const count = Math.min(commands.length, outcomes.length, to - next + 1);
      if (count === 0) throw new ArchiveDiffers(this.#lane, next, 'the streams lack it');
      for (let at = 0; at < count; at += 1) {
        const [command, outcome, stored] = [commands[at]!, outcomes[at]!, archived[next - start]];
        if (command.sequence !== next || outcome.sequence !== next)
          throw new ArchiveDiffers(this.#lane, next, 'the streams lack it');
        if (stored === undefined || !isSame(stored, { command, outcome }))
          throw new ArchiveDiffers(this.#lane, next, 'the archive has another one');
        next += 1;
        await worked(command.bytes.length + outcome.bytes.length);
      }
    }
    return to + 1;
  }
}

function isSame(one: ArchivedMessage, other: ArchivedMessage): boolean {
  return (
    one.command.channel === other.command.channel &&
    isSameMessage(one.command, other.command) &&
    isSameMessage(one.outcome, other.outcome)
  );
}

interface Message {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly bytes: Uint8Array;
}

function isSameMessage(one: Message, other: Message): boolean {
  return (
    one.sequence === other.sequence &&
    one.timestampMs === other.timestampMs &&
    equalBytes(one.bytes, other.bytes)
  );
}
