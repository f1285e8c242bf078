import { latin1Of } from '../../lib/bytes.ts';
import { encodeConfiguration } from '../../messages/codec/codec.ts';

const maxBytes = 16 * 1024 * 1024;
/** A key and its place in a map, beside the text. */
const entryBytes = 128;

/**
 * The bytes of configurations. Thousands of instances have the same few: equal ones share their bytes, and a
 * document is encoded once. Beyond the limit all are forgotten.
 */
export class PackedConfigurations {
  readonly #maxBytes: number;
  #byDocument = new WeakMap<object, Uint8Array>();
  #byContent = new Map<string, Uint8Array>();
  #bytes = 0;
  encoded = 0;

  constructor(limit = maxBytes) {
    this.#maxBytes = limit;
  }

  of(document: unknown): Uint8Array {
    const known = this.#byDocument.get(document as object);
    if (known !== undefined) return known;
    const encoded = encodeConfiguration(document);
    this.encoded += 1;
    const content = latin1Of(encoded);
    const bytes = this.#byContent.get(content) ?? this.#enter(content, encoded);
    this.#byDocument.set(document as object, bytes);
    return bytes;
  }

  #enter(content: string, encoded: Uint8Array): Uint8Array {
    this.#bytes += entryBytes + 2 * encoded.length;
    if (this.#bytes > this.#maxBytes) {
      this.#byDocument = new WeakMap();
      this.#byContent = new Map();
      this.#bytes = entryBytes + 2 * encoded.length;
    }
    // The encoder's own buffer is larger.
    const bytes = new Uint8Array(encoded);
    this.#byContent.set(content, bytes);
    return bytes;
  }
}
