/** What the newest answer of the books said: null: they follow; else where they end, 0 where they have nothing yet. */
let endMs: number | null = null;
const listeners = new Set<() => void>();

export function booksEnd(): number | null {
  return endMs;
}

export function onBooksEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Answers of the books say how far they are, and from half a minute on that they are behind (docs/rules/reports.md "Lists"). */
export function heardOfBooks(headers: Headers): void {
  if (!headers.has('x-as-of')) return;
  const late = /^lanes [\d,]+(?: until (\S+))?$/.exec(headers.get('x-incomplete') ?? '');
  const end = late === null ? null : Date.parse(late[1] ?? '') || 0;
  if (end === endMs) return;
  endMs = end;
  for (const listener of listeners) listener();
}
