import type { LogSettings } from '../roles/settings.ts';
import { findStream } from './api.ts';
import type { LogConnection } from './connection.ts';
import { narrowedForMs } from './narrow-stream.ts';
import { Requester } from './requester.ts';
import { allStreams, type StreamConfiguration } from './stream-configurations.ts';
import { differencesOf } from './stream-differences.ts';

/** A step of trimming takes milliseconds. */
const maxNarrowedMs = 10_000;

/** Compares the whole configuration of every stream with what it should be. */
export class StreamInspector {
  readonly #requester: Requester;
  readonly #wanted: readonly StreamConfiguration[];

  constructor(connection: LogConnection, settings: LogSettings, lanes: number) {
    this.#requester = new Requester(connection);
    this.#wanted = allStreams(lanes, settings).map(({ configuration, asked: { maxAgeMs } }) =>
      maxAgeMs === undefined ? configuration : { ...configuration, max_age: maxAgeMs * 1_000_000 },
    );
  }

  /** By stream, how it differs; those that do not differ are left out. @throws LogError on outages */
  async differences(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>();
    for (const wanted of this.#wanted) {
      const differences = await this.#differencesOf(wanted);
      if (differences.length > 0) found.set(wanted.name, differences);
    }
    return found;
  }

  close(): Promise<void> {
    return this.#requester.connection.close();
  }

  async #differencesOf(wanted: StreamConfiguration): Promise<readonly string[]> {
    const found = await findStream(this.#requester, wanted.name);
    if (found === null) return ['it does not exist'];
    const texts = differencesOf(wanted, found.config).map(({ text }) => text);
    const narrowedMs = narrowedForMs(found);
    return narrowedMs === null || narrowedMs <= maxNarrowedMs
      ? texts
      : [...texts, `it has been narrowed for ${Math.round(narrowedMs / 1000)} s`];
  }
}
