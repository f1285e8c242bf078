import { hash, verify } from '@node-rs/argon2';
import type { Clock } from '../ports.ts';
import { FairQueue, type Turn } from './fair-queue.ts';

/**
 * Passwords, as argon2id in its PHC form (19 MiB, two passes). The work runs on the thread pool, in a queue that serves
 * addresses in turn, so that a flood of logins takes neither the process's memory nor everybody else's turn.
 */
export interface Passwords {
  /** @throws QueueFull */
  hash(password: string, turn: Turn): Promise<string>;
  /**
   * `stored` null: there is no such account; the same work is done, so that the time does not tell.
   * @throws QueueFull
   */
  verify(stored: string | null, password: string, turn: Turn): Promise<boolean>;
}

const queueLimits = {
  concurrent: 2,
  concurrentUnproven: 1,
  unprovenRest: true,
  waiting: 512,
  waitingPerAddress: 64,
  waitingPerUser: 16,
} as const;
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The turn of work that an administrator has asked for: they are served in turn among themselves. */
export function administratorTurn(user: string): Turn {
  return { address: '', user, proven: true };
}

/** Whether the password is long enough to be kept: 8 to 256 characters. */
export function isAcceptablePassword(password: string): boolean {
  return password.length >= 8 && password.length <= 256;
}

export function createPasswords(clock: Clock): Passwords {
  const queue = new FairQueue(clock, queueLimits);
  let decoy: Promise<string> | undefined;
  return {
    hash: (password, turn) => queue.run(turn, () => hash(password, parameters)),
    verify: (stored, password, turn) =>
      queue.run(turn, async () => {
        decoy ??= hash('no such account', parameters);
        const matches = await verify(stored ?? (await decoy), password);
        return matches && stored !== null;
      }),
  };
}
