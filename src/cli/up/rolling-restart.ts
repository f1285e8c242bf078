import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';
import type { ProcessIdentity } from '../../runtime/process-identity.ts';
import type { ProcessTree } from '../../supervisor/process-tree.ts';
import { askReadiness } from '../system/readiness.ts';

/** `<data>/run/restart.json`: the last rolling restart of gateways, for `potstream restart`. */
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

/** A gateway that starts reads the directory and the lanes first. */
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

export function writeRollingRestart(runDirectory: string, restart: RollingRestart): void {
  writeJsonFile(pathOf(runDirectory), restart);
}

export function readRollingRestart(runDirectory: string): RollingRestart | null {
  const stored = readJsonFile(pathOf(runDirectory)) as Partial<RollingRestart> | null;
  return typeof stored?.number === 'number' && stored.up !== undefined ? (stored as RollingRestart) : null;
}

function pathOf(runDirectory: string): string {
  return join(runDirectory, 'restart.json');
}
