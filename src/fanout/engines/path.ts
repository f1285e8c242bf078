/** The parameters of a path that has the form of the pattern; otherwise null. */
export function matchPath(pattern: string, path: string): string[] | null {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return null;
  const parameters: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (!wanted[index]?.startsWith(':')) {
      if (wanted[index] !== part) return null;
    } else if (part === '') return null;
    else parameters.push(part);
  }
  return parameters;
}
