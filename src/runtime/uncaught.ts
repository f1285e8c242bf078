import type { Logger } from 'pino';

/** The exit code of a process that a bug ended. Its parent decides whether to restart it. */
export const crashedExitCode = 70;

/** The codes of our own warnings begin with this: each needs a person to look. */
const ourCodes = 'POTSTREAM_';

/** Ends the process with 70 after an uncaught error: its state is unknown. Logs Node's warnings. */
export function endOnUncaught(logger: Logger): void {
  const end = (code: string) => (error: unknown) => {
    logger.fatal({ err: error, code }, 'A bug ended this process.');
    process.exit(crashedExitCode);
  };
  process.on('uncaughtException', end('uncaught_exception'));
  process.on('unhandledRejection', end('unhandled_rejection'));
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { readonly code?: string }) => {
    const { code = '', message } = warning;
    if (code.startsWith(ourCodes)) logger.error({ code: code.slice(ourCodes.length).toLowerCase() }, message);
    else logger.warn({ err: warning, code: 'node_warning' }, message);
  });
}
