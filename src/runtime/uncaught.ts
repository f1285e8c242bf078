import type { Logger } from 'pino';

/** A process that ends by a bug. Its parent decides whether to restart it. */
export const crashedExitCode = 70;

/** Prefix of warnings from our own code where it has no log. A person has to look at each. */
const ourCodes = 'POTSTREAM_';

/**
 * Logs an uncaught error or rejection with its code and ends the process, because its state is unknown. Node's warnings become
 * log lines.
 */
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
