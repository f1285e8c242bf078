import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { CampaignResult } from './campaign/campaign.ts';
import { report } from './campaign/report.ts';
import { Results } from './campaign/results.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-test-chaos-'));
afterAll(() => rmSync(directory, { recursive: true }));

const whole: CampaignResult = {
  scenario: 'kill-owner',
  rounds: 2,
  freeGapsMs: [],
  paidGapsMs: [],
  sent: 100,
  lost: 0,
  doubled: 0,
  errors: new Map(),
  notes: new Map(),
  violations: [],
};

it('counts rounds whose books were checked, over several runs', () => {
  const file = join(directory, 'deep', 'results.jsonl');
  const first = new Results(file);
  expect(first.of('kill-owner').rounds).toBe(0);
  first.round('a', 'kill-owner', 1, 400, 900);
  first.round('a', 'kill-owner', 2, 600, 1_100);
  first.checked('a', { ...whole, errors: new Map([['503 storage_unavailable', 2]]) });
  first.round('b', 'kill-owner', 1, 9_000, 9_000);
  appendFileSync(file, '{"kind":"round","campaign":"b","scen');
  appendFileSync(file, '\n');
  const second = new Results(file);
  expect(second.of('kill-owner')).toEqual({
    ...whole,
    freeGapsMs: [400, 600],
    paidGapsMs: [900, 1_100],
    errors: new Map([['503 storage_unavailable', 2]]),
  });
  expect(second.of('kill-nats').rounds).toBe(0);
  second.round('c', 'kill-owner', 1, 5_000, 5_000);
  second.checked('c', {
    ...whole,
    lost: 1,
    errors: new Map([
      ['503 storage_unavailable', 3],
      ['timeout', 1],
    ]),
    violations: ['1 lost: free-0-1'],
  });
  const all = second.of('kill-owner');
  expect(all).toMatchObject({ rounds: 3, sent: 200, lost: 1, violations: ['1 lost: free-0-1'] });
  expect(report([all])).toContain(
    'kill-owner: errors that clients saw: 5 x 503 storage_unavailable, 1 x timeout',
  );
  expect(report([all])[1]).toMatch(/^kill-owner +3 +600 ms +5000 ms +1100 ms +5000 ms +200 +1 +0 +VIOLATED$/);
});
