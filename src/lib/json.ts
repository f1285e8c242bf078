import { formatAmount } from './money.ts';

/** A value that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Writes JSON; a `bigint` is an amount in atoms. @throws TypeError for what JSON does not have */
export function writeJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return formatAmount(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('A number of an answer is not finite.');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (value instanceof JsonText) return value.text;
      return Array.isArray(value) ? writeArray(value) : writeObject(value as Record<string, unknown>);
    default:
      throw new TypeError(`An answer holds a ${typeof value}.`);
  }
}

function writeArray(items: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ',';
    text += writeJson(items[index] === undefined ? null : items[index]);
  }
  return `${text}]`;
}

function writeObject(members: Readonly<Record<string, unknown>>): string {
  let text = '{';
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value === undefined) continue;
    if (text !== '{') text += ',';
    text += nameText(name);
    text += value instanceof JsonText ? value.text : writeJson(value);
  }
  return `${text}}`;
}

const maxNames = 2_000;
const maxNameLength = 64;
/** The names of answers are few and come again and again: quoted, with their colon. */
const nameTexts = new Map<string, string>();

function nameText(name: string): string {
  const known = nameTexts.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  if (name.length > maxNameLength) return text;
  // Callers may have filled it with names of theirs.
  if (nameTexts.size >= maxNames) nameTexts.clear();
  nameTexts.set(name, text);
  return text;
}
