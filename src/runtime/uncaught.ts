import type { Logger } from 'pino';

/** A process that ends by a bug: its parent judges whether another life may try. */
export const crashedExitCode = 70;

/** Of warnings that our own code emits where it has no log: each says that somebody has to look. */
const ourCodes = 'POTSTREAM_';

/**
 * Whatever nobody caught or awaited is written down with its code, and ends the process: nothing is known of its state
 * any more. Node's warnings become lines of the log like others.
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
