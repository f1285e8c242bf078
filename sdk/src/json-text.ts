/**
 * A value that is JSON already, for `metadata` and `event_metadata`: it is sent as it stands. For numbers that a double does not
 * hold, such as ids of 64 bits. Its text must be JSON.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON.stringify for the body of a contribution. */
export function writeBody(body: object): string {
  const { metadata, event_metadata, ...others } = body as Record<string, unknown>;
  if (!(metadata instanceof JsonText || event_metadata instanceof JsonText)) return JSON.stringify(body);
  let text = JSON.stringify(others).slice(0, -1);
  for (const [name, value] of Object.entries({ metadata, event_metadata })) {
    const json = writeMetadata(value);
    if (json !== null) text += `${text === '{' ? '' : ','}"${name}":${json}`;
  }
  return `${text}}`;
}

/** null: there is none. */
function writeMetadata(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
