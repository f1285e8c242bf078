import { LogError } from '../../ports.ts';
import { asking, askServer } from './api.ts';
import type { Requester } from './requester.ts';
import { toLogError } from './server-errors.ts';

/** Members of a stream's metadata that say what was begun with it: another process may have to end it. */
const narrowedMark = 'potstream-trim';
const keptAgeMark = 'potstream-keep-age';
/** Messages that leave in one step: the server stores nothing in the stream meanwhile. */
const maxMessagesPerStep = 20_000;
/** A step is computed again if its reading is older: what arrived since pushes out more. */
const maxReadingAgeMs = 1_000;
/** How often the reading of one step is repeated; then the stream stays as it is until the next round. */
const maxReadings = 5;

type PresentConfiguration = Readonly<Record<string, unknown>>;

interface Present {
  /** The server's time. */
  readonly ts: string;
  readonly config: PresentConfiguration;
  readonly state: {
    readonly first_seq: number;
    readonly last_seq: number;
    readonly messages: number;
  };
}

/** Milliseconds since now. They go on while this process is stopped. */
export type Stopwatch = () => () => number;

/**
 * Drops the messages of a stream up to `to`, less `spare`. A purge is denied for good, so the stream is
 * narrowed to the remaining messages for a moment, and each message that arrives meanwhile pushes one out
 * (docs/decisions/0332). Safe to repeat.
 * @returns how many more messages left than planned
 * @throws LogError `hole` if messages between the first and the last one are missing, since then their number
 * says nothing
 */
export async function trimStream(
  requester: Requester,
  stream: string,
  to: number,
  spare: number,
  stopwatch: Stopwatch = startStopwatch,
): Promise<number> {
  let pushedOut = await widenStream(requester, stream);
  for (let readings = 1; readings <= maxReadings; readings += 1) {
    const ageMs = stopwatch();
    const { ts, config, state } = await presentOf(requester, stream);
    const { first_seq: first, last_seq: last, messages } = state;
    const dropped = Math.min(Math.min(to, last) - first + 1 - spare, messages - 1, maxMessagesPerStep);
    if (isNarrowed(config) || messages === 0 || dropped <= 0) break;
    if (messages !== last - first + 1)
      throw new LogError('hole', `${stream} has ${messages} messages from ${first} to ${last}.`);
    const mark = markText(first + dropped - 1, ts);
    const narrow = withMark({ ...config, discard: 'old', max_msgs: messages - dropped }, narrowedMark, mark);
    // Nothing may wait between this and the sending.
    if (ageMs() > maxReadingAgeMs) continue;
    pushedOut += pushedOutOf(
      await widened(requester, stream, (await updated(requester, stream, narrow)).config),
      mark,
    );
    readings = 0;
  }
  return pushedOut;
}

/**
 * Makes a stream wide again if it was narrowed this long ago: the process that did it ended or is stopped.
 * @returns how many more messages left than that process had planned
 */
export async function widenStream(requester: Requester, stream: string, narrowedForMs = 0): Promise<number> {
  const { ts, config } = await presentOf(requester, stream);
  const mark = markOf(config, narrowedMark);
  if (mark === undefined || Date.parse(ts) - narrowedAtMs(mark) < narrowedForMs) return 0;
  return pushedOutOf(await widened(requester, stream, config), mark);
}

/** The configuration that it will have when what was begun with the stream has ended. */
export function settledConfiguration(config: PresentConfiguration): PresentConfiguration {
  const keptAge = markOf(config, keptAgeMark);
  const aged =
    keptAge === undefined
      ? config
      : withMark({ ...config, max_age: Number(keptAge) }, keptAgeMark, undefined);
  return isNarrowed(config)
    ? withMark({ ...aged, discard: 'new', max_msgs: -1 }, narrowedMark, undefined)
    : aged;
}

/** For how long the stream has been narrowed, by the server's time; null: it is not. */
export function narrowedForMs({
  ts,
  config,
}: {
  readonly ts: string;
  readonly config: PresentConfiguration;
}): number | null {
  const mark = markOf(config, narrowedMark);
  return mark === undefined ? null : Date.parse(ts) - narrowedAtMs(mark);
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

/** By both clocks of the machine: the monotonic one stops with the machine, the other one may be set back. */
function startStopwatch(): () => number {
  const [monotonicMs, wallMs] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
}

function isNarrowed(config: PresentConfiguration): boolean {
  return markOf(config, narrowedMark) !== undefined;
}

/** The last message that is to leave, and when: marks of an earlier version lack the time. */
function markText(last: number, at: string): string {
  return `${last} ${at}`;
}

function narrowedAtMs(mark: string): number {
  return Date.parse(mark.split(' ')[1] ?? '1970-01-01');
}

function pushedOutOf({ state }: Present, mark: string): number {
  return Math.max(0, state.first_seq - 1 - Number.parseInt(mark, 10));
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
