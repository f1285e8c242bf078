import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const readyWithinMs = 60_000;
const stopWithinMs = 25_000;

export interface RunningSystem {
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDirectory: string;
  /** From its start until it was ready. */
  readonly readyMs: number;
  readonly credentials: {
    readonly base_url: string;
    readonly ops_url: string;
    /** The reference wallet of the demo. */
    readonly wallet_url: string;
    readonly admin: { readonly username: string; readonly password: string };
    readonly service: { readonly username: string; readonly password: string };
  };
  /** Its data go too, unless it `keepsData` for another start. */
  stop(keepsData?: boolean): Promise<void>;
}

/** For systems that a bench fills by the administrator's operations, faster than anybody else may. */
export const manyWrites = { POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: '100000' } as const;

/**
 * The whole product as `npm start -- --no-traffic` runs it, on a free port, with fresh data or with what
 * another one kept.
 */
export async function startSystem(
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
  keptData: string | null = null,
): Promise<RunningSystem> {
  const data = keptData ?? mkdtempSync(join(tmpdir(), 'potstream-bench-'));
  const port = await freePort();
  const program = fileURLToPath(new URL('../../../bin/potstream', import.meta.url));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, 'up', '--no-traffic', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      POTSTREAM_DATA: data,
      POTSTREAM_PORT: String(port),
      POTSTREAM_LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  await ready(child, `http://127.0.0.1:${port}/readyz`);
  return {
    host: '127.0.0.1',
    port,
    pid: child.pid as number,
    dataDirectory: data,
    readyMs: performance.now() - startedAt,
    credentials: JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8')),
    async stop(keepsData = false) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      await ended;
      clearTimeout(timer);
      if (!keepsData) rmSync(data, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`potstream up ended with code ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`not ready within ${readyWithinMs} ms`);
}
