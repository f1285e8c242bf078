import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createHashingThreads,
  HashingStopped,
  type HashingThreads,
} from '../../../src/access/passwords/hashing-threads.ts';

const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const workers: Worker[] = [];
const note = (worker: Worker): void => {
  workers.push(worker);
};
let threads: HashingThreads;

beforeEach(() => {
  process.on('worker', note);
  // Threads of low priority wait long on a busy machine.
  threads = createHashingThreads(2, parameters, 240_000);
});
afterEach(async () => {
  await threads.stop();
  process.off('worker', note);
  workers.length = 0;
});

/** The nice values of this process' threads (Linux). */
function niceValues(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

const low = constants.priority.PRIORITY_BELOW_NORMAL;
const count = (values: readonly number[], value: number): number =>
  values.filter((each) => each === value).length;

describe('threads that hash passwords', () => {
  test('verify what they hashed, and nothing else', async () => {
    const stored = await threads.hash('a good password');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await threads.verify(stored, 'a good password')).toBe(true);
    expect(await threads.verify(stored, 'another password')).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')(
    'have a low priority, and the process keeps its own',
    async () => {
      const own = getPriority();
      const before = niceValues();
      await Promise.all([threads.hash('one password'), threads.hash('two passwords')]);
      expect(workers.length).toBe(2);
      expect(count(niceValues(), low) - count(before, low)).toBe(2);
      expect(getPriority()).toBe(own);
    },
  );

  test('are as few as asked for, whatever the work', async () => {
    await Promise.all(Array.from({ length: 7 }, () => threads.hash('a good password')));
    expect(workers.length).toBe(2);
  });

  test('a thread that ends fails its work only, and the next work gets another thread', async () => {
    const stored = await threads.hash('a good password');
    const underWay = threads.verify(stored, 'a good password');
    await workers[0]!.terminate();
    await expect(underWay).rejects.toThrow(HashingStopped);
    expect(await threads.verify(stored, 'a good password')).toBe(true);
    expect(workers.length).toBe(2);
  });

  test('a thread that ends without work is replaced by the next work', async () => {
    const stored = await threads.hash('a good password');
    await workers[0]!.terminate();
    expect(await threads.verify(stored, 'a good password')).toBe(true);
  });

  test('a thread that ends while it starts fails its work in time, and the next work gets another', async () => {
    const impatient = createHashingThreads(2, parameters, 3_000);
    const endFirst = (worker: Worker): void => {
      if (workers.length === 1) void worker.terminate();
    };
    process.on('worker', endFirst);
    try {
      await expect(impatient.hash('a good password')).rejects.toThrow(HashingStopped);
      // On a busy machine this one may take too long as well, and the one after it.
      const hashed = async (): Promise<string> => impatient.hash('a good password').catch(hashed);
      expect(await hashed()).toMatch(/^\$argon2id/);
      expect(workers.length).toBeGreaterThan(1);
    } finally {
      process.off('worker', endFirst);
      await impatient.stop();
    }
  });

  test('what Argon2 refuses is an error of the caller, and the thread lives on', async () => {
    const refused = threads.verify('no hash', 'a good password');
    await expect(refused).rejects.toThrow('Decoding failed');
    await expect(refused).rejects.not.toThrow(HashingStopped);
    await threads.hash('a good password');
    expect(workers.length).toBe(1);
  });

  test('stop leaves no thread, and no work waits for ever', async () => {
    const stored = await threads.hash('a good password');
    const underWay = Promise.allSettled(
      Array.from({ length: 5 }, () => threads.verify(stored, 'a password')),
    );
    await threads.stop();
    for (const result of await underWay)
      expect(result.status === 'fulfilled' || result.reason instanceof HashingStopped).toBe(true);
    expect(workers.map((worker) => worker.threadId)).toEqual(workers.map(() => -1));
    await expect(threads.hash('a good password')).rejects.toThrow(HashingStopped);
  });

  test('stop without any work starts no thread', async () => {
    await threads.stop();
    expect(workers.length).toBe(0);
  });
});
