import { expect, test } from 'vitest';
import { StoreWatch, writeFault } from '../../../src/supervisor/nats-server/store-watch.ts';

const writes = '{"status":"ok"}';
const stuck = `{"status":"unavailable","error":"JetStream stream '$G > CMD_0' write error: write 1.blk: no space left on device"}`;
const disabled = '{"status":"unavailable","error":"JetStream not enabled (10076)"}';
const lagging = '{"status":"unavailable","error":"JetStream is not current with the meta leader"}';

function createWatch() {
  const world = {
    answer: writes as string | null,
    availableBytes: 0,
    writable: true,
    nowMs: 0,
    restarts: 0,
    said: [] as string[],
  };
  const watch = new StoreWatch({
    health: async () => {
      if (world.answer === null) throw new Error('refused');
      return world.answer;
    },
    availableBytes: async () => world.availableBytes,
    writable: async () => world.writable,
    restart: async () => {
      world.restarts += 1;
    },
    nowMs: () => world.nowMs,
    print: (line) => void world.said.push(line),
  });
  return { watch, world };
}

test('a server that cannot write starts anew once there is room, and not before', async () => {
  const { watch, world } = createWatch();
  world.answer = stuck;
  for (let poll = 0; poll < 5; poll += 1) await watch.poll();
  expect(world.restarts).toBe(0);
  expect(world.said).toHaveLength(1);
  expect(world.said[0]).toContain('no space left on device');
  world.availableBytes = 64 * 1024 * 1024;
  await watch.poll();
  expect(world.restarts).toBe(1);
  world.answer = writes;
  await watch.poll();
  await watch.poll();
  expect(world.restarts).toBe(1);
  expect(world.said.at(-1)).toBe('nats-server can write again.');
});

test('a server that gave JetStream up, as it was not permitted to write, starts anew once it may', async () => {
  const { watch, world } = createWatch();
  Object.assign(world, { answer: disabled, availableBytes: 2 ** 40, writable: false });
  await watch.poll();
  expect(world.restarts).toBe(0);
  world.writable = true;
  await watch.poll();
  expect(world.restarts).toBe(1);
});

test('where a restart did not help, the next one waits', async () => {
  const { watch, world } = createWatch();
  Object.assign(world, { answer: stuck, availableBytes: 2 ** 40 });
  await watch.poll();
  world.nowMs = 9_999;
  await watch.poll();
  expect(world.restarts).toBe(1);
  world.nowMs = 10_000;
  await watch.poll();
  expect(world.restarts).toBe(2);
});

test('a server that is gone, or unwell for another reason, is left alone', async () => {
  const { watch, world } = createWatch();
  world.availableBytes = 2 ** 40;
  for (const answer of [null, lagging, writes, 'not json']) {
    world.answer = answer;
    await watch.poll();
  }
  expect(world.restarts).toBe(0);
  expect(world.said).toEqual([]);
});

test('the failure is told in the server’s words', () => {
  expect(writeFault(stuck)).toMatch(/^JetStream stream .* no space left on device$/);
  expect(writeFault('write error, not as JSON')).toBe('write error, not as JSON');
});
