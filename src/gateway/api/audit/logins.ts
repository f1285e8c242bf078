import { system } from '../../../access/rights/authorize.ts';
import { PublicError } from '../../base/errors.ts';
import { nextRequestId } from '../../base/request-id.ts';
import type { GatewayContext, Operation } from '../operation/operation.ts';
import { available } from './audited.ts';
import { filledPath, ownersOfAdministrator } from './subject.ts';

interface Caller {
  readonly username: string;
  readonly address: string;
  /** The operator at whose identity provider it is: such a log-in may name no user. */
  readonly operator?: string;
}

/**
 * The token of a log-in once the audit trail has it, or its refusal; blocked callers get no entry.
 * @throws PublicError audit_unavailable
 */
export async function recordedLogin(
  login: Promise<string>,
  caller: Caller,
  context: GatewayContext,
  operation: Operation,
): Promise<string> {
  let token: string;
  try {
    token = await login;
  } catch (error) {
    if (error instanceof PublicError && error.code === 'invalid_credentials')
      await recordRefusal(caller, context, operation);
    throw error;
  }
  await record(caller, context, operation, {
    outcome: 'applied',
    status: operation.status ?? 200,
    code: null,
  });
  return token;
}

async function recordRefusal(caller: Caller, context: GatewayContext, operation: Operation): Promise<void> {
  const count = context.refusedLogins.take(context.clock.elapsedMs());
  if (count === 0) return;
  const result = { outcome: 'refused', status: 401, code: 'invalid_credentials' } as const;
  await record(caller, context, operation, { ...result, ...(count === 1 ? {} : { count }) });
}

function record(
  { username, address, operator }: Caller,
  { access, audit }: GatewayContext,
  { id, method, path }: Operation,
  result: Parameters<GatewayContext['audit']['record']>[1],
): Promise<void> {
  const isKnown = access.accounts.find('administrator', username) !== undefined;
  const isOfOperator = !isKnown && operator !== undefined;
  const owners = isOfOperator ? [operator] : ownersOfAdministrator(access, username);
  const subject = {
    request_id: nextRequestId(),
    operation: id,
    method,
    path: filledPath(path, { operator_id: operator }),
    // The caller may have typed a password there.
    user: isKnown ? username : '',
    address,
    owners: owners.length === 0 ? [system] : owners,
    reason: null,
    approval: null,
  };
  return available(() => audit.record(subject, result));
}
