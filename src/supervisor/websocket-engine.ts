import { packageRoot } from '../runtime/package-root.ts';
import { StartError } from '../runtime/start-error.ts';
import { runCommand } from './nats-server/run-command.ts';

const loadTimeoutMs = 15_000;

/** Loads the websocket engine in a separate process. Null: it loads; otherwise the reason, in one paragraph. */
export async function probeWebsocketEngine(): Promise<string | null> {
  const { exitCode, output } = await runCommand(process.execPath, ['-e', 'require("uWebSockets.js")'], {
    timeoutMs: loadTimeoutMs,
    cwd: packageRoot,
  });
  return exitCode === 0 ? null : explain(output);
}

/** @throws StartError `websocket_engine_unusable` */
export async function requireWebsocketEngine(): Promise<void> {
  const problem = await probeWebsocketEngine();
  if (problem !== null) throw new StartError('websocket_engine_unusable', problem);
}

/** The loader's error for a person: the glibc that is needed, and the one that is installed. */
export function explain(loaderOutput: string): string {
  const needed = /GLIBC_(\d+\.\d+)['’]? not found/.exec(loaderOutput)?.[1];
  const platform = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  if (needed === undefined) {
    const lastLine = /Error: (.*)/.exec(loaderOutput)?.[1] ?? loaderOutput.trim().slice(-300);
    return (
      `The websocket engine uWebSockets.js cannot be loaded on ${platform}: ${lastLine}. ` +
      'If the package is missing or incomplete, run "npm ci".'
    );
  }
  return (
    `The websocket engine uWebSockets.js needs glibc ${needed} or newer, and this system has ${glibcVersion()}. ` +
    'Run Potstream on a newer distribution, or in a container of one; musl systems such as Alpine have no glibc.'
  );
}

/** Of this system; `none` where Node was built for another C library. */
export function glibcVersion(): string {
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header;
  return header?.glibcVersionRuntime ?? 'none';
}
