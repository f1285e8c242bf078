import { beforeAll, expect, test } from 'vitest';
import { potstream } from '../../cli/support/command.ts';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';

/** What commands say about lanes and messages that do not exist. */
let system: RunningSystem;
beforeAll(async () => {
  system = await oneSystem();
}, 240_000);

test.each([
  [['archive', 'list', '--lane', '99'], /^There is no lane 99: the system has 4, from 0\.$/],
  [['archive', 'verify', '--lane', '99'], /^There is no lane 99/],
  [['lane', 'inspect', '99'], /^There is no lane 99/],
  [['lane', 'inspect', '0', '0'], /^The lane has no such message\.$/],
  [['lane', 'inspect', '0', '999999'], /^The lane has no such message\.$/],
])('potstream %j', async (words, said) => {
  const { code, stdout, stderr } = await potstream(words, { POTSTREAM_DATA: system.dataDirectory });
  expect(stderr.trim()).toMatch(said);
  expect([code, stdout]).toEqual([1, '']);
});
