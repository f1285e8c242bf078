import { it } from 'vitest';
import { livePlan } from '../live.ts';

// A host that had claimed the lane asked for OUT's last record while OUT had no leader. Another owner came, and stored records that the
// first one had not applied: it halted for good.
it('a host whose claim is overtaken while OUT has no leader follows the lane (seed 181)', async () => {
  await livePlan({
    seed: 181,
    hosts: 2,
    gateways: 1,
    wallets: 1,
    rates: {
      ...{ lostRequest: 0, lostAnswer: 0, lostBusMessage: 0, lateRequest: 0 },
      ...{ duplicateRequest: 0, duplicateBusMessage: 0, maxDelayMs: 1 },
    },
    wallet: { rate: 0, faults: ['failed_before_commit', 'unauthorized', 'unauthorized'] },
    clocksMs: [0, 0],
    calls: [],
    faults: [
      { kind: 'kill', role: 'host', which: 0, atMs: 4689, lastsMs: 285 },
      { kind: 'leader_gap', part: 'outcomes', atMs: 4899, lastsMs: 2381 },
    ],
  });
});
