import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import { identifyProcess, type ProcessIdentity } from '../../runtime/process-identity.ts';
import type { ProcessTree } from '../../supervisor/process-tree.ts';
import { askReadiness } from '../system/readiness.ts';

/** What restarts in turn, one process after the other. */
export type Restartable = 'gateways' | 'fanouts';

/** `<data>/run/restart-<what>.json`: the last rolling restart, for `potstream restart`. */
export interface RollingRestart {
  /** The `up` that does it. */
  readonly up: ProcessIdentity;
  /** 0 before the first one of this `up`. */
  readonly number: number;
  readonly state: 'none' | 'running' | 'done' | 'failed';
  readonly restarted: readonly string[];
  /** What happened, for a person; null: nothing to say. */
  readonly reason: string | null;
}

interface RollingRestartsOptions {
  readonly what: Restartable;
  readonly names: readonly string[];
  readonly tree: ProcessTree;
  readonly runDirectory: string;
  readonly print: (line: string) => void;
}

const words = {
  gateways: { one: 'gateway', all: 'gateways', option: '--gateways 2', fails: 'requests would fail' },
  fanouts: { one: 'fan-out', all: 'fan-outs', option: '--fanouts 2', fails: 'its sockets would find none' },
} as const;

/** The rolling restarts of one kind of children, and the record of the last one. */
export class RollingRestarts {
  readonly #options: RollingRestartsOptions;
  #last: RollingRestart | null = null;

  constructor(options: RollingRestartsOptions) {
    this.#options = options;
  }

  get areRunning(): boolean {
    return this.#last?.state === 'running';
  }

  /** Says on disk that this `up` restarts them when it gets SIGUSR2. */
  announce(): void {
    this.#record({ state: 'none', restarted: [], reason: null });
  }

  /** Restarts them in turn, once at a time. Never rejects. */
  async restart(): Promise<void> {
    const { what, names, print, tree } = this.#options;
    const { one, all, option, fails } = words[what];
    if (this.#last === null) return print(`The ${all} still start.`);
    if (this.areRunning) return;
    const restarted: string[] = [];
    const record = (state: RollingRestart['state'], reason: string | null): void => {
      const isNew = restarted.length === 0 && (state === 'running' || names.length === 1);
      this.#record({ state, restarted: [...restarted], reason }, isNew);
    };
    if (names.length === 1) {
      const reason = `There is one ${one}: ${fails} while it restarts. Start with "${option}" or more (POTSTREAM_${what.toUpperCase()}).`;
      record('failed', reason);
      return print(reason);
    }
    record('running', null);
    print(`The ${all} restart, one after the other.`);
    try {
      await restartInTurn(tree, names, (name) => {
        restarted.push(name);
        record('running', null);
      });
      record('done', null);
      print(`All ${all} have been restarted.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      record('failed', reason);
      print(`The restart of the ${all} ended: ${reason}`);
    }
  }

  #record(progress: Pick<RollingRestart, 'state' | 'restarted' | 'reason'>, isNew = false): void {
    const { what, runDirectory, print } = this.#options;
    const up = identifyProcess(process.pid);
    if (up === null) return;
    this.#last = { up, number: (this.#last?.number ?? 0) + (isNew ? 1 : 0), ...progress };
    try {
      writeJsonFile(recordPath(runDirectory, what), this.#last);
    } catch (error) {
      print(`Cannot write the record of the restart: ${String(error)}`);
    }
  }
}

/** A gateway or fan-out that starts reads the directory and the lanes first. */
const readyWithinMs = 120_000;
const pollMs = 100;

/**
 * Restarts children of one kind in turn: each drains while the others take its work over, and the next one
 * only goes when all of them work.
 * @throws Error naming the child that does not come back; the rest are left alone
 */
export async function restartInTurn(
  tree: Pick<ProcessTree, 'status' | 'restart'>,
  names: readonly string[],
  restarted: (name: string) => void,
  withinMs = readyWithinMs,
): Promise<void> {
  await untilReady(tree, names, withinMs);
  for (const name of names) {
    const before = statusOf(tree, name)?.restarts ?? 0;
    await tree.restart(name, 'hand_over');
    await until(
      () => (statusOf(tree, name)?.restarts ?? 0) > before,
      withinMs,
      `${name} does not start again`,
    );
    await untilReady(tree, names, withinMs);
    restarted(name);
  }
}

/** Asked with their own probes: a child reports once that it is ready. */
async function untilReady(
  tree: Pick<ProcessTree, 'status'>,
  names: readonly string[],
  withinMs: number,
): Promise<void> {
  for (const name of names) {
    const works = async (): Promise<boolean> => {
      const status = statusOf(tree, name);
      if (status?.ready !== true || status.operationsPort === null) return false;
      return (await askReadiness(status.operationsPort)).reason === null;
    };
    await until(works, withinMs, `${name} is not ready`);
  }
}

async function until(
  done: () => boolean | Promise<boolean>,
  withinMs: number,
  problem: string,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await done())) {
    if (performance.now() > deadlineMs) throw new Error(`${problem} within ${withinMs / 1000} s.`);
    await sleep(pollMs);
  }
}

function statusOf(tree: Pick<ProcessTree, 'status'>, name: string) {
  return tree.status().find((status) => status.name === name);
}

export function readRollingRestart(runDirectory: string, what: Restartable): RollingRestart | null {
  const stored = readJsonFile(recordPath(runDirectory, what)) as Partial<RollingRestart> | null;
  return typeof stored?.number === 'number' && stored.up !== undefined ? (stored as RollingRestart) : null;
}

/** What the next SIGUSR2 asks for. */
export function wantRestart(runDirectory: string, what: Restartable): void {
  writeJsonFile(wishPath(runDirectory), { what });
}

/** What SIGUSR2 asks for, once; a bare signal means the gateways. */
export function wantedRestart(runDirectory: string): Restartable {
  const wish = readJsonFile(wishPath(runDirectory)) as { readonly what?: unknown } | null;
  rmSync(wishPath(runDirectory), { force: true });
  return wish?.what === 'fanouts' ? 'fanouts' : 'gateways';
}

function recordPath(runDirectory: string, what: Restartable): string {
  return join(runDirectory, `restart-${what}.json`);
}

function wishPath(runDirectory: string): string {
  return join(runDirectory, 'restart-wanted.json');
}
