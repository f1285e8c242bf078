/** A member that occurs twice in one object: two readers may read two different files. */
export class DuplicateMember extends Error {}

/** JSON, in which no object names a member twice. Throws SyntaxError, or DuplicateMember. */
export function parsePublic(text: string): unknown {
  const json: unknown = JSON.parse(text);
  const twice = duplicateMember(text);
  if (twice !== null) throw new DuplicateMember(`The member ${JSON.stringify(twice)} is there twice.`);
  return json;
}

/** The first member that an object of this well-formed JSON names twice; null: there is no such member. */
export function duplicateMember(text: string): string | null {
  // Of each object that is open the names so far, null for an array.
  const open: (Set<string> | null)[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      if (isName) {
        const names = open.at(-1)!;
        const name = nameOf(text.slice(at + 1, end));
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      at = end;
    } else if (code === openBrace) {
      open.push(new Set());
      isName = true;
    } else if (code === openBracket) {
      open.push(null);
      isName = false;
    } else if (code === closeBrace || code === closeBracket) {
      open.pop();
      isName = false;
    } else if (code === comma) isName = open.at(-1) instanceof Set;
  }
  return null;
}

const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}

/** Two spellings of one name are one name. */
function nameOf(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}
