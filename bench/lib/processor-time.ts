import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

export interface ProcessUse {
  readonly pid: number;
  readonly name: string;
  readonly cpuSeconds: number;
}

/** User and system seconds of a process so far (Linux /proc). */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** A process and everything below it. */
export function processTree(rootPid: number): ProcessUse[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = parentOf(Number(entry));
    if (parent !== null) parents.set(Number(entry), parent);
  }
  const inTree = new Set([rootPid]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (inTree.has(parent) && !inTree.has(pid)) {
        inTree.add(pid);
        grown = true;
      }
    }
  }
  return [...inTree].flatMap((pid) => useOf(pid));
}

/** The cores that a process and everything below it use while something runs. */
export class CoresUsed {
  readonly #rootPid: number;
  readonly #seconds = new Map<string, number>();
  #elapsedSeconds = 0;

  constructor(rootPid: number) {
    this.#rootPid = rootPid;
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    const before = new Map(processTree(this.#rootPid).map(({ pid, cpuSeconds }) => [pid, cpuSeconds]));
    const started = performance.now();
    const result = await run();
    this.#elapsedSeconds += (performance.now() - started) / 1_000;
    for (const { pid, name, cpuSeconds } of processTree(this.#rootPid)) {
      const used = cpuSeconds - (before.get(pid) ?? 0);
      this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + used);
    }
    return result;
  }

  report(when: string): { process: string; cores: number }[] {
    return [...this.#seconds].map(([name, seconds]) => ({
      process: `${name} (${when})`,
      cores: seconds / this.#elapsedSeconds,
    }));
  }
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function useOf(pid: number): ProcessUse[] {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
    const program = (words[0] ?? '').split('/').pop() ?? '';
    const name = program.startsWith('node') ? `potstream ${words[words.length - 1]}` : program;
    return [{ pid, name, cpuSeconds: cpuSecondsOf(pid) }];
  } catch {
    return [];
  }
}
