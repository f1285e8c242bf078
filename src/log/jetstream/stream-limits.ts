import { byteText } from '../../lib/byte-text.ts';
import { LogError } from '../../ports.ts';
import { asking, askServer, throughShortOutages } from './api.ts';
import { keepsAged, withLaterAge } from './narrow-stream.ts';
import type { Requester } from './requester.ts';
import { isOutOfStorage, toLogError } from './server-errors.ts';

const nanosPerMs = 1_000_000;
const dayMs = 86_400_000;

/** Limits that settings name; absent ones stay as they are. */
export interface AskedLimits {
  readonly maxBytes?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

interface StreamInfo {
  /** The server's time. */
  readonly ts: string;
  readonly config: Readonly<Record<string, unknown>> & {
    readonly max_bytes?: number;
    readonly max_age?: number;
  };
  readonly state: { readonly bytes: number; readonly messages: number; readonly first_ts: string };
}

/**
 * Makes an existing stream follow its settings. Refuses a limit below what the stream holds: no setting drops
 * messages (docs/decisions/0058).
 * @throws LogError `misconfigured` if the limit does not fit what is stored or the room of the server;
 * `unavailable`
 */
export async function followLimits(requester: Requester, stream: string, asked: AskedLimits): Promise<void> {
  if (asked.maxBytes === undefined && asked.maxAgeMs === undefined) return;
  await throughShortOutages(() => followOnce(requester, stream, asked));
}

async function followOnce(requester: Requester, stream: string, asked: AskedLimits): Promise<void> {
  const found = await asking(() => askServer<StreamInfo>(requester, `STREAM.INFO.${stream}`, null));
  if (found.error !== undefined) throw toLogError(found.error, `Looking for ${stream}`);
  const { config, state } = found.ok;
  const changes = {
    ...changedBytes(stream, asked.maxBytes, config.max_bytes ?? 0, state),
    ...(keepsAged(config)
      ? laterAge(config, asked.maxAgeMs)
      : changedAge(stream, asked.maxAgeMs, config.max_age ?? 0, found.ok)),
  };
  if (Object.keys(changes).length === 0) return;
  const changed = await askServer(requester, `STREAM.UPDATE.${stream}`, { ...config, ...changes });
  if (changed.error === undefined) return;
  if (!isOutOfStorage(changed.error)) throw toLogError(changed.error, `Changing the limits of ${stream}`);
  throw new LogError(
    'misconfigured',
    `${stream} cannot have ${byteText(asked.maxBytes ?? 0)}: together with the other streams that exceeds max_file_store ` +
      'of nats-server, or the limit of its account. Raise that limit, or ask for less.',
  );
}

/** The archive is behind: ages count again once it is not. */
function laterAge(
  config: StreamInfo['config'],
  askedMs: number | undefined,
): Readonly<Record<string, unknown>> {
  if (askedMs === undefined) return {};
  const { metadata } = withLaterAge(config, askedMs * nanosPerMs);
  return JSON.stringify(metadata) === JSON.stringify(config.metadata) ? {} : { metadata };
}

function changedBytes(
  stream: string,
  asked: number | undefined,
  present: number,
  { bytes }: StreamInfo['state'],
): Readonly<Record<string, number>> {
  if (asked === undefined || asked === present) return {};
  if (bytes > asked) {
    throw new LogError(
      'misconfigured',
      `${stream} holds ${byteText(bytes)} and cannot be limited to ${byteText(asked)}: stored messages are never dropped. ` +
        'Ask for more.',
    );
  }
  return { max_bytes: asked };
}

function changedAge(
  stream: string,
  askedMs: number | undefined,
  presentNanos: number,
  { ts, state: { messages, first_ts } }: StreamInfo,
): Readonly<Record<string, number>> {
  if (askedMs === undefined || askedMs * nanosPerMs === presentNanos) return {};
  const widens = presentNanos !== 0 && askedMs * nanosPerMs > presentNanos;
  if (!widens && messages > 0 && Date.parse(ts) - Date.parse(first_ts) >= askedMs) {
    throw new LogError(
      'misconfigured',
      `${stream} holds messages of ${first_ts} and cannot be limited to ${(askedMs / dayMs).toFixed(1)} days: ` +
        'stored messages are never dropped. Ask for more.',
    );
  }
  return { max_age: askedMs * nanosPerMs };
}
