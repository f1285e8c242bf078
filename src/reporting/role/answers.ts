import { Worker } from 'node:worker_threads';
import { encodeBooksAnswer } from '../../contracts/reports/questions.ts';
import type { BusMessage } from '../../ports.ts';
import type { BooksReach, FromAnswers, ToAnswers } from '../answers/messages.ts';
import { reportingLimits } from '../base/limits.ts';

const unavailable = encodeBooksAnswer({ kind: 'unavailable', body: '' });

type Asked = Pick<BusMessage, 'bytes' | 'respond'>;

interface AnswersOptions {
  /** What the thread begins with. */
  readonly workerData?: object;
  readonly atOnce?: number;
}

/**
 * Answers questions about the books on a thread, which starts again after it has ended. What comes while too
 * many wait, or is not answered, hears that the books are not available.
 */
export class Answers {
  readonly #program: string;
  readonly #books: () => BooksReach;
  readonly #report: (error: unknown) => void;
  readonly #options: AnswersOptions;
  readonly #waiting = new Map<number, { readonly asked: Asked; readonly timer: NodeJS.Timeout }>();
  #thread: Worker | null = null;
  #last = 0;

  /** `books` is asked with each question: a password may have changed. */
  constructor(
    program: string,
    books: () => BooksReach,
    report: (error: unknown) => void,
    options: AnswersOptions = {},
  ) {
    this.#program = program;
    this.#books = books;
    this.#report = report;
    this.#options = options;
  }

  /** Before the first question, which would wait for it. */
  start(): void {
    this.#started();
  }

  answer(asked: Asked): void {
    if (this.#waiting.size >= (this.#options.atOnce ?? reportingLimits.questionsAtOnce)) {
      asked.respond(unavailable);
      return;
    }
    try {
      const books = this.#books();
      const thread = this.#started();
      this.#last += 1;
      const id = this.#last;
      // A database that is read without a pause holds up all other questions.
      const end = (): void => void thread.terminate().catch(this.#report);
      const timer = setTimeout(end, reportingLimits.questionHangsMs).unref();
      this.#waiting.set(id, { asked, timer });
      thread.postMessage({ id, bytes: asked.bytes, books } satisfies ToAnswers);
    } catch (error) {
      // No place to read from.
      asked.respond(unavailable);
      this.#report(error);
    }
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #started(): Worker {
    if (this.#thread !== null) return this.#thread;
    const thread = new Worker(this.#program, { workerData: this.#options.workerData });
    thread.unref();
    thread.on('message', (message: FromAnswers) => {
      if ('bug' in message) this.#report(message.bug);
      else this.#ended(message.id, message.bytes);
    });
    thread.on('error', this.#report);
    thread.once('exit', () => {
      this.#thread = null;
      for (const id of this.#waiting.keys()) this.#ended(id, unavailable);
    });
    this.#thread = thread;
    return thread;
  }

  #ended(id: number, bytes: Uint8Array): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.asked.respond(bytes);
  }
}
