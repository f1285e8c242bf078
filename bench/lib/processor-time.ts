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
