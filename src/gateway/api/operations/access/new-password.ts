import { isAcceptablePassword, isHashingBusy } from '../../../../access/passwords/password.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';

/** @throws PublicError secret_too_weak */
export function requirePassword(password: string | null | undefined): void {
  if (password !== null && password !== undefined && !isAcceptablePassword(password))
    throw new PublicError('secret_too_weak');
}

/** As stored, for work that hashes a password: too many of them at once are `overloaded`. */
export async function hashedAccount<T>(work: () => Promise<T>): Promise<T> {
  return stored(work).catch((error: unknown) => {
    throw isHashingBusy(error) ? new PublicError('overloaded') : error;
  });
}
