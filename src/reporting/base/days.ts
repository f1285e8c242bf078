/** Whether a text is a day since 1970: `2026-11-28`. */
export function isDay(text: string): boolean {
  return (
    /^(?:19[7-9]|[2-9]\d\d)\d-\d{2}-\d{2}$/.test(text) &&
    new Date(Date.parse(text) || 0).toISOString().startsWith(text)
  );
}

/** The UTC day of a time. */
export function dayAt(timestampMs: number): string {
  return new Date(timestampMs).toISOString().slice(0, 10);
}

/** The time when a day begins. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
