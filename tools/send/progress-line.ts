/** Standard error, or what a test puts there. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How far it is now. */
export interface Standing {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly answered: number;
  readonly refused: number;
}

const width = 30;
const redrawMs = 200;
const lineEveryMs = 10_000;

/** Draws how far the file is on a terminal; elsewhere says a line every ten seconds. */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #now: () => Standing;
  readonly #answeredBefore: number;
  readonly #beganMs = performance.now();
  readonly #timer: NodeJS.Timeout;

  constructor(stream: ProgressStream, now: () => Standing) {
    this.#stream = stream;
    this.#now = now;
    this.#answeredBefore = now().answered;
    this.#timer = setInterval(() => this.#show(), stream.isTTY ? redrawMs : lineEveryMs);
  }

  end(): void {
    clearInterval(this.#timer);
    if (!this.#stream.isTTY) return;
    this.#show();
    this.#stream.write('\n');
  }

  /** A message of its own. */
  say(text: string): void {
    this.#stream.write(this.#stream.isTTY ? `\r\u001b[K${text}\n` : `${text}\n`);
  }

  #show(): void {
    const { bytes, totalBytes, answered, refused } = this.#now();
    const part = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
    const seconds = (performance.now() - this.#beganMs) / 1000;
    const perSecond = (answered - this.#answeredBefore) / Math.max(0.001, seconds);
    const words = [
      `${Math.floor(part * 100)} %`,
      `${number(answered)} answered`,
      `${number(Math.round(perSecond))}/s`,
      ...(refused > 0 ? [`${number(refused)} refused`] : []),
    ];
    if (!this.#stream.isTTY) {
      this.#stream.write(`${words.join('  ')}\n`);
      return;
    }
    const filled = Math.round(part * width);
    this.#stream.write(`\r${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${words.join('  ')} \u001b[K`);
  }
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
