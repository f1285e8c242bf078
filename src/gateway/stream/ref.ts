import { isForeignId } from '../../contracts/fields/identifiers.ts';

/** What a caller names a line by; null: the line has no good one. */
export type Ref = string | number | null;

/** What gets the name of a line, once it is read. */
export interface NamedLine {
  ref: Ref;
}

/** Nearly all refs are such. */
const plain = /^[!-~]{1,128}$/;

/** What a line may be named by in its result, good or bad; null: it has no good ref (`refField`). */
export function refOf(value: unknown): Ref {
  if (typeof value !== 'object' || value === null) return null;
  const { ref } = value as { readonly ref?: unknown };
  if (typeof ref === 'string') return plain.test(ref) || isForeignId(ref) ? ref : null;
  return typeof ref === 'number' && Number.isSafeInteger(ref) && ref >= 0 ? ref : null;
}

const textOrMark = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** The ref of a line that is JSON, also of a refused one; null: none, or two. */
export function refOfText(text: string): Ref {
  try {
    const ref = refOf(JSON.parse(text));
    return ref === null || refsIn(text) > 1 ? null : ref;
  } catch {
    return null;
  }
}

/** How many members of the outermost object are named `ref`, of well-formed JSON. */
function refsIn(text: string): number {
  let refs = 0;
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(textOrMark)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (token === ':' && depth === 1 && JSON.parse(before) === 'ref') refs += 1;
    before = token;
  }
  return refs;
}
