import type { LaneSystem } from './lane-system.ts';
import { type CommandChange, recorded } from './recorded.ts';

/**
 * Changes something of the system between two entries of the audit trail. `outcomeOf` says whether the result changed
 * anything, and what. 'audit_unavailable': the trail did not take the first entry, and nothing was changed.
 */
export async function auditedSystemChange<T>(
  system: Pick<LaneSystem, 'audit'>,
  change: Omit<CommandChange, 'owners'>,
  work: () => Promise<T>,
  outcomeOf: (result: T) => { readonly applied: boolean; readonly before: unknown; readonly after: unknown },
): Promise<T | 'audit_unavailable'> {
  const trail = await system.audit();
  try {
    return await recorded(trail, { ...change, owners: [''] }, work, (result) => {
      const { applied, before, after } = outcomeOf(result);
      const changes = [{ object: change.object, before, after }];
      return { outcome: applied ? 'applied' : 'refused', code: null, changes };
    });
  } finally {
    await trail.stop();
  }
}
