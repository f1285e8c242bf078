import type { AdministratorAccount, ServiceAccount } from '../../../../access/accounts/account-entries.ts';
import type { Author } from '../../../../access/accounts/authors.ts';
import { newUsername } from '../../../../access/accounts/user-names.ts';
import { isOfApproval } from '../../../../access/accounts/users.ts';
import { isAcceptablePassword, isHashingBusy } from '../../../../access/passwords/password.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import type { ErrorCode } from '../../../../contracts/errors/codes.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { stored } from '../../../base/stored.ts';
import { authorOrProposed } from '../../approvals/accounts.ts';
import type { AdministratorsRequest } from '../../approvals/propose.ts';
import { ownersOfAdministrator } from '../../audit/subject.ts';
import type { GatewayContext, OperationRequest } from '../../operation/operation.ts';

type Account = AdministratorAccount | ServiceAccount;
type AccountRequest = AdministratorsRequest & { readonly principal: AdministratorPrincipal };

/** How a new user of one kind is made and shown. */
interface NewAccount<A extends Account> {
  readonly kind: 'administrator' | 'service';
  readonly owners: readonly string[];
  /** As the caller gave it. */
  readonly username: string;
  readonly password: string;
  readonly create: (username: string, author: Author) => Promise<A | null>;
  readonly view: (account: A) => unknown;
}

/** Adds a user, once a second administrator has approved it where the four-eyes rule asks for that. */
export async function addAccount<A extends Account>(
  context: GatewayContext,
  request: AccountRequest,
  { kind, owners, username, password, create, view }: NewAccount<A>,
): Promise<Reply> {
  const { principal, approved } = request;
  const name = requireNewName(principal, username, owners);
  // An earlier attempt of the same approval may have made it.
  const taken = context.access.accounts.find(kind, name);
  if (taken !== undefined && (approved === null || taken.approved?.id !== approved.id))
    throw new PublicError('already_exists');
  requirePassword(password);
  const author = await authorOrProposed(context, request, { owners });
  if ('status' in author) return author;
  const account = await hashedAccount(() => create(name, author));
  if (account === null) throw new PublicError('already_exists');
  return { status: 201, body: view(account) };
}

interface ChangedAccount<A extends Account, Change extends object> {
  readonly present: A;
  readonly owners: readonly string[];
  readonly change: Change;
  /** Whether the change lets the account do more than it may now. */
  readonly widens: (account: A, change: Change) => boolean;
  readonly apply: (author: Author) => Promise<A | ErrorCode | null>;
  readonly view: (account: A) => unknown;
}

/** Changes a user; what lets it do more waits for a second administrator under the four-eyes rule. */
export async function alterAccount<A extends Account, Change extends object>(
  context: GatewayContext,
  request: AccountRequest,
  { present, owners, change, widens, apply, view }: ChangedAccount<A, Change>,
): Promise<Reply> {
  if (Object.keys(change).length === 0) return { status: 200, body: view(present) };
  const author = await authorOrProposed(context, request, {
    owners,
    present,
    widens: (account) => widens(account, change),
  });
  if ('status' in author) return author;
  if (isOfApproval(present, author)) return { status: 200, body: view(present) };
  const account = await hashedAccount(() => apply(author));
  if (account === null) throw new PublicError('user_not_found');
  if (typeof account === 'string') throw new PublicError(account);
  return { status: 200, body: view(account) };
}

/** @throws PublicError secret_too_weak */
export function requirePassword(password: string | null | undefined): void {
  if (password !== null && password !== undefined && !isAcceptablePassword(password))
    throw new PublicError('secret_too_weak');
}

/** Work that hashes a password: too many of them at once are `overloaded`. */
export async function hashed<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw isHashingBusy(error) ? new PublicError('overloaded') : error;
  });
}

function hashedAccount<T>(work: () => Promise<T>): Promise<T> {
  return hashed(stored(work));
}

/** The whole name of the user that the caller creates. @throws PublicError forbidden, invalid_identifier */
function requireNewName(
  principal: AdministratorPrincipal,
  username: string,
  owners: readonly string[],
): string {
  const named = newUsername(principal, username, owners);
  if (named === 'forbidden')
    throw new PublicError(
      'forbidden',
      'A user of several operators is for an administrator of the whole system to add.',
    );
  if (named === 'invalid_identifier')
    throw new PublicError(
      'invalid_identifier',
      'An operator’s administrators name users name@operator_id; nobody else uses @.',
    );
  return named;
}

/** Whose a change of the caller's own account is, for the audit trail. */
export function ownAccountOwners(
  { principal }: OperationRequest,
  { access }: GatewayContext,
): readonly string[] {
  return ownersOfAdministrator(access, (principal as AdministratorPrincipal).subject);
}
