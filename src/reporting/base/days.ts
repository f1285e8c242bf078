/** Whether a text is a day since 1970: `2026-11-28`. */
export function isDay(text: string): boolean {
  return (
    /^(?:19[7-9]|[2-9]\d\d)\d-\d{2}-\d{2}$/.test(text) &&
    new Date(Date.parse(text) || 0).toISOString().startsWith(text)
  );
}

const dayMs = 86_400_000;
/** The days of neighbours are the same. */
let lastDay = { number: Number.NaN, name: '' };

/** The UTC day of a time. */
export function dayAt(timestampMs: number): string {
  const number = Math.floor(timestampMs / dayMs);
  if (number !== lastDay.number) lastDay = { number, name: new Date(timestampMs).toISOString().slice(0, 10) };
  return lastDay.name;
}

/** The time when a day begins. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
