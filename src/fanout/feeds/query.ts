/** The value of an input that must be there once; null otherwise, and where the query is not UTF-8. An empty one is none. */
export function onlyValue(query: string, name: string): string | null {
  if (!isEncoded(query)) return null;
  const [value, ...more] = new URLSearchParams(query).getAll(name).filter((each) => each !== '');
  return value === undefined || more.length > 0 ? null : value;
}

/** In ASCII, with percent-encodings of UTF-8: in others two names could be read as one. */
function isEncoded(query: string): boolean {
  if (!/^[!-~]*$/.test(query)) return false;
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}
