import type Database from 'libsql';

interface Waiting {
  readonly task: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Tasks that share one commit. */
const maxTasksPerCommit = 256;
const maxTasksWaiting = 10_000;
/**
 * Commits follow each other no faster, unless this number of tasks wait: each costs the disk and the
 * processor the same.
 */
const commitEveryMs = 10;
const tasksWorthACommit = 16;

/** More changes wait than the wallet takes. */
export class TooManyChanges extends Error {
  readonly code = 'overloaded';
  readonly retryable = true;
}

/**
 * Runs changes of the database in groups: all that arrive while one commit is on its way to the disk share
 * the next one. A result is given only after its commit.
 */
export class GroupCommit {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #timer: NodeJS.Timeout | null = null;
  #committedMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  run<T>(task: () => T): Promise<T> {
    if (this.#waiting.length >= maxTasksWaiting) return Promise.reject(new TooManyChanges());
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    const waitMs = this.#committedMs + commitEveryMs - performance.now();
    if (waitMs > 0 && this.#waiting.length < tasksWorthACommit) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        this.#schedule();
      }, waitMs);
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const group = this.#waiting.slice(0, maxTasksPerCommit);
      this.#waiting = this.#waiting.slice(maxTasksPerCommit);
      if (group.length > 0) this.#runGroup(group);
      this.#committedMs = performance.now();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  /** A task that fails takes nothing of the others with it: they run again, each in a commit of its own. */
  #runGroup(group: readonly Waiting[]): void {
    try {
      const results = this.#inOneCommit(group);
      group.forEach(({ resolve }, index) => void resolve(results[index] as never));
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else for (const one of group) this.#runGroup([one]);
    }
  }

  #inOneCommit(group: readonly Waiting[]): unknown[] {
    this.#begin.run();
    try {
      const results = group.map(({ task }) => task());
      this.#commit.run();
      return results;
    } catch (error) {
      // SQLite may have rolled back by itself, for example when the disk is full.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
