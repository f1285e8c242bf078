import { InvalidArgumentError } from 'commander';

/** A UUID in lower case, as lists show it. */
export function asUuid(text: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw new InvalidArgumentError('an id is a UUID in lower case');
  return text;
}

/** Rows of a page. */
export function asLimit(text: string): number {
  if (!/^[1-9][0-9]{0,2}$/.test(text) || Number(text) > 500)
    throw new InvalidArgumentError('an integer from 1 to 500');
  return Number(text);
}

/** Pages count from 0. */
export function asPage(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,5})$/.test(text)) throw new InvalidArgumentError('an integer from 0 to 999,999');
  return Number(text);
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
