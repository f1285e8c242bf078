import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../../tools/send/report.ts';

const repository = resolve(import.meta.dirname, '../../..');

/** `potstream send` as a process that is ended and started again. */
export class SendProcess {
  readonly #file: string;
  readonly #results: string;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #ended: Promise<number | null> = Promise.resolve(null);
  #said = { stdout: '', stderr: '' };
  /** How often it was ended. */
  ends = 0;

  constructor(file: string, results: string, environment: Readonly<Record<string, string>>) {
    this.#file = file;
    this.#results = results;
    this.#environment = environment;
  }

  get isRunning(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | null {
    return this.isRunning ? (this.#child?.pid ?? null) : null;
  }

  start(): void {
    const args = ['send', this.#file, '--results', this.#results, '--json'];
    const child = spawn(process.execPath, [join(repository, 'bin/potstream'), ...args], {
      cwd: repository,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    this.#said = said;
    this.#child = child;
    this.#ended = new Promise((done) => child.once('close', (code) => done(code)));
  }

  /** Lines with a result, as the journal says. */
  answered(): number {
    try {
      const { tally } = JSON.parse(readFileSync(`${this.#file}.sending`, 'utf8'));
      const refused = Object.values(tally.refused as Record<string, { count: number }>);
      return tally.applied + tally.repeated + refused.reduce((sum, { count }) => sum + count, 0);
    } catch {
      return 0;
    }
  }

  async restart(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    this.#child?.kill(signal);
    const code = await this.#ended;
    const expected = signal === 'SIGINT' ? 130 : null;
    if (code !== expected) throw new Error(`After ${signal} it ended with ${code}: ${this.#said.stderr}`);
    this.ends += 1;
    this.start();
  }

  /** What it ends with by itself. */
  async end(): Promise<{ readonly code: number | null; readonly stderr: string; readonly report: Report }> {
    const code = await this.#ended;
    const { stdout, stderr } = this.#said;
    if (stdout === '') throw new Error(`It ended with ${code}: ${stderr}`);
    return { code, stderr, report: JSON.parse(stdout) };
  }
}
