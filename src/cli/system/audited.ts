import { hostname, userInfo } from 'node:os';
import type { AuditResult, AuditTrail } from '../../audit/trail.ts';
import { AuditUnavailable } from '../../audit/writer.ts';
import type { LaneSystem } from './lane-system.ts';

/** A change by a command of this machine, as the audit trail names it. */
export interface CommandChange {
  /** Such as `lane.quarantine`. */
  readonly operation: string;
  /** What is changed, such as `lane 3`. */
  readonly object: string;
  /** Whose it is; '': the system's. */
  readonly owners: readonly string[];
  readonly reason: string | null;
  readonly input: unknown;
}

/** Who runs this command, for the trail and the log. */
export function userOfMachine(): string {
  return `${userInfo().username}@${hostname()}`;
}

/**
 * Changes something between two entries of the audit trail (docs/rules/audit.md "Entries").
 * 'audit_unavailable': the trail did not take the first entry, and nothing was changed.
 */
export async function recorded<T>(
  trail: AuditTrail,
  { operation, object, owners, reason, input }: CommandChange,
  work: () => Promise<T>,
  resultOf: (result: T) => AuditResult | Promise<AuditResult>,
): Promise<T | 'audit_unavailable'> {
  const subject = {
    request_id: '',
    operation,
    method: '',
    path: object,
    user: userOfMachine(),
    address: hostname(),
    owners: [...owners],
    reason,
    approval: null,
  };
  const open = await trail.begin(subject, input).catch(orUnavailable);
  if (open === null) return 'audit_unavailable';
  const finish = (result: AuditResult): Promise<unknown> => open.finish(result).catch(orUnavailable);
  try {
    const result = await work();
    await finish(await resultOf(result));
    return result;
  } catch (error) {
    await finish({ outcome: 'unknown', code: null });
    throw error;
  }
}

/**
 * Changes something of the system between two entries of the audit trail. `outcomeOf` says whether the result
 * changed anything, and what. 'audit_unavailable': the trail did not take the first entry, and nothing was
 * changed.
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

function orUnavailable(error: unknown): null {
  if (error instanceof AuditUnavailable) return null;
  throw error;
}
