import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, readLine, resultOf } from './contribution.ts';
import type { Store } from './store.ts';

/** Lines of a request that may wait for their results: beyond it the request is read no further. */
const maxUnderWay = 8_192;
const maxLineLength = 65_536;

/** Takes contributions as lines of one request; answers each with a line as soon as it is stored. */
export function serveLines(store: Store, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  new Lines(store, request, response).start();
}

class Lines {
  readonly #store: Store;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #rest = '';
  #results = '';
  #underWay = 0;
  #isFull = false;
  #hasEnded = false;
  readonly #write = (): void => this.#writeResults();

  constructor(store: Store, request: IncomingMessage, response: ServerResponse) {
    this.#store = store;
    this.#request = request;
    this.#response = response;
  }

  start(): void {
    this.#request.setEncoding('utf8').on('data', (part: string) => this.#take(part));
    this.#request.on('end', () => {
      if (this.#rest !== '') this.#takeLine(this.#rest);
      this.#hasEnded = true;
      this.#endWhenDone();
    });
    this.#request.on('error', () => {});
    this.#response.on('error', () => {});
    this.#response.on('drain', () => {
      this.#isFull = false;
      this.#readOn();
    });
  }

  #take(part: string): void {
    const lines = (this.#rest + part).split('\n');
    this.#rest = lines.pop() as string;
    if (this.#rest.length > maxLineLength) this.#request.destroy();
    for (const line of lines) if (line !== '') this.#takeLine(line);
    if (this.#underWay >= maxUnderWay) this.#request.pause();
  }

  #takeLine(line: string): void {
    this.#underWay += 1;
    try {
      const { ref, contribution } = readLine(line);
      this.#store.contribute(contribution, (error, taken) => {
        this.#answer(
          taken === null
            ? { ref, error: error?.message ?? 'it was not taken' }
            : { ref, results: [resultOf(contribution, taken)] },
        );
      });
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof SyntaxError)) throw error;
      this.#answer({ error: error.message });
    }
  }

  /** Results of one turn are written at once. */
  #answer(result: object): void {
    if (this.#results === '') setImmediate(this.#write);
    this.#results += `${JSON.stringify(result)}\n`;
    this.#underWay -= 1;
  }

  #writeResults(): void {
    const results = this.#results;
    this.#results = '';
    if (this.#response.destroyed) return;
    this.#isFull = !this.#response.write(results);
    this.#readOn();
    this.#endWhenDone();
  }

  #readOn(): void {
    if (this.#isFull || this.#underWay >= maxUnderWay) this.#request.pause();
    else if (this.#request.isPaused()) this.#request.resume();
  }

  #endWhenDone(): void {
    if (this.#hasEnded && this.#underWay === 0 && this.#results === '') this.#response.end();
  }
}
