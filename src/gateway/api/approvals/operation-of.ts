import type { Approval } from '../../../access/approvals.ts';
import type { GatewayContext, Operation } from '../operation/operation.ts';

/** The operation that was proposed; undefined: this version does not have it. */
export function operationOf(
  { operations }: Pick<GatewayContext, 'operations'>,
  { method, path }: Pick<Approval, 'method' | 'path'>,
): Operation | undefined {
  return operations.find((each) => each.method === method && each.path === path);
}
