import type { Login } from '../../../access/access.ts';
import { PasswordQueueFull } from '../../../access/password.ts';
import { PublicError } from '../../errors.ts';

/** The token of a login. @throws PublicError where it failed. */
export async function tokenOf(login: Promise<Login>): Promise<string> {
  const result = await login.catch((error: unknown) => {
    throw error instanceof PasswordQueueFull ? new PublicError('overloaded') : error;
  });
  switch (result.kind) {
    case 'token':
      return result.token;
    case 'blocked':
      throw new PublicError('too_many_attempts', '', { retryAfterSeconds: result.seconds });
    case 'invalid':
      throw new PublicError('invalid_credentials');
  }
}
