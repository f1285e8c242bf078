import type { GatewayContext } from '../operation/operation.ts';

/** The header of a list that lacks, or has only an old state of, what lives in lanes that do not serve. */
export function incompleteHeaders({ directory }: Pick<GatewayContext, 'directory'>): readonly string[] {
  const missing = directory.conditions.missing();
  return missing.length === 0 ? [] : ['x-incomplete', `lanes ${missing.join(',')}`];
}
