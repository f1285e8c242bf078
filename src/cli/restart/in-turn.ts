import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../config/settings.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { isAlive, type ProcessIdentity, signalProcess } from '../../runtime/process-identity.ts';
import { lockHolder } from '../../supervisor/lock.ts';
import {
  type Restartable,
  type RollingRestart,
  readRollingRestart,
  wantRestart,
} from '../up/rolling-restart.ts';

const beginsWithinMs = 10_000;
const pollMs = 100;

/**
 * Asks the `up` that runs on the data to restart its gateways or fan-outs in turn, and follows it to the end.
 * Returns the exit code: 1 where it could not, or one did not come back.
 */
export async function followRestart(
  settings: Settings,
  what: Restartable,
  print: (line: string) => void,
): Promise<number> {
  const { run, root } = dataPaths(settings.dataDirectory);
  const up = lockHolder(run);
  if (up === null || !isAlive(up)) {
    print(`No "potstream up" runs on ${root}.`);
    return 1;
  }
  const before = recordOf(up, run, what);
  // An earlier release would end at the signal, and one that starts does not know it yet.
  if (before === null) {
    print(
      `The "potstream up" that runs cannot restart its ${what} now: it still starts, or is of an earlier release.`,
    );
    return 1;
  }
  if (before.state === 'running') print(`A restart of the ${what} is under way already.`);
  else {
    wantRestart(run, what);
    if (!signalProcess(up, 'SIGUSR2')) return ended(print);
  }
  return follow(up, () => recordOf(up, run, what), before, print);
}

async function follow(
  up: ProcessIdentity,
  recordNow: () => RollingRestart | null,
  before: RollingRestart,
  print: (line: string) => void,
): Promise<number> {
  const number = before.state === 'running' ? before.number : before.number + 1;
  const deadlineMs = performance.now() + beginsWithinMs;
  let shown = 0;
  for (;;) {
    const now = recordNow();
    if (now === null || !isAlive(up)) return ended(print);
    if (now.number >= number) {
      for (const name of now.restarted.slice(shown)) print(`${name} restarted.`);
      shown = now.restarted.length;
      if (now.state === 'done') return 0;
      if (now.state === 'failed') {
        print(`${now.reason}`);
        return 1;
      }
    } else if (performance.now() > deadlineMs) {
      print('The "potstream up" that runs does not answer.');
      return 1;
    }
    await sleep(pollMs);
  }
}

/** null: what is stored is of another `up`. */
function recordOf(up: ProcessIdentity, run: string, what: Restartable): RollingRestart | null {
  const stored = readRollingRestart(run, what);
  return stored?.up.pid === up.pid && stored.up.birth === up.birth ? stored : null;
}

function ended(print: (line: string) => void): number {
  print('The "potstream up" ended meanwhile.');
  return 1;
}
