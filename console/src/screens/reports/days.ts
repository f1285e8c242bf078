export const dayMs = 86_400_000;

/** The first moment of a day of the person's zone; undefined: no day was given. */
export function dayStartOf(day: string | undefined): number | undefined {
  return momentOf(day, 0);
}

/** The first moment after the day. */
export function dayEndOf(day: string | undefined): number | undefined {
  return momentOf(day, 1);
}

function momentOf(day: string | undefined, daysLater: number): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  // As a date, not as so many hours: days with a change of the clock are longer or shorter.
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
}

/** The first moment of a day of UTC. */
export function utcStartOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** A day as reports name it, some days ago. */
export function utcDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
}

/** A share, such as 0.9412, in percent with all of its digits. */
export function percentText(share: string | null): string {
  const [, sign = '', whole = '', places = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(share ?? '') ?? [];
  if (whole === '') return share ?? '–';
  const digits = places.padEnd(2, '0');
  const percent = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  return `${sign}${percent}${digits.length > 2 ? `.${digits.slice(2)}` : ''} %`;
}
