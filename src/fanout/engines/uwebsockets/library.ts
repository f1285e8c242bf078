import type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket } from 'uWebSockets.js';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { knownBuilds } from './known-builds.ts';

/**
 * The one file that names uWebSockets.js, an alias of package.json: changing that one line swaps in another
 * build (docs/security.md "The websocket engine").
 */
export type EngineModule = typeof import('uWebSockets.js');
const specifier = 'uWebSockets.js';

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket, WebSocket };

/** uWebSockets.js cannot be loaded on this machine, or its file is none that we know. */
export class EngineUnavailable extends Error {
  readonly code = 'websocket_engine_unavailable';
  readonly retryable = false;
}

const { platform, arch, versions } = process;
/** The package's file for this machine and this Node. */
const nativeName = `uws_${platform}_${arch}_${versions.modules}.node`;

/** Where npm has put the package. */
export function packageDirectory(): string {
  return dirname(createRequire(import.meta.url).resolve(specifier));
}

/**
 * The path of the engine's native file, whose content is one that we know: the check finds another file that
 * was installed. An attacker who could change the file after the check could change this program as well.
 * @throws EngineUnavailable
 */
export function knownEngineFile(find: () => string = packageDirectory, known = knownBuilds): string {
  let path: string;
  let bytes: Buffer;
  try {
    path = join(find(), nativeName);
    bytes = readFileSync(path);
  } catch (error) {
    const reason = `uWebSockets.js has no build for ${platform} ${arch} and Node ${versions.node} here`;
    throw new EngineUnavailable(reason, { cause: error });
  }
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (known[nativeName] === hash) return path;
  throw new EngineUnavailable(
    `uWebSockets.js is not loaded: ${path} with the SHA-256 ${hash} is no build that this release knows`,
  );
}

/**
 * Loads the engine's native library, and no other file of its package.
 * @throws EngineUnavailable, saying what the machine lacks.
 */
export function loadEngine(
  load: (path: string) => unknown = createRequire(import.meta.url),
  find: () => string = knownEngineFile,
): EngineModule {
  const path = find();
  try {
    return load(path) as EngineModule;
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
