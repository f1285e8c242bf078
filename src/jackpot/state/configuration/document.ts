/** A JSON object that nobody has checked. */
export type Document = Readonly<Record<string, unknown>>;
