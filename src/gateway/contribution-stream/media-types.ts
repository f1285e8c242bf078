/** What a stream of contributions may be written in, both ways (docs/rules/streams.md "Lines", docs/rules/contribution-frames.md "Frames"). */
export type StreamForm = 'ndjson' | 'frames';

export const streamMediaTypes: Readonly<Record<StreamForm, string>> = {
  ndjson: 'application/x-ndjson',
  frames: 'application/vnd.potstream.contributions+msgpack',
};

/** Of the form `frames`: of its media type a parameter, and 1 where it is absent. */
export const framesVersion = 1;

const ndjson = /^application\/x-ndjson[ \t]*(?:;[ \t]*(?:charset[ \t]*=[ \t]*"?utf-?8"?)?[ \t]*)?$/i;
const frames =
  /^application\/vnd\.potstream\.contributions\+msgpack[ \t]*(?:;[ \t]*(?:version[ \t]*=[ \t]*(?:1|"1"))?[ \t]*)?$/i;

/** The form that a Content-Type names; null: none, or a version that is not known. */
export function streamFormOf(contentType: string | undefined): StreamForm | null {
  if (contentType === undefined) return null;
  if (ndjson.test(contentType)) return 'ndjson';
  return frames.test(contentType) ? 'frames' : null;
}
