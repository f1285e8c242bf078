import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { running } from '../../support/leftovers.ts';
import { isStopped } from '../../support/processes.ts';

/** As deploy/systemd restarts a role and nats-server. */
const restartAfterMs = 1_000;
const readyTimeoutMs = 2_000;
const setpriv = '/usr/bin/setpriv';

export interface UnitOptions {
  readonly name: string;
  /** Program and arguments. A later start may have others. */
  command(): readonly string[];
  environment(): Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Answers 200 once the process works. */
  readonly readyUrl: string;
}

/** A process that is started again after it has ended, as systemd does with `Restart=always`. */
export class Unit {
  readonly name: string;
  /** Ends that nobody asked for, each with its exit code or signal. */
  readonly crashes: string[] = [];
  readonly #options: UnitOptions;
  #child: ChildProcess | null = null;
  #wanted = false;
  #asked = false;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: UnitOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get readyUrl(): string {
    return this.#options.readyUrl;
  }

  get logFile(): string {
    return this.#options.logFile;
  }

  get command(): readonly string[] {
    return this.#options.command();
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#options.environment();
  }

  start(): void {
    this.#wanted = true;
    if (this.#child === null) this.#spawn();
  }

  /** Ends the process, and another takes its place; resolves when it has ended. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#asked = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Ends it for good, until the next `start`. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#wanted = false;
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#restart = null;
    await this.kill(signal);
  }

  /** SIGSTOP; resolves when no thread of the process runs any more. */
  async freeze(): Promise<void> {
    this.#child?.kill('SIGSTOP');
    while (this.pid !== 0 && !(await isStopped(this.pid))) await pause(5);
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** null: it works. */
  async fault(): Promise<string | null> {
    if (this.#child === null) return 'does not run';
    try {
      const signal = AbortSignal.timeout(readyTimeoutMs);
      const answer = await fetch(this.#options.readyUrl, { signal });
      const text = await answer.text();
      return answer.status === 200 ? null : `${answer.status} ${text.trim().slice(0, 300)}`;
    } catch {
      return 'does not answer';
    }
  }

  #spawn(): void {
    const { command, environment, logFile } = this;
    const log = openSync(logFile, 'a');
    // However this process ends, the system ends with it.
    const withParent = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL'] : [];
    const [program, ...rest] = [...withParent, ...command] as [string, ...string[]];
    const child = spawn(program, rest, {
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    });
    closeSync(log);
    this.#child = child;
    this.#asked = false;
    running.add(child);
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code}`));
    child.once('error', (error) => this.#ended(child, error.message));
  }

  #ended(child: ChildProcess, how: string): void {
    running.delete(child);
    if (this.#child !== child) return;
    this.#child = null;
    if (!this.#asked) this.crashes.push(how);
    if (!this.#wanted) return;
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#spawn();
    }, restartAfterMs);
  }
}
