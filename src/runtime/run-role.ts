import type { Settings } from '../config/settings.ts';
import { connectToParent } from './child-protocol.ts';
import { dataPaths } from './data-directory.ts';
import { endWithParent } from './parent-watch.ts';
import type { RunRole } from './role.ts';
import { openRoleLog } from './role-log.ts';
import { endOnUncaught } from './uncaught.ts';
import { setV8Flags } from './v8-flags.ts';

const startFailedExitCode = 1;

/**
 * Runs one role in this process until SIGTERM (or, without a parent, SIGINT), drains it and exits with 0. A
 * role that cannot start exits with 1.
 * @throws the error of its start if there is no parent
 */
export async function runRole(name: string, build: RunRole, settings: Settings): Promise<void> {
  setV8Flags(name);
  const parent = connectToParent();
  const logger = openRoleLog(name, settings.logLevel);
  endOnUncaught(logger);
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
        logger.error({ err: error, code: 'not_drained' }, 'Draining failed.');
        process.exit(1);
      },
    );
  };
  endWithParent(dataPaths(settings.dataDirectory).run, drain);
  process.on('SIGTERM', drainAndExit);
  // The role has its own ear for the same message: it drains otherwise then.
  parent.onMessage(({ type }) => {
    if (type === 'hand_over') drainAndExit();
  });
  // With a parent, the parent handles Ctrl-C and drains its children in order.
  process.on('SIGINT', () => {
    if (!parent.hasParent) drainAndExit();
  });
  try {
    await starting;
  } catch (error) {
    // Without a parent, main.ts shows the error at the terminal.
    if (!parent.hasParent) throw error;
    logger.fatal({ err: error, code: codeOf(error) }, 'The role cannot start.');
    process.exit(startFailedExitCode);
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'start_failed';
}
