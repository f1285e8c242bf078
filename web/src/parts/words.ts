/** `must-drop` → `Must drop`: ids are the operator's words, shown as a person would write them. */
export function wordsOf(id: string): string {
  const words = id.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function timeOf(timestampMs: number): string {
  return new Date(timestampMs).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
