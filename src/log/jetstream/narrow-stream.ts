import { LogError } from '../../ports.ts';
import { asking, askServer } from './api.ts';
import type { Requester } from './requester.ts';
import { toLogError } from './server-errors.ts';

/** Members of a stream's metadata that say what was begun with it: another process may have to end it. */
const narrowedMark = 'potstream-trim';
const keptAgeMark = 'potstream-keep-age';
/** So many messages leave in one step: the server stores nothing in the stream meanwhile. */
const maxMessagesPerStep = 50_000;
/** More than this part of a stream does not arrive during one step: it could not be archived in time either. */
const maxSpareRatio = 1 / 4;

/** The configuration of a stream, as the server writes it. */
export type PresentConfiguration = Readonly<Record<string, unknown>>;

interface Present {
  readonly config: PresentConfiguration;
  readonly state: {
    readonly first_seq: number;
    readonly last_seq: number;
    readonly messages: number;
    readonly bytes: number;
  };
}

/**
 * Drops the messages of a stream up to `to`, and no later ones while at most `maxSpare` messages, or a quarter of the stream, arrive during
 * one step. A purge is denied for good, so the stream is narrowed to so many messages for a moment (docs/decisions/0356). Safe to repeat.
 * @throws LogError `hole` if messages between the first and the last one are missing, since then their number says nothing
 */
export async function trimStream(
  requester: Requester,
  stream: string,
  to: number,
  maxSpare: number,
): Promise<void> {
  let present = await presentOf(requester, stream);
  for (;;) {
    if (isNarrowed(present.config)) present = await widened(requester, stream, present.config);
    const { first_seq: first, last_seq: last, messages } = present.state;
    const spare = Math.min(maxSpare, messagesOf(maxSpareRatio, present));
    const dropped = Math.min(Math.min(to, last) - first + 1 - spare, messages - 1, maxMessagesPerStep);
    if (messages === 0 || dropped <= 0) return;
    if (messages !== last - first + 1)
      throw new LogError('hole', `${stream} has ${messages} messages from ${first} to ${last}.`);
    const narrow = { ...present.config, discard: 'old', max_msgs: messages - dropped };
    const marked = withMark(narrow, narrowedMark, String(first + dropped - 1));
    present = await widened(requester, stream, (await updated(requester, stream, marked)).config);
  }
}

/** As many messages of the present mean size as fill a part of the stream; without a limit there is no such number. */
function messagesOf(ratio: number, { config, state }: Present): number {
  const maxBytes = Number(config.max_bytes ?? -1);
  if (maxBytes <= 0 || state.messages === 0) return Number.POSITIVE_INFINITY;
  return Math.ceil((ratio * maxBytes * state.messages) / state.bytes);
}

/** The stream's configuration, made wide again if a process ended while it had narrowed it. */
export async function wideConfiguration(
  requester: Requester,
  stream: string,
  config: PresentConfiguration,
): Promise<PresentConfiguration> {
  return isNarrowed(config) ? (await widened(requester, stream, config)).config : config;
}

/** While `keep`, no message leaves the stream because of its age. */
export async function keepAged(requester: Requester, stream: string, keep: boolean): Promise<void> {
  const { config } = await presentOf(requester, stream);
  const kept = markOf(config, keptAgeMark);
  if (keep === (kept !== undefined)) return;
  const changed = keep
    ? withMark({ ...config, max_age: 0 }, keptAgeMark, String(config.max_age ?? 0))
    : withMark({ ...config, max_age: Number(kept) }, keptAgeMark, undefined);
  await updated(requester, stream, changed);
}

/** Whether the age of the stream's messages is ignored at present. */
export function keepsAged(config: PresentConfiguration): boolean {
  return markOf(config, keptAgeMark) !== undefined;
}

/** The same configuration, with another maximum age for the time when ages count again. */
export function withLaterAge(config: PresentConfiguration, maxAgeNanos: number): PresentConfiguration {
  return withMark(config, keptAgeMark, String(maxAgeNanos));
}

function isNarrowed(config: PresentConfiguration): boolean {
  return markOf(config, narrowedMark) !== undefined;
}

function widened(requester: Requester, stream: string, config: PresentConfiguration): Promise<Present> {
  const wide = { ...config, discard: 'new', max_msgs: -1 };
  return updated(requester, stream, withMark(wide, narrowedMark, undefined));
}

async function presentOf(requester: Requester, stream: string): Promise<Present> {
  const answer = await asking(() => askServer<Present>(requester, `STREAM.INFO.${stream}`, null));
  if (answer.error !== undefined) throw toLogError(answer.error, `Looking for ${stream}`);
  return answer.ok;
}

/** An unknown result is `unavailable`: each update may be repeated. */
async function updated(requester: Requester, stream: string, config: PresentConfiguration): Promise<Present> {
  const answer = await asking(() => askServer<Present>(requester, `STREAM.UPDATE.${stream}`, config));
  if (answer.error !== undefined) throw toLogError(answer.error, `Trimming ${stream}`);
  return answer.ok;
}

function markOf({ metadata }: PresentConfiguration, mark: string): string | undefined {
  return (metadata as Readonly<Record<string, string>> | undefined)?.[mark];
}

function withMark(
  config: PresentConfiguration,
  mark: string,
  value: string | undefined,
): PresentConfiguration {
  const { [mark]: _, ...others } = (config.metadata ?? {}) as Readonly<Record<string, string>>;
  return { ...config, metadata: value === undefined ? others : { ...others, [mark]: value } };
}
