import { isHashingBusy } from '../../../../access/passwords/password.ts';
import type { Login, Renewal } from '../../../../access/sessions/logins.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext, OperationRequest } from '../../operation/operation.ts';

/** The token of a login from an address. @throws PublicError where it failed. */
export async function tokenOf(login: Promise<Login>, address: string): Promise<string> {
  const result = await login.catch((error: unknown) => {
    throw isHashingBusy(error) ? new PublicError('overloaded') : error;
  });
  switch (result.kind) {
    case 'token':
      return result.token;
    case 'blocked':
      throw new PublicError('too_many_attempts', '', {
        retryAfterSeconds: result.seconds,
        limitedCaller: address,
      });
    case 'invalid':
      throw new PublicError('invalid_credentials');
  }
}

/** Exchanges the token of the request for a new one. Signed requests need no token. @throws PublicError */
export async function renewedToken(
  headers: OperationRequest['headers'],
  renew: (shown: string) => Promise<Renewal>,
): Promise<string> {
  const { authorization } = headers;
  const [, shown] = /^bearer +([^ ]+)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  if (shown === undefined) throw new PublicError('unauthenticated');
  const renewal = await renew(shown);
  if (renewal.kind === 'refused') throw new PublicError(renewal.fault);
  return renewal.token;
}

/** A disabled operator's service users get no token. @throws PublicError owner_disabled */
export function requireEnabledOperator(
  { access, directory }: Pick<GatewayContext, 'access' | 'directory'>,
  username: string,
): void {
  const account = access.accounts.find('service', username);
  if (account !== undefined && directory.entries.enabled(account.operator_id) === false)
    throw new PublicError('owner_disabled');
}
