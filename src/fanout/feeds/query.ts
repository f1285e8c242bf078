/**
 * The value of an input that must be there once and not empty; null otherwise. The query must be ASCII with
 * percent-encodings of UTF-8: in others two names could be read as one.
 */
export function onlyValue(query: string, name: string): string | null {
  if (!/^[!-~]*$/.test(query) || decoded(query) === null) return null;
  const [value, ...more] = new URLSearchParams(query).getAll(name).filter((each) => each !== '');
  return value === undefined || more.length > 0 ? null : value;
}

/** What stands beside a ticket could only contradict it. */
export function isAlone(query: string): boolean {
  return !query.includes('&');
}

export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
