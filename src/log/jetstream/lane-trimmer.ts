import type { LaneTrimmer } from '../../ports.ts';
import { commandStream, outcomeStream, partStream, sequenceOfPart } from '../base/names.ts';
import { spareWithin } from '../base/spare-room.ts';
import { streamContents, streamState } from './api.ts';
import { readStoredBatch } from './direct-read.ts';
import { keepAged, type Stopwatch, trimStream, widenStream } from './narrow-stream.ts';
import { OutcomePlaces } from './outcome-places.ts';
import type { Requester } from './requester.ts';

/** Drops the oldest messages of lanes' streams, on a connection that nothing else waits for. */
export class JetStreamTrimmer implements LaneTrimmer {
  readonly #requester: Requester;
  readonly #stopwatch: Stopwatch | undefined;
  readonly #places: OutcomePlaces;

  constructor(requester: Requester, replicas: number, stopwatch?: Stopwatch) {
    this.#requester = requester;
    this.#places = new OutcomePlaces(requester, replicas);
    this.#stopwatch = stopwatch;
  }

  /** The commands first: an outcome without its command does no harm, the opposite looks like a loss. */
  async trim(lane: number, to: number, spare: number): Promise<number> {
    const ofCommands = await this.#trimStream(commandStream(lane), to, spare);
    // A block with a record that stays is kept.
    const [outcomes, lastPlace] = [outcomeStream(lane), (await this.#places.startOf(lane, to + 1)) - 1];
    const ofOutcomes = await this.#trimStream(outcomes, lastPlace, await this.#spareWithin(outcomes, spare));
    const parts = partStream(lane);
    const lastPart = await this.#lastPartOf(parts, to);
    const ofParts = await this.#trimStream(parts, lastPart, await this.#spareWithin(parts, spare));
    return Math.max(ofCommands, ofOutcomes, ofParts);
  }

  async widen(lane: number, narrowedForMs: number): Promise<number> {
    const widening = streamsOf(lane).map((stream) => widenStream(this.#requester, stream, narrowedForMs));
    return Math.max(...(await Promise.all(widening)));
  }

  async keepAged(lane: number, keep: boolean): Promise<void> {
    for (const stream of streamsOf(lane)) await keepAged(this.#requester, stream, keep);
  }

  #trimStream(stream: string, to: number, spare: number): Promise<number> {
    return trimStream(this.#requester, stream, to, spare, this.#stopwatch);
  }

  /** Parts and blocks are larger than commands. */
  async #spareWithin(stream: string, spare: number): Promise<number> {
    return spareWithin(spare, await streamContents(this.#requester, stream));
  }

  /** The last one before the first part of a later record. Parts are stored in the order of their records. */
  async #lastPartOf(stream: string, to: number): Promise<number> {
    const { first_seq: first, last_seq: last } = await streamState(this.#requester, stream);
    let until = Math.max(first, 1) - 1;
    while (until < last) {
      const parts = await readStoredBatch(this.#requester, stream, until + 1);
      if (parts.length === 0) return until;
      for (const { subject, sequence } of parts) {
        if (sequenceOfPart(subject) > to) return until;
        until = sequence;
      }
    }
    return until;
  }
}

function streamsOf(lane: number): readonly string[] {
  return [commandStream(lane), outcomeStream(lane), partStream(lane)];
}
