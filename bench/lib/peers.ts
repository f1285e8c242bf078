import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type RunningDatabase, startPostgres, startRedis } from './databases.ts';
import { processTree } from './processor-time.ts';
import { freePort } from './system.ts';

/** A service that users would build instead, with its database: bench/yardsticks/peers. */
export interface RunningPeer {
  readonly port: number;
  /** Processor seconds so far. */
  uses(): Readonly<Record<'server' | 'database', number>>;
  stop(): Promise<void>;
}

export type PeerKind = 'postgres-transactions' | 'postgres-batches' | 'redis-script';

/** Each has a database of its own, fresh and empty. */
export async function startPeer(kind: PeerKind, token: string): Promise<RunningPeer> {
  const database = await (kind === 'redis-script' ? startRedis() : startPostgres());
  try {
    return await startServer(kind, database, token);
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function startServer(kind: PeerKind, database: RunningDatabase, token: string): Promise<RunningPeer> {
  const port = await freePort();
  const script = fileURLToPath(new URL('../yardsticks/peers/main.js', import.meta.url));
  const child = spawn(process.execPath, [script, kind, String(port), String(database.port), token], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`${kind} ended with code ${code}`)));
  });
  return {
    port,
    uses: () => ({ server: secondsOf(child.pid as number), database: secondsOf(database.pid) }),
    async stop() {
      child.stdin.end();
      await ended;
      await database.stop();
    },
  };
}

function secondsOf(pid: number): number {
  return processTree(pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}
