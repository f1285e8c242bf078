import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket } from 'uWebSockets.js';
import { createRequire } from 'node:module';

/**
 * The one file that names uWebSockets.js. The name is an alias of package.json: another build of µWebSockets.js is
 * swapped in by changing that one line.
 */
export type EngineModule = typeof import('uWebSockets.js');
const specifier = 'uWebSockets.js';

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket };

/** uWebSockets.js cannot be loaded on this machine. */
export class EngineUnavailable extends Error {
  readonly code = 'websocket_engine_unavailable';
  readonly retryable = false;
}

/**
 * Loads the engine's native library.
 * @throws EngineUnavailable, saying what the machine lacks.
 */
export function loadEngine(load: (name: string) => unknown = createRequire(import.meta.url)): EngineModule {
  try {
    return load(specifier) as EngineModule;
  } catch (error) {
    throw new EngineUnavailable(describe(error), { cause: error });
  }
}

function describe(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const wanted = /GLIBC_[0-9.]+/.exec(reason)?.[0];
  const needs =
    wanted === undefined
      ? 'It needs Linux with glibc 2.35 or newer (or macOS, Windows) on x64 or arm64, and Node.js 20 or newer.'
      : `It needs ${wanted.replace('_', ' ')} or newer; this machine's C library is older: a newer distribution has it, or a container of one.`;
  return `The websocket engine (µWebSockets.js) cannot be loaded. ${needs} The loader reports: ${reason}`;
}
