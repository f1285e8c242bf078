import { KeyTurns } from '../../lib/key-turns.ts';

/** Too many writers of one entry at the same time. */
export class AccountContention extends Error {
  readonly code = 'account_contention';
  readonly retryable = true;
}

/** Lost races before a writer gives up. */
const tries = 8;

/** Tries again where `attempt` gives undefined: another writer was faster. @throws AccountContention */
export async function untilWon<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let left = tries; left > 0; left -= 1) {
    const won = await attempt();
    if (won !== undefined) return won;
  }
  throw new AccountContention('An entry is written by too many at once.');
}

/** A request has eight seconds, and its own writing takes a part of them. */
const limits = { waiting: 100, waitMs: 4_000 };

/**
 * For the writers of a table in this process, one after the other for each entry: of those who compare and
 * set, each would make all others try again. Other processes may still be faster. Throws AccountContention
 * where too many wait, or for too long.
 */
export function entryTurns(): KeyTurns {
  const refusal = () => new AccountContention('Too many wait to write the entry.');
  return new KeyTurns(limits, () => performance.now(), refusal);
}
