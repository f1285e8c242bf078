import { hostname, userInfo } from 'node:os';
import type { AuditChange } from '../../audit/entry.ts';
import type { AuditResult } from '../../audit/trail.ts';
import { AuditUnavailable } from '../../audit/writer.ts';
import type { LaneSystem } from './system.ts';

/** A change by a command of the machine, as the audit trail names it. */
export interface CommandChange {
  /** Such as `lane.quarantine`. */
  readonly operation: string;
  /** What is changed, such as `lane 3`. */
  readonly object: string;
  readonly reason: string | null;
  readonly input: unknown;
}

/** Who runs this command, for the trail and the log. */
export function userOfMachine(): string {
  return `${userInfo().username}@${hostname()}`;
}

/**
 * Changes something between two entries of the audit trail (docs/rules/audit.md "Entries"). `outcomeOf` says whether the
 * result changed anything, and what. 'audit_unavailable': the trail did not take the first entry, and nothing was changed.
 */
export async function audited<T>(
  system: Pick<LaneSystem, 'audit'>,
  { operation, object, reason, input }: CommandChange,
  work: () => Promise<T>,
  outcomeOf: (result: T) => { readonly applied: boolean; readonly before: unknown; readonly after: unknown },
): Promise<T | 'audit_unavailable'> {
  const trail = await system.audit();
  try {
    const subject = {
      request_id: '',
      operation,
      method: '',
      path: object,
      user: userOfMachine(),
      address: hostname(),
      owners: [''],
      reason,
      approval: null,
    };
    const open = await trail.begin(subject, input).catch(orUnavailable);
    if (open === null) return 'audit_unavailable';
    const finish = (result: AuditResult): Promise<unknown> => open.finish(result).catch(orUnavailable);
    try {
      const result = await work();
      const { applied, before, after } = outcomeOf(result);
      const changes: readonly AuditChange[] = [{ object, before, after }];
      await finish({ outcome: applied ? 'applied' : 'refused', code: null, changes });
      return result;
    } catch (error) {
      await finish({ outcome: 'unknown', code: null });
      throw error;
    }
  } finally {
    await trail.stop();
  }
}

function orUnavailable(error: unknown): null {
  if (error instanceof AuditUnavailable) return null;
  throw error;
}
