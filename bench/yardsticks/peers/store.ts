import type { Contribution, Taken } from './contribution.ts';

/** Where a service of this folder keeps contributions. */
export interface Store {
  /**
   * Takes a contribution once: repeated under its key, it gives what was taken first. `done` is called when
   * it is durable, or with an error when it may not have been taken.
   */
  contribute(contribution: Contribution, done: (error: Error | null, taken: Taken | null) => void): void;
  close(): Promise<void>;
}
