import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../log/base/error-text.ts';

const pollIntervalMs = 1000;
const requestTimeoutMs = 2000;
/** With less room a restarted server would stop writing at once. */
const minFreeBytes = 4 * 1024 * 1024;
/** Between two restarts: the first may not have helped, and the tree has a limit of restarts. */
const restartEveryMs = 10_000;

interface StoreWatchPorts {
  /** The text of /healthz; rejects while the server does not answer. */
  readonly health: () => Promise<string>;
  /** Bytes that may be written below the store's directory. */
  readonly availableBytes: () => Promise<number>;
  /** Whether files can be created there; otherwise a restarted server would not come up. */
  readonly writable: () => Promise<boolean>;
  /** Ends the server and starts it again. */
  readonly restart: () => Promise<void>;
  readonly nowMs: () => number;
  readonly print: (line: string) => void;
}

/**
 * A stream of nats-server that met a full disk writes nothing more until the server restarts, even with new
 * room; one without permission to write ends JetStream as a whole. The watch restarts the server once there
 * is room and it may write (docs/decisions/0058).
 */
export class StoreWatch {
  readonly #ports: StoreWatchPorts;
  #reportedFault: string | null = null;
  #restartedMs = Number.NEGATIVE_INFINITY;

  constructor(ports: StoreWatchPorts) {
    this.#ports = ports;
  }

  /** Checks once; the owner of the watch calls it repeatedly, one call at a time. */
  async poll(): Promise<void> {
    const { health, availableBytes, writable, restart, nowMs, print } = this.#ports;
    const answer = await health().catch(() => null);
    // The process tree handles a server that does not answer.
    if (answer === null) return;
    const fault = writeFault(answer);
    if (fault === null) {
      if (this.#reportedFault !== null) print('nats-server can write again.');
      this.#reportedFault = null;
      return;
    }
    if (this.#reportedFault === null) print(`nats-server cannot write, so requests are refused: ${fault}`);
    this.#reportedFault = fault;
    if (nowMs() - this.#restartedMs < restartEveryMs || (await availableBytes()) < minFreeBytes) return;
    if (!(await writable())) return;
    this.#restartedMs = nowMs();
    print('There is room. Restarting nats-server, because it does not write again by itself.');
    await restart();
  }
}

/** The failure to write that an answer of /healthz names; null: none. */
export function writeFault(healthAnswer: string): string | null {
  if (!/write error|JetStream not enabled/i.test(healthAnswer)) return null;
  try {
    const { error } = JSON.parse(healthAnswer) as { error?: unknown };
    return typeof error === 'string' ? error : healthAnswer;
  } catch {
    return healthAnswer;
  }
}

/** Watches the server at this monitoring address until it is stopped. */
export function watchStore(
  monitorUrl: string,
  storeDirectory: string,
  ports: Pick<StoreWatchPorts, 'restart' | 'print'>,
): { stop(): void } {
  const watch = new StoreWatch({
    ...ports,
    nowMs: () => performance.now(),
    async health() {
      const signal = AbortSignal.timeout(requestTimeoutMs);
      return (await fetch(`${monitorUrl}/healthz`, { signal })).text();
    },
    async availableBytes() {
      const { bavail, bsize } = await statfs(storeDirectory);
      return bavail * bsize;
    },
    async writable() {
      const probe = join(storeDirectory, 'write-probe');
      const tried = writeFile(probe, '').then(() => rm(probe));
      return tried.then(
        () => true,
        () => false,
      );
    },
  });
  let alarmed = '';
  let timer: NodeJS.Timeout;
  let stopped = false;
  const again = (): void => {
    timer = setTimeout(() => {
      // An unreadable directory is no reason to end: the next check may succeed.
      watch
        .poll()
        .catch((error: unknown) => {
          if (alarmed !== String(error))
            ports.print(`Cannot find out whether nats-server can write: ${errorText(error)}`);
          alarmed = String(error);
        })
        .finally(() => stopped || again());
    }, pollIntervalMs);
  };
  again();
  return {
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
