import { expect, it } from 'vitest';
import { ConfigurationWatch } from '../../../../src/actors/watches/streams/configuration-watch.ts';
import { LogError } from '../../../../src/ports.ts';

/** A watch whose looks a test begins, at streams and a role `storage` as the test says. */
function watched() {
  const alarms: string[] = [];
  let task: (() => void) | null = null;
  const state = { streams: new Map<string, readonly string[]>(), isStorageThere: true, isDown: false };
  const watch = new ConfigurationWatch({
    differences: async () => {
      if (state.isDown) throw new LogError('unavailable', 'down');
      return state.streams;
    },
    bus: { hasListener: async () => state.isStorageThere },
    clock: {
      nowMs: () => 0,
      elapsedMs: () => 0,
      after(_, next) {
        task = next;
        return () => {
          task = null;
        };
      },
    },
    monitor: { alarm: (_, code, message) => void alarms.push(`${code}: ${message}`) },
  });
  return {
    ...{ watch, alarms, state },
    async look(): Promise<void> {
      if (task === null) watch.start();
      else task();
      for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    },
    isOver: () => task === null,
  };
}

it('raises one alarm when somebody changes a stream, by its name, and says so until it is over', async () => {
  const { watch, alarms, state, look, isOver } = watched();
  await look();
  expect([alarms, watch.warnings()]).toEqual([[], []]);
  state.streams = new Map([['AUDIT', ['max_age is 1, not not set', 'sources is []']]]);
  await look();
  await look();
  expect(alarms).toEqual([expect.stringMatching(/^stream_changed: AUDIT .*max_age is 1.*sources/)]);
  expect(watch.differing()).toEqual(['AUDIT']);
  state.isDown = true;
  await look();
  expect(watch.warnings()).toEqual([expect.stringContaining('AUDIT')]);
  state.isDown = false;
  state.streams = new Map([['AUDIT', ['republish is {}']]]);
  await look();
  expect(alarms).toHaveLength(2);
  state.streams = new Map();
  await look();
  expect(watch.warnings()).toEqual([]);
  watch.stop();
  expect(isOver()).toBe(true);
});

it('says that storage is missing, but not while it restarts', async () => {
  const { watch, alarms, state, look } = watched();
  state.isStorageThere = false;
  await look();
  expect(watch.isStorageMissing()).toBe(false);
  state.isStorageThere = true;
  await look();
  state.isStorageThere = false;
  await look();
  expect(alarms).toEqual([]);
  await look();
  await look();
  expect(alarms).toEqual([expect.stringMatching(/^storage_missing: .*potstream storage/)]);
  expect(watch.warnings()).toEqual([expect.stringContaining('storage does not run')]);
  state.isStorageThere = true;
  await look();
  expect([watch.isStorageMissing(), watch.warnings()]).toEqual([false, []]);
  watch.stop();
});
