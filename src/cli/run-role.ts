import type { RunRole, Settings } from '../config.ts';
import { connectToParent } from '../supervisor/child-protocol.ts';
import { dataPaths } from '../supervisor/data-directory.ts';
import { endWithParent } from '../supervisor/parent-watch.ts';
import { setV8Flags } from './v8-flags.ts';

/**
 * Runs one role in this process until SIGTERM (or, on its own, SIGINT), drains it and exits 0. What the role throws
 * after its start ends the process: its parent judges.
 */
export async function runRole(build: RunRole, settings: Settings): Promise<void> {
  setV8Flags();
  const parent = connectToParent();
  const starting = build(settings);
  let stopping: Promise<void> | undefined;
  const drain = (): Promise<void> => {
    stopping ??= starting.then((role) => role.stop());
    return stopping;
  };
  const drainAndExit = (): void => {
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Draining failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  endWithParent(dataPaths(settings.dataDirectory).run, drain);
  process.on('SIGTERM', drainAndExit);
  // With a parent, Ctrl-C is the parent's: it drains its children in order.
  process.on('SIGINT', () => {
    if (!parent.hasParent) drainAndExit();
  });
  await starting;
}
