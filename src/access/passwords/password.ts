import { hash } from '@node-rs/argon2';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { Clock } from '../../ports.ts';
import { FairQueue, type FairTurn, QueueFull } from './fair-queue.ts';
import { createHashingThreads, HashingStopped } from './hashing-threads.ts';

/** argon2id (RFC 9106), 19 MiB, two passes, on threads behind a queue that bounds what a flood costs. */
export interface Passwords {
  /** The PHC text of a new password. @throws QueueFull, HashingStopped */
  hash(password: string, turn: FairTurn): Promise<string>;
  /** `stored` null takes as long, which hides that there is no account. @throws QueueFull, HashingStopped */
  verify(stored: string | null, password: string, turn: FairTurn): Promise<boolean>;
  /** Ends the threads. Work under way fails with HashingStopped. */
  stop(): Promise<void>;
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

/** The administrators of an operator share one turn, those of the whole system another. */
export function administratorTurn(user: string, owners: readonly string[]): FairTurn {
  const operators = owners.map(operatorOf).sort();
  return { address: `operators ${[...new Set(operators)].join(' ')}`, user, proven: true };
}

/** Whether a new password has 8 to 256 characters. */
export function isAcceptablePassword(password: string): boolean {
  return password.length >= 8 && password.length <= 256;
}

/** Whether an error of Passwords only says that the caller has to try again. */
export function isHashingBusy(error: unknown): boolean {
  return error instanceof QueueFull || error instanceof HashingStopped;
}

/** The PHC text of a new password, for a command that hashes one and ends. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

/** Hashes and verifies passwords, two at a time on `gateways` processes; at most 512 callers wait. */
export function createPasswords(clock: Clock, hashingMs?: number, gateways = 1): Passwords {
  const queue = new FairQueue(clock, { ...queueLimits, sharers: gateways });
  const threads = createHashingThreads(queueLimits.concurrent, parameters, hashingMs);
  let decoy: string | undefined;
  return {
    hash: (password, turn) => queue.run(turn, () => threads.hash(password)),
    verify: (stored, password, turn) =>
      queue.run(turn, async () => {
        decoy ??= await threads.hash('no such account');
        return (await threads.verify(stored ?? decoy, password)) && stored !== null;
      }),
    stop: () => threads.stop(),
  };
}
