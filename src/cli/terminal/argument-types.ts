import { InvalidArgumentError } from 'commander';

/** How commands read arguments and options; InvalidArgumentError says what is expected. */

/** An integer between limits. */
export function asInteger(min: number, max: number): (text: string) => number {
  const expected = `an integer from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`;
  return (text) => {
    if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text) || Number(text) < min || Number(text) > max)
      throw new InvalidArgumentError(expected);
    return Number(text);
  };
}

export function asCount(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) throw new InvalidArgumentError('an integer of zero or more');
  return Number(text);
}

export const asPositive = asInteger(1, 1_000_000_000);

export function asRate(text: string): number {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1_000_000)) throw new InvalidArgumentError('a number above 0, at most 1,000,000');
  return rate;
}

/** Rows of a page. */
export const asLimit = asInteger(1, 500);

/** Pages count from 0. */
export const asPage = asInteger(0, 999_999);

/** A UUID in lower case, as lists show it. */
export function asUuid(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw new InvalidArgumentError('an id is a UUID in lower case');
  return text;
}

/** A SHA-256, such as a commitment or a head. */
export function asHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('64 hexadecimal digits in lower case');
  return text;
}

/** A reason or a name for the audit trail. */
export function asReason(text: string): string {
  if (text.trim() === '' || text.length > 1000) throw new InvalidArgumentError('1 to 1000 characters');
  return text;
}

/** A time as ISO 8601, in milliseconds. */
export function asTime(text: string): number {
  const timeMs = Date.parse(text);
  if (!(timeMs >= 0)) throw new InvalidArgumentError('a time such as 2030-01-01T00:00:00Z');
  return timeMs;
}

/** A time as milliseconds: so written, or as ISO 8601 with its zone. */
export function asTimeMs(text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  const isZoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const timeMs = isZoned ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError('milliseconds, or a time such as 2026-11-22T08:00:00Z');
  return timeMs;
}
