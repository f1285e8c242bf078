import { expect, it } from 'vitest';
import { listLanes } from '../../../src/cli/lane/list.ts';
import type { LaneSystem } from '../../../src/cli/system/lane-system.ts';
import { type HaltCode, halts } from '../../../src/contracts/lanes/halts.ts';
import { encodeHeartbeat } from '../../../src/messages/codec/codec.ts';

it('names a message only where the message is why the lane halted', async () => {
  const named: string[] = [];
  for (const code of Object.keys(halts) as HaltCode[]) {
    const beat = encodeHeartbeat({
      ...{ lane: 0, host: 'a', term: 1, appliedSequence: 41, storedOutcome: 41 },
      ...{ condition: 'stopped', code },
    });
    const system = {
      lanes: 1,
      log: { lastCommand: async () => 50, lastOutcome: async () => 41 },
      bus: {
        subscribe(_subject: string, receive: (message: { readonly bytes: Uint8Array }) => void) {
          setImmediate(receive, { bytes: beat });
          return { stop() {} };
        },
      },
    } as unknown as LaneSystem;
    const [lane] = await listLanes(system);
    expect(lane).toMatchObject({ condition: 'stopped', code });
    if (lane?.stopped_at === 42) named.push(code);
    else expect(lane?.stopped_at).toBeNull();
  }
  expect(named).toEqual([
    'unreadable_message',
    'engine_fault',
    'engine_version_unsupported',
    'outcome_refused',
    'outcome_conflict',
    'log_time_ahead',
  ]);
});
