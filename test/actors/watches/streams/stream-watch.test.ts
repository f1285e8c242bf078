import { expect, it } from 'vitest';
import type { ActorMonitor } from '../../../../src/actors/ports/actor-ports.ts';
import { StreamWatch } from '../../../../src/actors/watches/streams/stream-watch.ts';
import { type Log, LogError, type StreamFill } from '../../../../src/ports.ts';
import { ManualClock } from '../../manual-clock.ts';

/** A watch over one lane whose streams hold what the test says. */
function watched(alarmMs = 0, trimmedBelow = 0) {
  const clock = new ManualClock();
  const bytes = { CMD_0: 0, OUT_0: 0 };
  const state = { down: false, maxBytes: 1_000 };
  const alarms: string[] = [];
  const log = {
    async fill(): Promise<readonly StreamFill[]> {
      if (state.down) throw new LogError('unavailable', 'down');
      return Object.entries(bytes).map(([stream, held]) => ({
        stream,
        bytes: held,
        maxBytes: state.maxBytes,
        oldestMs: 0,
      }));
    },
  };
  const monitor = {
    alarm: (lane: number, code: string, message: string) => void alarms.push(`${lane} ${code} ${message}`),
  };
  const ports = { log: log as unknown as Log, clock, monitor: monitor as unknown as ActorMonitor };
  const watch = new StreamWatch(ports, 1, {
    ...{ alarmRatio: 0.7, alarmMs, reserveRatio: 0.1 },
    trimmedBelow,
  });
  const poll = async (times = 1) => {
    for (let time = 0; time < times; time += 1) {
      clock.advance(15_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { watch, bytes, state, alarms, poll };
}

it('alarms once at 70 %, and again only after it was calm', async () => {
  const { watch, bytes, alarms, poll } = watched();
  watch.start();
  await poll();
  expect([watch.warnings(), alarms]).toEqual([[], []]);
  bytes.OUT_0 = 699;
  await poll();
  expect(alarms).toEqual([]);
  bytes.OUT_0 = 700;
  await poll();
  await poll();
  expect(alarms).toEqual([expect.stringMatching(/^0 stream_filling OUT_0 is 70 % full/)]);
  expect(watch.warnings()).toEqual(['OUT_0 is 70 % full']);
  bytes.OUT_0 = 660;
  await poll();
  expect(watch.warnings()).toEqual(['OUT_0 is 66 % full']);
  bytes.OUT_0 = 710;
  await poll();
  expect(alarms).toHaveLength(1);
  bytes.OUT_0 = 640;
  await poll();
  expect(watch.warnings()).toEqual([]);
  bytes.OUT_0 = 900;
  bytes.CMD_0 = 1_000;
  await poll();
  expect(alarms).toHaveLength(3);
  expect(watch.fills()).toMatchObject([
    { lane: 0, stream: 'CMD_0', ratio: 1 },
    { lane: 0, stream: 'OUT_0', ratio: 0.9 },
  ]);
  watch.stop();
});

it('goes on after an outage, and knows streams without a limit', async () => {
  const { watch, bytes, state, alarms, poll } = watched();
  bytes.CMD_0 = 800;
  state.down = true;
  watch.start();
  await poll();
  expect(watch.fills()).toEqual([]);
  state.down = false;
  await poll();
  expect(alarms).toHaveLength(1);
  state.maxBytes = 0;
  await poll();
  expect(watch.warnings()).toEqual([]);
  watch.stop();
  state.maxBytes = 1_000;
  await poll();
  expect(alarms).toHaveLength(1);
});

it('alarms once when a stream would soon have no room, and is calm when it grows no more', async () => {
  const { watch, bytes, state, alarms, poll } = watched(2 * 3_600_000);
  state.maxBytes = 100_000;
  watch.start();
  await poll();
  bytes.CMD_0 = 30;
  await poll(3);
  expect(watch.fills().map(({ fullInMs }) => fullInMs)).toEqual([undefined, undefined]);
  for (let minute = 0; minute < 30; minute += 1) {
    bytes.CMD_0 += 600;
    await poll(4);
  }
  // 18 000 bytes in half an hour: 72 000 more need two hours, but contributions end at 90 000.
  const [commands, outcomes] = watch.fills();
  expect(commands!.fullInMs! / 3_600_000).toBeGreaterThan(1.9);
  expect(commands!.fullInMs! / 3_600_000).toBeLessThan(2.1);
  expect(outcomes!.fullInMs).toBeUndefined();
  for (let minute = 0; minute < 10; minute += 1) {
    bytes.CMD_0 += 600;
    await poll(4);
  }
  expect(alarms).toEqual([
    expect.stringMatching(/^0 stream_full_soon CMD_0 will have no room .* (1\.\d|2\.0) hours/),
  ]);
  expect(watch.warnings()).toEqual([
    expect.stringMatching(/^CMD_0 will have no room for contributions in 1/),
  ]);
  await poll(4 * 61);
  expect(watch.fills()[0]!.fullInMs).toBeUndefined();
  expect([watch.warnings(), alarms.length]).toEqual([[], 1]);
  watch.stop();
});

it('raises no alarm about the growth of a stream that is trimmed before it is full', async () => {
  const { watch, bytes, state, alarms, poll } = watched(2 * 3_600_000, 0.6);
  state.maxBytes = 100_000;
  watch.start();
  for (let minute = 0; minute < 59; minute += 1) {
    bytes.CMD_0 += 1_000;
    await poll(4);
  }
  expect(watch.fills()[0]!.fullInMs).toBeUndefined();
  expect([alarms, watch.warnings()]).toEqual([[], []]);
  bytes.CMD_0 += 2_000;
  await poll();
  expect(alarms).toEqual([expect.stringMatching(/^0 stream_full_soon CMD_0/)]);
  watch.stop();
});
