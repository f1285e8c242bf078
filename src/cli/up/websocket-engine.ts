import { EngineUnavailable, knownEngineFile } from '../../fanout/engines/uwebsockets/library.ts';
import { StartError } from '../../runtime/start-error.ts';
import { runCommand } from '../../supervisor/nats-server/run-command.ts';

const loadTimeoutMs = 15_000;

type ChosenEngine = {
  readonly engine: 'uwebsockets' | 'ws';
  /** Why it is ws although uWebSockets.js is preferred; null: it is not, or ws was asked for. */
  readonly fallbackReason: string | null;
};

/**
 * The websocket engine of the fan-out on this machine (docs/decisions/0077).
 * @throws StartError `websocket_engine_unusable` if uWebSockets.js is demanded and cannot be loaded
 */
export async function chooseWebsocketEngine(
  choice: 'auto' | ChosenEngine['engine'],
  probe: () => Promise<string | null> = probeUwebsockets,
): Promise<ChosenEngine> {
  if (choice === 'ws') return { engine: 'ws', fallbackReason: null };
  const reason = await probe();
  if (reason === null) return { engine: 'uwebsockets', fallbackReason: null };
  if (choice === 'auto') return { engine: 'ws', fallbackReason: reason };
  throw new StartError(
    'websocket_engine_unusable',
    `POTSTREAM_WEBSOCKET_ENGINE demands uWebSockets.js, but ${reason}. With "auto" or "ws" the feeds use ws instead.`,
  );
}

/** Loads uWebSockets.js in a separate process, because a native library may crash its own. Null: it loads. */
export async function probeUwebsockets(find: () => string = knownEngineFile): Promise<string | null> {
  let path: string;
  try {
    path = find();
  } catch (error) {
    if (error instanceof EngineUnavailable) return error.message;
    throw error;
  }
  const { exitCode, output } = await runCommand(process.execPath, ['-e', 'require(process.argv[1])', path], {
    timeoutMs: loadTimeoutMs,
  });
  return exitCode === 0 ? null : explain(output);
}

/** The loader's error for a person, as a clause: the glibc that is needed, and the one that is installed. */
export function explain(loaderOutput: string): string {
  const needed = /GLIBC_(\d+\.\d+)['’]? not found/.exec(loaderOutput)?.[1];
  if (needed !== undefined)
    return `uWebSockets.js needs glibc ${needed} or newer for Node ${process.versions.node}, and this system has ${glibcVersion()}`;
  const lastLine = /Error: (.*)/.exec(loaderOutput)?.[1] ?? loaderOutput.trim().slice(-300);
  const platform = `${process.platform} ${process.arch}, Node ${process.versions.node}`;
  return `uWebSockets.js cannot be loaded on ${platform}: ${lastLine}`;
}

/** The version on this system; `none` where Node was built for another C library. */
export function glibcVersion(): string {
  const header = (process.report.getReport() as { header?: { glibcVersionRuntime?: string } }).header;
  return header?.glibcVersionRuntime ?? 'none';
}
