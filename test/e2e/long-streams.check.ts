import { afterAll, beforeAll, expect, test } from 'vitest';
import { saw } from '../jackpot/checks/scale.ts';
import { type Balancer, balancerNames, startBalancer } from '../support/balancers.ts';
import { ContributionStream, streamWithPauses } from '../support/contribution-stream.ts';
import { loggedIn } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

/** `npm run checks -- long-streams`: ten minutes of a stream behind nginx and HAProxy as deploy/ configures them, nearly all of it pauses. */
const pauses = { count: 10, ms: 60_000, burst: { bytes: 240_000, times: 4 } };

let system: RunningSystem;
let balancers: readonly Balancer[] = [];

beforeAll(async () => {
  system = await startSystem({
    args: ['--no-traffic'],
    environment: { POTSTREAM_LANES: '1', POTSTREAM_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const gateway = Number(new URL(system.baseUrl).port);
  balancers = await Promise.all(balancerNames.map((name) => startBalancer(name, [gateway, gateway])));
}, 240_000);
afterAll(async () => {
  await Promise.all(balancers.map((each) => each.stop()));
  await system?.stop();
}, 240_000);

test('a stream lives for ten minutes with pauses of a minute', async () => {
  const service = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  const streams = balancers.map(({ port }, index) =>
    streamWithPauses(new ContributionStream(port, service, balancerNames[index]!), pauses),
  );
  const answered = await Promise.all(streams);
  expect(Math.min(...answered)).toBeGreaterThan(pauses.count);
  saw('streams behind balancers', {
    balancers: balancerNames.length,
    minutes: (pauses.count * pauses.ms) / 60_000,
    'lines of each': answered[0]!,
  });
});
