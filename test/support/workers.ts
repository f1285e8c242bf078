import { execFileSync } from 'node:child_process';

/** Many tests wait for processes, leases and time-outs: two cores have room for four workers. */
const usual = 4;
/** On cores that take so much longer, whole systems of four workers starve each other until their time-outs. */
const ofSlowCores = 2;
/** Processor time in which Node starts; 40 ms are usual. Waiting for a core does not count. */
const slowFromMs = 65;
const tries = 5;

/** How many test files run side by side. */
export interface Workers {
  /** Of those with a process each: most start systems. */
  readonly ownProcess: number;
  readonly sharedProcess: number;
}

export function workers(): Workers {
  return { ownProcess: startMs() < slowFromMs ? usual : ofSlowCores, sharedProcess: usual };
}

function startMs(): number {
  const program = 'process.stdout.write(String(process.cpuUsage().user))';
  const each = Array.from({ length: tries }, () => Number(execFileSync(process.execPath, ['-e', program])));
  return Math.min(...each) / 1000;
}
