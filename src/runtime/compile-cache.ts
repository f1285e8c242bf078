import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';

/** A larger cache would take longer to read than its code to compile. */
const maxCacheBytes = 16 * 1024 * 1024;
const hashBytes = 32;

/** What V8 made of a script, and of which text. */
interface Compiled {
  readonly sourceHash: Uint8Array;
  readonly data: Uint8Array;
}

interface Loaded {
  readonly sourceHash: Uint8Array;
  readonly script: Script;
}

/** Releases of Node from 22.1 on keep it themselves. */
const nodes = Module as {
  enableCompileCache?: (directory: string) => unknown;
  flushCompileCache?: () => void;
};
let present: CompileCache | null = null;

/**
 * Keeps V8's bytecode of every CommonJS module that this process loads from now on, in files below the
 * directory, one for each name and set of V8's flags. Later processes of this name need not compile it again
 * (docs/decisions/0325). A directory that cannot be written, or a file that does not fit, only costs the time
 * that it would have saved.
 */
export function useCompileCache(directory: string, name: string): void {
  if (nodes.enableCompileCache !== undefined) nodes.enableCompileCache(directory);
  else present ??= new CompileCache(directory, name);
}

/** Writes what this process has compiled, and holds it no more. Call it once all that it needs is loaded. */
export function keepCompiledCode(): void {
  present?.keep();
  present = null;
  nodes.flushCompileCache?.();
}

class CompileCache {
  readonly #directory: string;
  readonly #path: string;
  readonly #root: string;
  readonly #kept: Map<string, Compiled>;
  readonly #loaded = new Map<string, Loaded>();
  #isComplete = true;

  constructor(directory: string, name: string) {
    this.#directory = directory;
    // Paths are kept from here, so that a moved installation keeps its code.
    this.#root = dirname(directory);
    this.#path = join(directory, `${name}-${process.versions.node}-${cachedDataVersionTag()}`);
    this.#kept = readCache(this.#path);
    const cache = this;
    prototype._compile = function compile(this: LoadingModule, content: string, filename: string): unknown {
      return cache.#run(this, content, filename);
    };
  }

  keep(): void {
    prototype._compile = compileOfNode;
    if (!this.#isComplete) {
      for (const [path, { sourceHash, script }] of this.#loaded)
        this.#kept.set(path, { sourceHash, data: script.createCachedData() });
      writeCache(this.#directory, this.#path, this.#kept);
    }
    // An error made while a module loaded holds this cache by its stack.
    this.#kept.clear();
    this.#loaded.clear();
  }

  #run(loading: LoadingModule, content: string, filename: string): unknown {
    const path = relative(this.#root, filename);
    const sourceHash = hashOf(content);
    const kept = this.#kept.get(path);
    const isSame = kept !== undefined && Buffer.compare(kept.sourceHash, sourceHash) === 0;
    const script = new Script(Module.wrap(content), {
      filename,
      ...(isSame ? { cachedData: kept.data } : {}),
    });
    if (!isSame || script.cachedDataRejected === true) this.#isComplete = false;
    this.#loaded.set(path, { sourceHash, script });
    const require = Object.assign((id: string) => loading.require(id), {
      ...createRequire(filename),
    });
    const run = script.runInThisContext() as (...values: unknown[]) => unknown;
    return run.call(loading.exports, loading.exports, require, loading, filename, dirname(filename));
  }
}

/** What Node calls with the text of each CommonJS module. */
interface LoadingModule {
  readonly exports: unknown;
  require(id: string): unknown;
}
const prototype = Module.prototype as unknown as {
  _compile(this: LoadingModule, content: string, filename: string): unknown;
};
const compileOfNode = prototype._compile;

function hashOf(bytes: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}

/** Empty where there is none, or a damaged one: V8 itself does not compare all bytes. */
function readCache(path: string): Map<string, Compiled> {
  try {
    const bytes = readFileSync(path);
    const content = bytes.subarray(hashBytes);
    if (bytes.length > hashBytes && hashOf(content).every((byte, at) => byte === bytes[at]))
      return deserialize(content) as Map<string, Compiled>;
  } catch {
    // The code is compiled again.
  }
  return new Map();
}

function writeCache(directory: string, path: string, kept: ReadonlyMap<string, Compiled>): void {
  const content = serialize(kept);
  if (content.length > maxCacheBytes) return;
  const arriving = `${path}.${process.pid}`;
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(arriving, Buffer.concat([hashOf(content), content]), { mode: 0o644 });
    renameSync(arriving, path);
  } catch {
    remove(arriving);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Its directory cannot be written.
  }
}
