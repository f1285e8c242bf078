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

const minStreamBytes = 64 * 1024 * 1024;
/** Members that an administrator may change by hand. */
const freeMembers: ReadonlySet<string> = new Set(['max_bytes', 'max_age', 'num_replicas']);

/**
 * Creates a missing stream (without `creates`, waits for another role to do so) and checks an existing one. Asks a
 * server without room for half of `max_bytes`.
 * @throws LogError `misconfigured` with the members that differ; `full`; `unavailable` after 20 s
 */
export async function ensureStream(
  requester: Requester,
  wanted: StreamConfiguration,
  creates = true,
): Promise<void> {
  let configuration = wanted;
  await throughShortOutages(async () => {
    for (;;) {
      const refusal = await createOrCheck(requester, configuration, creates);
      if (refusal === null) return;
      const maxBytes = Number(configuration.max_bytes ?? 0);
      if (!isOutOfStorage(refusal) || maxBytes < 2 * minStreamBytes) {
        throw toLogError(refusal, `Creating ${wanted.name}`);
      }
      configuration = { ...configuration, max_bytes: Math.floor(maxBytes / 2) };
    }
  });
}

async function createOrCheck(
  requester: Requester,
  configuration: StreamConfiguration,
  creates: boolean,
): Promise<ServerError | null> {
  const { name } = configuration;
  const found = await askServer<{ config: Record<string, unknown> }>(requester, `STREAM.INFO.${name}`, null);
  if (found.error === undefined) {
    const present = await wideConfiguration(requester, name, found.ok.config);
    return addSubjects(requester, configuration, present);
  }
  if (!isStreamMissing(found.error)) throw toLogError(found.error, `Looking for ${name}`);
  if (!creates)
    throw new LogError('unavailable', `${name} does not exist yet: actors create it when they start.`);
  const created = await askServer(requester, `STREAM.CREATE.${name}`, configuration);
  if (created.error === undefined) return null;
  if (isStreamThere(created.error)) throw new LogError('unavailable', `${name} is just being created.`);
  if (isOutOfStorage(created.error)) return created.error;
  throw toLogError(created.error, `Creating ${name}`);
}

/** Adds the subjects that a stream of an earlier version lacks. */
async function addSubjects(
  requester: Requester,
  wanted: StreamConfiguration,
  present: Record<string, unknown>,
): Promise<ServerError | null> {
  const subjects = Array.isArray(wanted.subjects) ? wanted.subjects : [];
  const had: readonly unknown[] = Array.isArray(present.subjects) ? present.subjects : [];
  const grows = subjects.length > had.length && had.every((subject) => subjects.includes(subject));
  checkConfiguration(wanted, grows ? { ...present, subjects } : present);
  if (!grows) return null;
  const updated = await askServer(requester, `STREAM.UPDATE.${wanted.name}`, { ...present, subjects });
  if (updated.error !== undefined) throw toLogError(updated.error, `Updating ${wanted.name}`);
  return null;
}

function checkConfiguration(wanted: StreamConfiguration, present: Record<string, unknown>): void {
  const different = Object.entries(wanted)
    .filter(([member]) => !freeMembers.has(member))
    .filter(([member, value]) => JSON.stringify(present[member]) !== JSON.stringify(value))
    .map(
      ([member, value]) => `${member} is ${JSON.stringify(present[member])}, not ${JSON.stringify(value)}`,
    );
  if (different.length > 0) {
    throw new LogError('misconfigured', `${wanted.name} is misconfigured: ${different.join('; ')}.`);
  }
}
