import { beforeAll, describe, expect, it, vi } from 'vitest';
import { CountedTraffic, type Traffic } from '../../support/counted-traffic.ts';
import { oneSystem } from '../../support/one-system.ts';
import type { RunningSystem } from '../../support/system.ts';

/** Before the kill, and again after the recovery. */
const answersBetween = 60;
const patience = { timeout: 90_000, interval: 20 };

/** kill -9 of each process during traffic: nothing acknowledged is lost, nothing is doubled, the books stay balanced. */
describe('kill -9 during traffic', () => {
  let system: RunningSystem;
  let counted: CountedTraffic;

  beforeAll(async () => {
    system = await oneSystem();
    counted = await CountedTraffic.open(system);
  });

  it.each(['gateway', 'actors', 'fanout', 'wallet', 'nats-server', 'gateway+actors'])(
    'survives the end of %s',
    async (role) => {
      const before = await counted.total();
      const traffic = counted.start(role);
      await goesOn(traffic);
      await Promise.all(role.split('+').map((one) => system.kill(one)));
      await system.ready();
      await goesOn(traffic);
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

async function goesOn(traffic: Traffic): Promise<void> {
  const answered = traffic.answered();
  await vi.waitFor(
    () => expect(traffic.answered()).toBeGreaterThanOrEqual(answered + answersBetween),
    patience,
  );
}
