import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readSealedSeeds } from '../../../src/cli/doctor/sealed-seeds.ts';
import type { Log } from '../../../src/ports.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('does not wait for a server that says nothing any more', async () => {
  const stop = vi.fn(async () => {});
  const silent = { lastCommand: async () => 5, follow: () => ({ done: new Promise(() => {}), stop }) };
  const seeds = readSealedSeeds({ dataDirectory: '/nonexistent', lanes: 1 }, silent as unknown as Log);
  const told = expect(seeds).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('lane 0'),
  });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), 60_000);
  await vi.advanceTimersByTimeAsync(10_000);
  await told;
  expect(stop).toHaveBeenCalledOnce();
});
