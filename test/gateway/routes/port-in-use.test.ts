import { expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

/** How often a gateway looks for approved changes and for ended switches. */
const roundsMs = 5_000;

test('a gateway that cannot listen leaves nothing running that it could not stop', async () => {
  const first = await startTestGateway();
  const delays: number[] = [];
  const after = (delayMs: number) => {
    delays.push(delayMs);
    return () => void delays.splice(delays.indexOf(delayMs), 1);
  };
  await expect(startTestGateway({ port: first.port, after })).rejects.toThrow('EADDRINUSE');
  expect(delays).not.toContain(roundsMs);
  await first.stop();
  const second = await startTestGateway({ after });
  expect(delays.filter((delayMs) => delayMs === roundsMs)).toHaveLength(2);
  await second.stop();
  expect(delays).not.toContain(roundsMs);
});
