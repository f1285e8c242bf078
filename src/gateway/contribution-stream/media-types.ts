import { isMediaType } from '../http/media-type.ts';

/** What a stream of contributions may be written in, both ways (docs/rules/streams.md "Lines", docs/rules/contribution-frames.md "Frames"). */
export type StreamForm = 'ndjson' | 'frames';

export const streamMediaTypes: Readonly<Record<StreamForm, string>> = {
  ndjson: 'application/x-ndjson',
  frames: 'application/vnd.potstream.contributions+msgpack',
};

/** Of the form `frames`: of its media type a parameter, and 1 where it is absent. */
export const framesVersion = 1;

/** The form that a Content-Type names; null: none, or a version that is not known. */
export function streamFormOf(contentType: string | undefined): StreamForm | null {
  if (isMediaType(contentType, streamMediaTypes.ndjson, { charset: /^utf-?8$/i })) return 'ndjson';
  return isMediaType(contentType, streamMediaTypes.frames, { version: /^1$/ }) ? 'frames' : null;
}
