const width = 30;
const redrawMs = 100;
const everyTenth = 10;

/** Standard error, or what a test puts there. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Draws how far something is on a terminal; elsewhere says a line each tenth. */
export class ProgressBar {
  readonly #total: number;
  readonly #stream: ProgressStream;
  readonly #startedMs = performance.now();
  #drawnMs = 0;
  #tenth = 0;

  constructor(total: number, stream: ProgressStream) {
    this.#total = total;
    this.#stream = stream;
  }

  at(done: number): void {
    if (this.#stream.isTTY) this.#draw(done);
    else this.#print(done);
  }

  end(done: number): void {
    if (!this.#stream.isTTY) return;
    this.#drawnMs = 0;
    this.#draw(done);
    this.#stream.write('\n');
  }

  #draw(done: number): void {
    const nowMs = performance.now();
    if (nowMs - this.#drawnMs < redrawMs) return;
    this.#drawnMs = nowMs;
    const part = done / this.#total;
    const filled = Math.round(part * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    const perSecond = (done * 1000) / Math.max(1, nowMs - this.#startedMs);
    const leftSeconds = perSecond === 0 ? 0 : Math.ceil((this.#total - done) / perSecond);
    const rate = Math.round(perSecond).toLocaleString('en-US');
    this.#stream.write(`\r${bar} ${Math.floor(part * 100)} %  ${rate}/s  ${leftSeconds} s left \u001b[K`);
  }

  #print(done: number): void {
    const tenth = Math.floor((done / this.#total) * everyTenth);
    if (tenth <= this.#tenth) return;
    this.#tenth = tenth;
    this.#stream.write(`${tenth * everyTenth} %\n`);
  }
}
