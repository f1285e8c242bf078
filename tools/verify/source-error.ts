/** The public data cannot be read: no such file, no answer, no JSON. */
export class SourceError extends Error {}
