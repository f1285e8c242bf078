import { PublicError } from '../../../../base/errors.ts';

/** The version that `If-Match` names, with or without quotes; null where the header is absent. */
export function expectedVersion(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): number | null {
  const value = headers['if-match'];
  if (value === undefined) return null;
  const match = typeof value === 'string' ? /^(?:"([0-9]{1,15})"|([0-9]{1,15}))$/.exec(value) : null;
  if (match === null) throw new PublicError('invalid_parameter');
  return Number(match[1] ?? match[2]);
}

/** For decisions before the lane, which compares again. @throws PublicError version_conflict */
export function requireVersion(expected: number | null, present: number): void {
  if (expected !== null && expected !== present) throw new PublicError('version_conflict');
}

/** A change that needs a reason is refused without one. */
export function requireReason(reason: string): void {
  if (reason.trim() === '') throw new PublicError('reason_required');
}
