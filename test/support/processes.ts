import { readdir, readFile } from 'node:fs/promises';

export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: readonly string[];
}

/** All processes below `root`, itself included, from /proc. */
export async function descendantsOf(root: number): Promise<RunningProcess[]> {
  const all = (
    await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readProcess))
  ).filter((one) => one !== null);
  const found = all.filter((one) => one.pid === root);
  for (const one of found) found.push(...all.filter((candidate) => candidate.parent === one.pid));
  return found;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Null where it ended meanwhile, or is a zombie. */
async function readProcess(name: string): Promise<RunningProcess | null> {
  try {
    const status = await readFile(`/proc/${name}/stat`, 'utf8');
    const [state, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return null;
    const command = (await readFile(`/proc/${name}/cmdline`, 'utf8'))
      .split('\0')
      .filter((part) => part !== '');
    return { pid: Number(name), parent: Number(parent), command };
  } catch {
    return null;
  }
}
