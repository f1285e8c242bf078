import { hash, verify } from '@node-rs/argon2';

/**
 * Passwords, as argon2id in its PHC form (19 MiB, two passes). The work runs on the thread pool; at most
 * `concurrentHashes` at a time and `waitingHashes` behind them, so that logins cannot take the process's memory.
 */
export interface Passwords {
  /** @throws PasswordQueueFull */
  hash(password: string): Promise<string>;
  /** `stored` null: there is no such account; the same work is done, so that the time does not tell. */
  verify(stored: string | null, password: string): Promise<boolean>;
}

const concurrentHashes = 2;
const waitingHashes = 64;
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Too many passwords wait to be hashed. */
export class PasswordQueueFull extends Error {
  readonly code = 'password_queue_full';
  readonly retryable = true;
}

/** Whether the password is long enough to be kept: 8 to 256 characters. */
export function isAcceptablePassword(password: string): boolean {
  return password.length >= 8 && password.length <= 256;
}

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  let decoy: Promise<string> | undefined;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= concurrentHashes) {
      if (waiting.length >= waitingHashes) throw new PasswordQueueFull('Too many passwords wait.');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The place goes to the next in line without being given back in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, parameters)),
    verify: (stored, password) =>
      inTurn(async () => {
        decoy ??= hash('no such account', parameters);
        const matches = await verify(stored ?? (await decoy), password);
        return matches && stored !== null;
      }),
  };
}
