import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../runtime/start-error.ts';

const requestTimeoutMs = 2000;
const pollIntervalMs = 20;

/** Waits until the server at this monitoring address is healthy (JetStream recovered). False when time is up. */
export async function waitUntilHealthy(
  monitorUrl: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<boolean> {
  // Who was stopped itself meanwhile has not waited: one look counts for its own limit at most.
  for (let waitedMs = 0; waitedMs < options.timeoutMs && options.signal?.aborted !== true; ) {
    const beganMs = performance.now();
    if (await isHealthy(monitorUrl)) return true;
    await sleep(pollIntervalMs);
    waitedMs += Math.min(performance.now() - beganMs, requestTimeoutMs + pollIntervalMs);
  }
  return false;
}

/** Does anything come back from the monitoring port in time, be it good or bad? A stopped server's takes connections only. */
export async function answers(monitorUrl: string, ended: AbortSignal): Promise<boolean> {
  try {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(requestTimeoutMs)]);
    await (await fetch(`${monitorUrl}/healthz`, { signal })).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** null if the server says that it is healthy; otherwise its answer, or that it did not answer. */
export async function healthFault(monitorUrl: string): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(requestTimeoutMs);
    const response = await fetch(`${monitorUrl}/healthz`, { signal });
    const text = await response.text();
    return response.ok ? null : text;
  } catch {
    return 'does not answer';
  }
}

/**
 * Does the server fsync every message before it acknowledges it?
 * @throws Error when /varz cannot be read.
 */
export async function readsSyncAlways(monitorUrl: string): Promise<boolean> {
  return (await readVariables(monitorUrl)).jetstream?.config?.sync_always === true;
}

/**
 * What the server's clock shows, in milliseconds since the epoch.
 * @throws Error when /varz cannot be read.
 */
export async function readServerTimeMs(monitorUrl: string): Promise<number> {
  return Date.parse((await readVariables(monitorUrl)).now);
}

/**
 * The version of the server that runs, as it says it.
 * @throws Error when /varz cannot be read.
 */
export async function readServerVersion(monitorUrl: string): Promise<string> {
  return (await readVariables(monitorUrl)).version;
}

/** @throws StartError `nats_not_durable` unless every message is fsynced or the risk was accepted */
export async function requireDurability(monitorUrl: string, insecureDurability: boolean): Promise<void> {
  if (insecureDurability || (await readsSyncAlways(monitorUrl))) return;
  throw new StartError(
    'nats_not_durable',
    `The nats-server at ${monitorUrl} does not sync every message to its disk, so a power cut could lose ` +
      'acknowledged contributions. Set "sync_interval: always" in its jetstream block (as deploy/nats.conf ' +
      'does), or start with --insecure-durability if you accept that.',
  );
}

/**
 * The same for the servers of a cluster, of which one may be down.
 * @throws StartError `nats_not_durable`; `nats_not_asked` if none answers
 */
export async function requireDurabilityOfAll(monitorUrls: readonly string[]): Promise<void> {
  const answers = await Promise.all(
    monitorUrls.map((url) =>
      requireDurability(url, false).then(
        () => true,
        (error: unknown) => {
          if (error instanceof StartError) throw error;
          return false;
        },
      ),
    ),
  );
  if (answers.includes(true)) return;
  throw new StartError(
    'nats_not_asked',
    `No nats-server answers at ${monitorUrls.join(', ')}, so nobody knows whether it syncs every message. Correct ` +
      'POTSTREAM_NATS_MONITOR_URL, or leave it empty to start without this check.',
  );
}

type Variables = {
  readonly now: string;
  readonly version: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
};

async function readVariables(monitorUrl: string): Promise<Variables> {
  try {
    const response = await fetch(`${monitorUrl}/varz`, { signal: AbortSignal.timeout(requestTimeoutMs) });
    return (await response.json()) as Variables;
  } catch (cause) {
    throw new Error(
      `No nats-server answers at ${monitorUrl}/varz: is it running, with its monitoring port?`,
      {
        cause,
      },
    );
  }
}

async function isHealthy(monitorUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${monitorUrl}/healthz`, { signal: AbortSignal.timeout(requestTimeoutMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
