import { authorize, system } from '../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import type { AuditSubject } from '../../../audit/trail.ts';
import { brandPath, isBrandPath, isOwnerPath, operatorOf } from '../../../contracts/fields/identifiers.ts';
import type { AuditedRequest, GatewayContext, Operation, OperationRequest } from '../operation/operation.ts';

type Members = Readonly<Record<string, unknown>>;

const maxOwners = 50;
/** In a longer list the caller's own owners stand for those of its items. */
const maxSearchedItems = 1_000;
const maxReasonCharacters = 1_000;

/** Who wants what, for the audit trail. */
export async function changeSubject(
  operation: Operation,
  request: AuditedRequest,
  context: GatewayContext,
): Promise<AuditSubject> {
  const { principal, params, address, requestId, approved, body } = request;
  const { reason } = (body ?? {}) as { readonly reason?: unknown };
  return {
    request_id: requestId,
    operation: operation.id,
    method: operation.method,
    path: filledPath(operation.path, params as Members),
    user: (principal as unknown as AdministratorPrincipal).subject,
    address,
    owners: await ownersOf(operation, request, context),
    reason: typeof reason === 'string' ? reason.slice(0, maxReasonCharacters) : null,
    approval: approved === null ? null : { id: approved.id, approved_by: approved.approvedBy },
  };
}

/** The path with its parameters. */
export function filledPath(path: string, params: Members): string {
  return path.replace(/\{([a-z_]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
}

/**
 * Owners that a request names. What is foreign to the caller counts as the whole system's: no auditor of
 * another tenant reads of the caller.
 */
async function ownersOf(
  operation: Operation,
  request: OperationRequest,
  context: GatewayContext,
): Promise<readonly string[]> {
  const principal = request.principal as unknown as AdministratorPrincipal;
  const named = (await operation.auditOwners?.(request, context)) ?? namedOwners(request, context);
  const owners = new Set<string>();
  for (const owner of named) owners.add(authorize(principal, 'read', owner) === 'allowed' ? owner : system);
  return owners.size === 0 || owners.size > maxOwners ? [system] : [...owners];
}

function namedOwners(
  { params, body, principal }: OperationRequest,
  context: GatewayContext,
): readonly string[] {
  if (Array.isArray(body) && body.length > maxSearchedItems) {
    const { owners } = principal as unknown as AdministratorPrincipal;
    return owners.has('*') ? [system] : [...owners];
  }
  const items: unknown[] = [params, ...(Array.isArray(body) ? body : [body])];
  return items.flatMap((item) =>
    typeof item === 'object' && item !== null ? ownersIn(item as Members, context) : [],
  );
}

/** The members by which the operations name owners, instances and users. */
function ownersIn(item: Members, context: GatewayContext): readonly string[] {
  const text = (name: string): readonly string[] => (typeof item[name] === 'string' ? [item[name]] : []);
  const texts = (name: string): readonly string[] =>
    Array.isArray(item[name]) ? item[name].filter((each) => typeof each === 'string') : [];
  const operators = text('operator_id');
  const brands = text('brand_id').flatMap((brand) =>
    isBrandPath(brand) ? [brand] : operators.map((operator) => brandPath(operator, brand)),
  );
  const instances = ['instance_id', 'source_instance_id', 'target_instance_id'].flatMap(text);
  const named = ['owner_id', 'target_instance_owner_id'].flatMap(text);
  return [
    ...(brands.length > 0 ? brands.filter(isOwnerPath) : operators),
    ...named.filter(isOwnerPath),
    ...[...instances, ...texts('instance_ids')].map((id) => ownerOfInstance(id, context)),
    ...texts('owners').map((owner) => (owner === '*' ? system : owner)),
    // The name of a new user may be that of another operator's, and says nothing.
    ...(operators.length > 0 || texts('owners').length > 0 ? [] : text('username')).flatMap((name) =>
      ownersOfUser(name, context),
    ),
  ];
}

function ownerOfInstance(instance: string, { directory }: GatewayContext): string {
  return directory.known(instance)?.description.owner ?? system;
}

function ownersOfUser(username: string, { access }: GatewayContext): readonly string[] {
  const service = access.accounts.find('service', username);
  if (service !== undefined) return [service.operator_id];
  if (access.accounts.find('administrator', username) === undefined) return [];
  return ownersOfAdministrator(access, username);
}

/** The owners of an administrator's account; the whole system where it has none or all. */
export function ownersOfAdministrator(
  { accounts }: Pick<GatewayContext['access'], 'accounts'>,
  username: string,
): readonly string[] {
  const owners = accounts.find('administrator', username)?.owners ?? [];
  return owners.length === 0 || owners.includes('*')
    ? [system]
    : owners.filter((each) => operatorOf(each) !== '');
}
