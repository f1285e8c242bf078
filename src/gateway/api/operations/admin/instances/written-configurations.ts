import {
  type ShownConfiguration,
  writtenConfiguration,
} from '../../../../../contracts/configuration/document-view.ts';
import { latin1Of } from '../../../../../lib/bytes.ts';
import { decodeConfiguration } from '../../../../../messages/codec/codec.ts';

/** Bytes of configurations, whose texts take some times as much. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Configurations of instances with their values as JSON, written once for all instances that share them. Beyond the limit all are
 * forgotten.
 */
export class WrittenConfigurations {
  readonly #maxBytes: number;
  #byContent = new Map<string, ShownConfiguration>();
  #bytes = 0;
  /** How many were written so far. */
  written = 0;

  constructor(limit = maxBytes) {
    this.#maxBytes = limit;
  }

  /** Of the bytes in `packed_instances`. @throws LogError */
  of(bytes: Uint8Array): ShownConfiguration {
    const content = latin1Of(bytes);
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const configuration = writtenConfiguration(decodeConfiguration(bytes));
    this.written += 1;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) {
      this.#byContent = new Map();
      this.#bytes = bytes.length;
    }
    this.#byContent.set(content, configuration);
    return configuration;
  }
}
