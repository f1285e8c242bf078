import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../../runtime/start-error.ts';

const requestTimeoutMs = 2000;
const pollIntervalMs = 20;
/** nats-server's name of the account that has no name. */
const globalAccount = '$G';

/**
 * Waits until the server at this monitoring address has started: JetStream is recovered, but for streams that
 * cannot be recovered except the roles (docs/decisions/0071). False when time is up.
 */
export async function waitUntilStarted(
  monitorUrl: string,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<boolean> {
  // Who was stopped itself meanwhile has not waited: one look counts for its own limit at most.
  for (let waitedMs = 0; waitedMs < options.timeoutMs && options.signal?.aborted !== true; ) {
    const beganMs = performance.now();
    if (await hasStarted(monitorUrl)) return true;
    await sleep(pollIntervalMs);
    waitedMs += Math.min(performance.now() - beganMs, requestTimeoutMs + pollIntervalMs);
  }
  return false;
}

/** Whether anything comes back from the monitoring port in time. A stopped server only takes connections. */
export async function answers(monitorUrl: string, ended: AbortSignal): Promise<boolean> {
  return (await healthFault(monitorUrl, ended)) !== silent;
}

const silent = 'does not answer';

/** null if the server says that it is healthy; otherwise its answer, or that it did not answer. */
export async function healthFault(monitorUrl: string, ended?: AbortSignal): Promise<string | null> {
  try {
    const response = await ask(`${monitorUrl}/healthz`, ended);
    const text = await response.text();
    return response.ok ? null : text;
  } catch {
    return silent;
  }
}

function ask(url: string, ended?: AbortSignal): Promise<Response> {
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  return fetch(url, { signal: ended === undefined ? timeout : AbortSignal.any([ended, timeout]) });
}

/**
 * Names of streams in the store of a server that has started which it does not know: their descriptions
 * cannot be read.
 * @throws Error when /jsz cannot be read.
 */
export async function lostStreams(monitorUrl: string, storeDirectory: string): Promise<readonly string[]> {
  const fault = await healthFault(monitorUrl);
  if (fault === null || !isOfLostStream(fault)) return [];
  const known = await readStreams(monitorUrl);
  const stored = await readdir(join(storeDirectory, 'jetstream', globalAccount, 'streams'));
  return stored.filter((name) => !known.has(name)).toSorted();
}

interface ServerFacts {
  /** The server's clock. */
  readonly nowMs: number;
  readonly version: string;
  /** Every message is fsynced before it is acknowledged. */
  readonly syncsAlways: boolean;
}

/** @throws Error when /varz cannot be read. */
export async function readServer(monitorUrl: string): Promise<ServerFacts> {
  const { now, version, jetstream } = await readVariables(monitorUrl);
  return { nowMs: Date.parse(now), version, syncsAlways: jetstream?.config?.sync_always === true };
}

/** @throws StartError `nats_not_durable` unless every message is fsynced or the risk was accepted */
export async function requireDurability(monitorUrl: string, insecureDurability: boolean): Promise<void> {
  if (insecureDurability || (await readServer(monitorUrl)).syncsAlways) return;
  throw new StartError(
    'nats_not_durable',
    `The nats-server at ${monitorUrl} does not sync every message to its disk, so a power cut could lose ` +
      'acknowledged contributions. Set "sync_interval: always" in its jetstream block (as deploy/nats/nats.conf ' +
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

type StreamsOfAccounts = {
  readonly account_details?: readonly { readonly stream_detail?: readonly { readonly name: string }[] }[];
};

type Variables = {
  readonly now: string;
  readonly version: string;
  readonly jetstream?: { readonly config?: { readonly sync_always?: boolean } };
};

async function readStreams(monitorUrl: string): Promise<ReadonlySet<string>> {
  const response = await ask(`${monitorUrl}/jsz?streams=true`);
  const { account_details: accounts } = (await response.json()) as StreamsOfAccounts;
  const streams = (accounts ?? []).flatMap(({ stream_detail: details }) => details ?? []);
  return new Set(streams.map(({ name }) => name));
}

async function readVariables(monitorUrl: string): Promise<Variables> {
  try {
    return (await (await ask(`${monitorUrl}/varz`)).json()) as Variables;
  } catch (cause) {
    throw new Error(
      `No nats-server answers at ${monitorUrl}/varz: is it running, with its monitoring port?`,
      {
        cause,
      },
    );
  }
}

async function hasStarted(monitorUrl: string): Promise<boolean> {
  const fault = await healthFault(monitorUrl);
  return fault === null || isOfLostStream(fault);
}

/** Before the server takes connections, it says that instead. */
function isOfLostStream(fault: string): boolean {
  return /JetStream stream '.*' could not be recovered/.test(fault);
}
