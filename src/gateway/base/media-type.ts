/** A Content-Type: the type in lower case, names of parameters too, and values without quotes. */
interface MediaType {
  readonly type: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const typePattern = new RegExp(`^(${token}/${token})[ \\t]*(?=;|$)`);
/** An empty one counts as none (RFC 9110, 5.6.6). */
const parameterPattern = new RegExp(
  `;[ \\t]*(?:(${token})[ \\t]*=[ \\t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*(?=;|$)`,
  'y',
);

/** null: it is none (RFC 9110, 8.3.1). */
function mediaTypeOf(contentType: string): MediaType | null {
  const [whole, type] = typePattern.exec(contentType) ?? [];
  if (whole === undefined || type === undefined) return null;
  const parameters: [string, string][] = [];
  parameterPattern.lastIndex = whole.length;
  for (let at = whole.length; at < contentType.length; at = parameterPattern.lastIndex) {
    const found = parameterPattern.exec(contentType);
    if (found === null) return null;
    const [, name, value, quoted] = found;
    if (name !== undefined) parameters.push([name.toLowerCase(), value ?? quoted!.replace(/\\(.)/g, '$1')]);
  }
  return { type: type.toLowerCase(), parameters };
}

/** Whether it is of the type with these values of these parameters; other parameters are ignored. */
export function isMediaType(
  contentType: string | undefined,
  type: string,
  values: Readonly<Record<string, RegExp>>,
): boolean {
  const found = contentType === undefined ? null : mediaTypeOf(contentType);
  if (found?.type !== type) return false;
  return found.parameters.every(([name, value]) => !Object.hasOwn(values, name) || values[name]!.test(value));
}
