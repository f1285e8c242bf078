/** The inputs of a path, by their names in its pattern. */
export type PathInputs = Readonly<Record<string, string>>;

/**
 * Reads the inputs of a target of this pattern, `{…}` for a segment each; null: another path, or a query. The
 * fast path takes no percent-encoding, so inputs stand as they are.
 */
export function pathMatcher(pattern: string): (target: string) => PathInputs | null {
  const parts = pattern.split('/');
  const names = parts.map((part) => /^\{([a-z_]+)\}$/.exec(part)?.[1]);
  const [prefix = ''] = pattern.split('{');
  return (target) => {
    if (!target.startsWith(prefix) || target.includes('?')) return null;
    const segments = target.split('/');
    if (segments.length !== parts.length) return null;
    const inputs: Record<string, string> = {};
    for (let index = 0; index < parts.length; index += 1) {
      const name = names[index];
      const value = segments[index] as string;
      if (name === undefined ? value !== parts[index] : value === '') return null;
      if (name !== undefined) inputs[name] = value;
    }
    return inputs;
  };
}
