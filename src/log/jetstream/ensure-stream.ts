import { LogError } from '../../ports.ts';
import { askServer, throughShortOutages } from './api.ts';
import { wideConfiguration } from './narrow-stream.ts';
import type { Requester } from './requester.ts';
import {
  isOutOfStorage,
  isStreamMissing,
  isStreamThere,
  type ServerError,
  toLogError,
} from './server-errors.ts';
import type { StreamConfiguration } from './stream-configurations.ts';
import { type Difference, differencesOf } from './stream-differences.ts';

const minStreamBytes = 64 * 1024 * 1024;
/** Members that an administrator may change by hand, or that nats-server does not let change. */
const freeMembers: ReadonlySet<string> = new Set([
  ...['max_bytes', 'max_age', 'num_replicas', 'placement', 'compression', 'description', 'metadata'],
  ...['allow_msg_ttl', 'persist_mode'],
]);
/** What a stream of an earlier release may lack. A person made any other difference. */
const updatedMembers: ReadonlySet<string> = new Set(['subjects', 'allow_rollup_hdrs', 'deny_purge']);

/**
 * Creates a missing stream, gives one of an earlier release what it lacks, and checks the rest. Asks a server
 * without room for half of `max_bytes`.
 * @throws LogError `misconfigured` with the members that differ; `full`; `unavailable` after 20 s
 */
export async function ensureStream(requester: Requester, wanted: StreamConfiguration): Promise<void> {
  let configuration = wanted;
  await throughShortOutages(async () => {
    for (;;) {
      const refusal = await createOrUpdate(requester, configuration);
      if (refusal === null) return;
      const maxBytes = Number(configuration.max_bytes ?? 0);
      if (!isOutOfStorage(refusal) || maxBytes < 2 * minStreamBytes) {
        throw toLogError(refusal, `Creating ${wanted.name}`);
      }
      configuration = { ...configuration, max_bytes: Math.floor(maxBytes / 2) };
    }
  });
}

/**
 * Waits until another process has made a stream, and checks it.
 * @throws LogError `misconfigured` with the members that differ; `unavailable` after 20 s
 */
export async function awaitStream(requester: Requester, wanted: StreamConfiguration): Promise<void> {
  let isTold = false;
  await throughShortOutages(async () => {
    const present = await find(requester, wanted.name);
    if (present !== null) return void check(wanted, present);
    if (!isTold) tellWaiting(wanted.name);
    isTold = true;
    throw new LogError('unavailable', `${wanted.name} does not exist yet: storage makes it when it starts.`);
  });
}

const waitsFor = new Set<string>();

/** Once for all streams that it makes at the same time. */
function tellWaiting(stream: string): void {
  if (waitsFor.size === 0)
    process.emitWarning(`This process waits for storage, which makes ${stream} and the other streams.`, {
      code: 'POTSTREAM_WAITS_FOR_STORAGE',
    });
  waitsFor.add(stream);
}

async function createOrUpdate(
  requester: Requester,
  configuration: StreamConfiguration,
): Promise<ServerError | null> {
  const { name } = configuration;
  const found = await find(requester, name);
  if (found !== null)
    return update(requester, configuration, await wideConfiguration(requester, name, found));
  const created = await askServer(requester, `STREAM.CREATE.${name}`, configuration);
  if (created.error === undefined) return null;
  if (isStreamThere(created.error)) throw new LogError('unavailable', `${name} is just being created.`);
  if (isOutOfStorage(created.error)) return created.error;
  throw toLogError(created.error, `Creating ${name}`);
}

async function update(
  requester: Requester,
  wanted: StreamConfiguration,
  present: Readonly<Record<string, unknown>>,
): Promise<null> {
  if (check(wanted, present).length === 0) return null;
  const changes = Object.fromEntries([...updatedMembers].map((member) => [member, wanted[member]]));
  const updated = await askServer(requester, `STREAM.UPDATE.${wanted.name}`, { ...present, ...changes });
  if (updated.error !== undefined) throw toLogError(updated.error, `Updating ${wanted.name}`);
  return null;
}

async function find(requester: Requester, name: string): Promise<Readonly<Record<string, unknown>> | null> {
  const found = await askServer<{ config: Record<string, unknown> }>(requester, `STREAM.INFO.${name}`, null);
  if (found.error === undefined) return found.ok.config;
  if (isStreamMissing(found.error)) return null;
  throw toLogError(found.error, `Looking for ${name}`);
}

/** The members to update; others are for the watch of configurations. A stream never loses a subject. */
function check(
  wanted: StreamConfiguration,
  present: Readonly<Record<string, unknown>>,
): readonly Difference[] {
  const differences = differencesOf(wanted, present).filter(
    ({ member }) => member in wanted && !freeMembers.has(member),
  );
  const isOfEarlierRelease = ({ member }: Difference): boolean =>
    updatedMembers.has(member) && (member !== 'subjects' || isPart(present.subjects, wanted.subjects));
  if (differences.every(isOfEarlierRelease)) return differences;
  const texts = differences.map(({ text }) => text).join('; ');
  throw new LogError('misconfigured', `${wanted.name} is misconfigured: ${texts}.`);
}

function isPart(some: unknown, all: unknown): boolean {
  return Array.isArray(some) && Array.isArray(all) && some.every((each) => all.includes(each));
}
