import { expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/audit/entry.ts';
import { sentencesOf } from '../../../src/cli/audit/sentences.ts';

const head: AuditEntry = {
  kind: 'intent',
  id: 'x',
  timestamp: Date.UTC(2030, 0, 2, 3, 4, 5),
  request_id: 'r',
  operation: 'A5',
  method: 'PUT',
  path: '/config/brands/main',
  user: 'ada',
  address: '10.0.0.1',
  owners: ['acme'],
  reason: null,
  approval: null,
};
const outcome = (more: Partial<AuditEntry>): AuditEntry => ({ ...head, kind: 'outcome', ...more });
const brand = { object: 'brand acme:main', before: { enabled: true }, after: { enabled: false } };

it.each<[string, AuditEntry, AuditEntry | null, string]>([
  [
    'a change that was made',
    { ...head, reason: 'no licence', approval: { id: 'p', approved_by: 'ben' } },
    outcome({ outcome: 'applied', changes: [brand, { object: 'rates', before: null, after: 1 }] }),
    'Modify a brand (A5) of acme, /config/brands/main. Done. New: rates. Changed: brand acme:main. Approved by ben. Reason: no licence. (message 7)',
  ],
  [
    'one that waits',
    head,
    outcome({ outcome: 'proposed', changes: [] }),
    'Modify a brand (A5) of acme, /config/brands/main. It waits for a second administrator. (message 7)',
  ],
  [
    'a refusal',
    head,
    outcome({ outcome: 'refused', code: 'brand_not_found' }),
    'Modify a brand (A5) of acme, /config/brands/main. Refused: brand_not_found. (message 7)',
  ],
  [
    'an unknown outcome',
    head,
    null,
    'Modify a brand (A5) of acme, /config/brands/main. Whether it was done is not known. (message 7)',
  ],
  [
    'refused log-ins',
    {
      ...head,
      kind: 'event',
      operation: 'login',
      path: '/auth/admin',
      owners: [''],
      outcome: 'refused',
      code: 'invalid_credentials',
      count: 12,
    },
    null,
    'login, /auth/admin. Refused 12 times: invalid_credentials. (message 7)',
  ],
  [
    'a command of the machine',
    { ...head, operation: 'lane.move', path: 'lane 3', owners: [''], reason: 'less load!' },
    outcome({ outcome: 'applied', changes: [{ object: 'lane 3', before: 'a', after: null }] }),
    'lane.move, lane 3. Done. Removed: lane 3. Reason: less load! (message 7)',
  ],
])('%s in words', (_, intent, end, words) => {
  const names: Record<string, string> = { A5: 'Modify a brand' };
  const said = sentencesOf({ intent, outcome: end, sequence: 7 }, (operation) => names[operation]);
  expect(said).toBe(`2030-01-02 03:04:05Z ada at 10.0.0.1: ${words}`);
});
