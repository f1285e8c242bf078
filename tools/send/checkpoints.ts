import { type Journal, writeJournal } from './journal.ts';
import type { ResultsFile } from './results-file.ts';
import type { Progress } from './sender.ts';
import type { StoredTally } from './tally.ts';

/** What a journal says beside the moment's progress. */
export type JournalHead = Omit<
  Journal,
  'next' | 'open' | 'tally' | 'isDone' | 'isOrderly' | 'writtenMs' | 'results'
> & {
  readonly resultsPath: string | null;
};

/** The state of a run at one moment; it changes with the results that are handed to `write`. */
export interface Moment {
  readonly progress: Progress;
  readonly tally: StoredTally;
}

/** Beyond it, who brings results waits until they are on the disk. */
const maxWaitingCharacters = 4 * 1024 * 1024;

/**
 * Stores results and journal in steps: first the results and then the journal that counts them, both durably.
 * After a crash the results of an unfinished step are dropped, and their lines are sent again.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #head: JournalHead;
  readonly #results: ResultsFile | null;
  readonly #moment: () => Moment;
  #texts: string[] = [];
  #characters = 0;
  #saving: Promise<void> | null = null;
  #fault: { readonly reason: unknown } | null = null;

  constructor(path: string, head: JournalHead, results: ResultsFile | null, moment: () => Moment) {
    this.#path = path;
    this.#head = head;
    this.#results = results;
    this.#moment = moment;
  }

  /** Takes a line of the results. A promise: its giver has to wait. */
  write(text: string): Promise<void> | undefined {
    if (this.#results === null) return undefined;
    this.#texts.push(text);
    this.#characters += text.length;
    return this.#characters > maxWaitingCharacters ? this.save() : undefined;
  }

  /** Everything up to now is durable when it resolves. @throws file system errors */
  save(): Promise<void> {
    return this.#save(false, false);
  }

  /** The last step of a run. @throws file system errors */
  finish(isDone: boolean): Promise<void> {
    return this.#save(isDone, true);
  }

  async #save(isDone: boolean, isOrderly: boolean): Promise<void> {
    // The step under way does not have what came since.
    while (this.#saving !== null) await this.#saving.catch(() => undefined);
    // A journal behind results that could not be stored would count them.
    if (this.#fault !== null) throw this.#fault.reason;
    this.#saving = this.#store(isDone, isOrderly);
    try {
      await this.#saving;
    } catch (reason) {
      this.#fault = { reason };
      throw reason;
    } finally {
      this.#saving = null;
    }
  }

  async #store(isDone: boolean, isOrderly: boolean): Promise<void> {
    const { progress, tally } = this.#moment();
    const text = this.#texts.join('');
    this.#texts = [];
    this.#characters = 0;
    if (this.#results !== null && text !== '') await this.#results.append(text);
    const { resultsPath, ...head } = this.#head;
    const results = this.#results === null ? null : { path: resultsPath ?? '', bytes: this.#results.bytes };
    // Comparing it with the time of the next start says whether the keys are still known.
    const writtenMs = Date.now();
    await writeJournal(this.#path, { ...head, results, ...progress, tally, isDone, isOrderly, writtenMs });
  }
}
