import { fileURLToPath } from 'node:url';
import type { Options } from '@node-rs/argon2';
import { Piscina } from 'piscina';
import { crash } from '../../lib/crash.ts';

/** Hashes the password where `stored` is null, otherwise compares it with the stored hash. */
export interface HashingTask {
  readonly stored: string | null;
  readonly password: string;
  readonly parameters: Options;
}

export type HashingAnswer = { readonly value: string | boolean } | { readonly fault: string };

/** The thread that hashed ended, or the process stops. The password was not checked. */
export class HashingStopped extends Error {
  readonly code = 'hashing_stopped';
  readonly retryable = true;
}

/** Threads of a low priority that hash passwords (docs/decisions/0084). */
export interface HashingThreads {
  /** @throws HashingStopped */
  hash(password: string): Promise<string>;
  /** @throws HashingStopped */
  verify(stored: string, password: string): Promise<boolean>;
  stop(): Promise<void>;
}

const thread = fileURLToPath(new URL('./hashing-thread.js', import.meta.url));

/** Less than a request may take. A thread that does not start, or never gets the processor, is given up. */
const maxTaskMs = 6_000;

/** At most `count` threads. They start when there is work, and do not keep the process alive without any. */
export function createHashingThreads(
  count: number,
  parameters: Options,
  taskMs: number = maxTaskMs,
): HashingThreads {
  let pool: Piscina | undefined;
  let isStopped = false;

  function open(): Piscina {
    pool = new Piscina({
      filename: thread,
      minThreads: 0,
      maxThreads: count,
      idleTimeout: Number.POSITIVE_INFINITY,
    });
    // A thread that ended without work: the next work starts another.
    pool.on('error', () => {});
    return pool;
  }

  function replace(): void {
    const old = pool;
    pool = undefined;
    old?.destroy().catch(crash);
  }

  async function run(stored: string | null, password: string): Promise<string | boolean> {
    const task: HashingTask = { stored, password, parameters };
    const signal = AbortSignal.timeout(taskMs);
    let answer: HashingAnswer;
    let used: Piscina | undefined;
    try {
      if (isStopped) throw new Error('The process stops.');
      used = pool ?? open();
      answer = await used.run(task, { signal });
    } catch (error) {
      // A pool never looks again at a thread that ended while it started.
      if (signal.aborted && used === pool) replace();
      throw new HashingStopped('The thread that hashed a password ended.', { cause: error });
    }
    if ('fault' in answer) throw new Error(answer.fault);
    return answer.value;
  }

  return {
    hash: (password) => run(null, password) as Promise<string>,
    verify: (stored, password) => run(stored, password) as Promise<boolean>,
    async stop() {
      isStopped = true;
      await pool?.destroy();
    },
  };
}
