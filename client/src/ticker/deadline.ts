const dayMs = 86_400_000;
const daily = /^([01]\d|2[0-3]):([0-5]\d)Z$/;

/** When a pot must have dropped: `20:00Z` is a time of each UTC day, anything else a date; null: it is over or none. */
export function deadlineMs(mustDrop: string, nowMs: number): number | null {
  const [, hours, minutes] = daily.exec(mustDrop) ?? [];
  if (hours === undefined) {
    const atMs = Date.parse(mustDrop);
    return atMs > nowMs ? atMs : null;
  }
  const today = Math.floor(nowMs / dayMs) * dayMs + (Number(hours) * 60 + Number(minutes)) * 60_000;
  return today > nowMs ? today : today + dayMs;
}

/** `2d 4h`, `3h 05m`, `4:09`, in the words and digits of the locale. */
export function timeLeft(leftMs: number, locale: string): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const number = (value: number, options?: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value);
  const unit = (value: number, name: string, minimumIntegerDigits = 1) =>
    number(value, { style: 'unit', unit: name, unitDisplay: 'narrow', minimumIntegerDigits });
  if (hours >= 48) return `${unit(Math.floor(hours / 24), 'day')} ${unit(hours % 24, 'hour')}`;
  if (hours >= 1) return `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute', 2)}`;
  return `${number(minutes)}:${number(seconds % 60, { minimumIntegerDigits: 2 })}`;
}

/** The time of a value: of today, or its date. */
export function timeOf(atMs: number, locale: string): string {
  const isToday = new Date(atMs).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium' }).format(
    atMs,
  );
}
