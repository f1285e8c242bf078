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

/** Whether all threads of a process stand still after a SIGSTOP. */
export async function isStopped(pid: number): Promise<boolean> {
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  return stats.every((stat) => fieldsOf(stat)[0] === 'T');
}

/** Null where it ended meanwhile, or is a zombie. */
async function readProcess(name: string): Promise<RunningProcess | null> {
  try {
    const status = await readFile(`/proc/${name}/stat`, 'utf8');
    const [state, parent] = fieldsOf(status);
    if (state === 'Z') return null;
    const command = (await readFile(`/proc/${name}/cmdline`, 'utf8'))
      .split('\0')
      .filter((part) => part !== '');
    return { pid: Number(name), parent: Number(parent), command };
  } catch {
    return null;
  }
}

/** What follows the command's name, which may hold anything: state, parent and so on (proc(5)). */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
