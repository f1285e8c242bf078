import type { AuditEntry } from '../../src/audit/entry.ts';

export function entry(
  id: string,
  kind: AuditEntry['kind'] = 'event',
  members: Partial<AuditEntry> = {},
): AuditEntry {
  return {
    kind,
    id,
    timestamp: 1,
    request_id: 'r',
    operation: 'A22',
    method: 'PUT',
    path: '/config',
    user: 'ada',
    address: '127.0.0.1',
    owners: ['acme'],
    reason: 'why',
    approval: null,
    ...members,
  };
}
