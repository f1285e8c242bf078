import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { type Clock, LogError, type StreamReader } from '../../ports.ts';
import { StoreError } from '../base/errors.ts';
import type { StreamBatch } from '../base/lane-batch.ts';
import { reportingLimits } from '../base/limits.ts';
import type { SideStream } from '../base/side-tables.ts';
import { streamRows } from './stream-rows.ts';

/** What the keeper needs of the database. */
export interface StreamStore {
  streamPosition(stream: SideStream): Promise<number | null>;
  writeStream(batch: StreamBatch): Promise<void>;
}

export interface StreamKeeperPorts {
  readonly clock: Clock;
  readonly systemId: string;
  readonly store: StreamStore;
  readonly streams: Readonly<Record<SideStream, StreamReader>>;
  readonly report: (error: unknown) => void;
}

/**
 * Writes what a stream beside the lanes has, burst by burst, until it is stopped. Nothing depends on it: what
 * cannot be read or written now is tried again later.
 */
export class StreamKeeper {
  readonly #stream: SideStream;
  readonly #ports: StreamKeeperPorts;
  readonly #pauses: WakeablePauses;
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor(stream: SideStream, ports: StreamKeeperPorts) {
    this.#stream = stream;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(ports.clock);
    this.#ended = this.#repeat();
    this.#ended.catch(crash);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pauses.wake();
    await this.#ended;
  }

  async #repeat(): Promise<void> {
    while (!this.#isStopped) {
      let pauseMs: number = reportingLimits.sideEveryMs;
      try {
        while (!this.#isStopped && (await this.#burst()));
      } catch (error) {
        // What keeps the lanes' books from going on is told by them.
        if (!(error instanceof StoreError || error instanceof LogError)) this.#ports.report(error);
        pauseMs = reportingLimits.faultPauseMs;
      }
      if (!this.#isStopped) await this.#pauses.pause(pauseMs);
    }
  }

  /** Whether there may be more. */
  async #burst(): Promise<boolean> {
    const { store, streams, systemId } = this.#ports;
    const reader = streams[this.#stream];
    const { firstSequence, lastSequence } = await reader.extent();
    const written = (await store.streamPosition(this.#stream)) ?? -1;
    if (lastSequence === written || lastSequence === 0) return false;
    // A stream that ends before what is written was made anew: it is read from its beginning.
    const from = written > lastSequence ? firstSequence : Math.max(firstSequence, written + 1);
    const messages = await reader.readFrom(from);
    const last = messages.at(-1);
    if (last === undefined) return false;
    const { sequence, timestampMs } = last;
    await store.writeStream({
      stream: this.#stream,
      after: written,
      position: { sequence, timestampMs, systemId },
      rows: streamRows(this.#stream, messages),
    });
    return sequence < lastSequence;
  }
}
