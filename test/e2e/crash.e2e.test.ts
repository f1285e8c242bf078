import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CountedTraffic } from '../support/counted-traffic.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const trafficBeforeKillMs = 1_500;
const trafficAfterRecoveryMs = 1_500;

/** kill -9 of each process during traffic: nothing acknowledged is lost, nothing is doubled, the books stay balanced. */
describe('kill -9 during traffic', () => {
  let system: RunningSystem;
  let counted: CountedTraffic;

  beforeAll(async () => {
    system = await startSystem({ args: ['--no-traffic'] });
    counted = await CountedTraffic.open(system);
  });

  afterAll(async () => {
    await system?.stop();
  });

  it.each(['gateway', 'actors', 'fanout', 'wallet', 'nats-server', 'gateway+actors'])(
    'survives the end of %s',
    async (role) => {
      const before = await counted.total();
      const traffic = counted.start(role);
      await pause(trafficBeforeKillMs);
      await Promise.all(role.split('+').map((one) => system.kill(one)));
      await system.ready();
      await pause(trafficAfterRecoveryMs);
      const sent = await traffic.stop();

      expect(sent.length).toBeGreaterThan(6);
      expect(await counted.books(sent, before)).toEqual({
        surplus: 0,
        distinctIds: sent.length,
        changedRepeats: 0,
        conservation: '0',
        statuses: [200],
      });
    },
  );
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
