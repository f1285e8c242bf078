import { randomBytes } from 'node:crypto';
import type { Settings } from './config/settings.ts';
import { ArchiveFiles } from './files/archive-files.ts';
import { maxAmountAtoms, parseAmount } from './lib/money.ts';
import { alignedDelayMs } from './lib/pauses.ts';
import { archivedLog } from './log/archive/archived-log.ts';
import { SegmentIndex } from './log/archive/segment-index.ts';
import type { NatsRole } from './log/roles/permissions.ts';
import type { LogSettings } from './log/roles/settings.ts';
import type { Clock, Log, Random, Table } from './ports.ts';

/** Ports → adapters. */

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => Math.floor(performance.now()),
  after(delayMs, task, rhythm) {
    const timer = setTimeout(
      task,
      rhythm === 'aligned' ? alignedDelayMs(performance.now(), delayMs) : delayMs,
    );
    return () => clearTimeout(timer);
  },
};

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** How a role of these settings reaches the log, and what it may do there. */
export function logSettings(settings: Settings, role: NatsRole): LogSettings {
  const { natsCredentials: credentials, natsTls: tls } = settings;
  return {
    servers: settings.natsUrl.split(','),
    ...(credentials === null ? {} : { credentials }),
    ...(tls === null ? {} : { tls }),
    replicas: settings.replicas,
    role,
    name: role,
    ...optional('maxStreamBytes', settings.streamMaxBytes),
    ...optional('maxOutcomeBytes', settings.outcomeStreamMaxBytes),
    ...optional('maxStreamAgeMs', settings.streamMaxAgeMs),
    ...optional('maxAuditBytes', settings.auditMaxBytes),
    ...optional('maxAuditAgeMs', settings.auditMaxAgeMs),
  };
}

/** The archive of the log, reached through `log`; null: these settings have none. */
export function segmentIndex({ archive }: Pick<Settings, 'archive'>, log: Log): SegmentIndex | null {
  if (archive === 'off') return null;
  const files = archive === 'objects' ? null : new ArchiveFiles(archive);
  return new SegmentIndex({
    table: () => log.table('ARCHIVE'),
    store: () => (files === null ? log.archive('SEGMENTS') : Promise.resolve(files)),
  });
}

/** The same log for readers of old messages: what the streams have dropped comes from the archive. */
export function withArchive(log: Log, settings: Pick<Settings, 'archive'>): Log {
  const index = segmentIndex(settings, log);
  return index === null ? log : archivedLog(log, index);
}

/** Limits of sums in atoms, by currency. An amount beyond all amounts is no limit. */
export function sumLimits(amounts: ReadonlyMap<string, string>): ReadonlyMap<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const [currency, amount] of amounts) {
    const parsed = parseAmount(amount);
    limits.set(currency, parsed.ok ? parsed.atoms : maxAmountAtoms);
  }
  return limits;
}

function optional<K extends keyof LogSettings>(name: K, value: LogSettings[K] | null): Partial<LogSettings> {
  return value === null ? {} : { [name]: value };
}

type OpenTable = { readonly table: Table; close(): Promise<void> };

/** KV ACCOUNTS, made where it is not there yet by who may. */
export async function openAccountsTable(settings: Settings, role: NatsRole): Promise<OpenTable> {
  const { openTable } = await import('./log/jetstream/connect.ts');
  return openTable(logSettings(settings, role), 'ACCOUNTS');
}
