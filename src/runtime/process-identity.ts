import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process for ever: its number is reused, but not together with its start time. */
export type ProcessIdentity = { readonly pid: number; readonly birth: string };

/** The identity of a running process; null if there is no such process, or only a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const birth = process.platform === 'linux' ? birthFromProc(pid) : birthFromPs(pid);
  return birth === null ? null : { pid, birth };
}

/** Whether this very process still runs. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.birth === identity.birth;
}

/** Sends a signal to this very process; false if it is gone. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    return false;
  }
}

function birthFromProc(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces: the fields after it start with the state, which is the
    // third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || startTicks === undefined ? null : startTicks;
  } catch {
    return null;
  }
}

function birthFromPs(pid: number): string | null {
  try {
    const output = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    }).trim();
    return output === '' || output.startsWith('Z') ? null : output.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}
