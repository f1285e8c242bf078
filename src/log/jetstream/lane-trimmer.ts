import type { LaneTrimmer } from '../../ports.ts';
import { commandStream, outcomeStream, partStream, sequenceOfPart } from '../names.ts';
import { streamState } from './api.ts';
import type { LogConnection } from './connection.ts';
import { readBatch } from './direct-read.ts';
import { keepAged, trimStream } from './narrow-stream.ts';
import { Requester } from './requester.ts';

/** Parts are rare: so many do not arrive during one step. */
const maxSpareParts = 256;

/** Drops the oldest messages of lanes' streams, on a connection that nothing else waits for. */
export class JetStreamTrimmer implements LaneTrimmer {
  readonly #connection: LogConnection;
  readonly #requester: Requester;

  constructor(connection: LogConnection) {
    this.#connection = connection;
    this.#requester = new Requester(connection);
  }

  /** The commands first: an outcome without its command does no harm, the opposite looks like a loss. */
  async trim(lane: number, to: number, spare: number): Promise<void> {
    await trimStream(this.#requester, commandStream(lane), to, spare);
    await trimStream(this.#requester, outcomeStream(lane), to, spare);
    const parts = partStream(lane);
    await trimStream(
      this.#requester,
      parts,
      await this.#lastPartOf(parts, to),
      Math.min(spare, maxSpareParts),
    );
  }

  async keepAged(lane: number, keep: boolean): Promise<void> {
    for (const stream of [commandStream(lane), outcomeStream(lane), partStream(lane)])
      await keepAged(this.#requester, stream, keep);
  }

  /** The last one before the first part of a later record. Parts are stored in the order of their records. */
  async #lastPartOf(stream: string, to: number): Promise<number> {
    const { first_seq: first, last_seq: last } = await streamState(this.#requester, stream);
    let until = Math.max(first, 1) - 1;
    while (until < last) {
      const parts = await readBatch(this.#connection, stream, until + 1);
      if (parts.length === 0) return until;
      for (const { subject, sequence } of parts) {
        if (sequenceOfPart(subject) > to) return until;
        until = sequence;
      }
    }
    return until;
  }
}
