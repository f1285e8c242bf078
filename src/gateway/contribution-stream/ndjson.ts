import type { Framing } from './framing.ts';
import { streamMediaTypes } from './media-types.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { NdjsonWriter } from './ndjson-writer.ts';

/** Lines of JSON, both ways. */
export const ndjson: Framing = {
  mediaType: streamMediaTypes.ndjson,
  createReader: () => new NdjsonReader(),
  createWriter: () => new NdjsonWriter(),
};
