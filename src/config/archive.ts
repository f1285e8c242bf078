import { resolve } from 'node:path';
import { z } from 'zod';

/** The part of `config.ts` about the archive of the log (docs/decisions/0332). */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const archiveEnvironment = {
  POTSTREAM_ARCHIVE: z
    .string()
    .default('objects')
    .describe(
      'where the log of the lanes is archived: objects (in nats-server), a directory that all roles share, or off',
    ),
  POTSTREAM_ARCHIVE_AFTER_MINUTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(60)
    .describe("age from which messages are archived; those of a lane's full streams sooner"),
  POTSTREAM_ARCHIVE_KEEP_HOURS: z.coerce
    .number()
    .min(0)
    .max(8_760)
    .default(25)
    .describe('archived messages stay in the streams too until they are so old, if there is room'),
  POTSTREAM_ARCHIVE_DAYS: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(1).max(36_500)])
    .default(null)
    .describe('age at which segments leave the archive; empty: never'),
};

type ArchiveValues = z.output<z.ZodObject<typeof archiveEnvironment>>;

/** The parsed variables of `archiveEnvironment`, where each is described. */
export type ArchiveSettings = {
  /** An absolute path, or what is meant instead. */
  readonly archive: string | 'objects' | 'off';
  readonly archiveAfterMs: number;
  readonly archiveKeepMs: number;
  /** null: for ever. */
  readonly archiveMs: number | null;
};

export function readArchiveSettings(values: ArchiveValues): ArchiveSettings {
  const { POTSTREAM_ARCHIVE: archive, POTSTREAM_ARCHIVE_DAYS: days } = values;
  return {
    archive: archive === 'objects' || archive === 'off' ? archive : resolve(archive),
    archiveAfterMs: values.POTSTREAM_ARCHIVE_AFTER_MINUTES * 60_000,
    archiveKeepMs: values.POTSTREAM_ARCHIVE_KEEP_HOURS * hourMs,
    archiveMs: days === null ? null : days * dayMs,
  };
}

export function environmentOfArchive(settings: ArchiveSettings): Record<string, string> {
  return {
    POTSTREAM_ARCHIVE: settings.archive,
    POTSTREAM_ARCHIVE_AFTER_MINUTES: String(settings.archiveAfterMs / 60_000),
    POTSTREAM_ARCHIVE_KEEP_HOURS: String(settings.archiveKeepMs / hourMs),
    POTSTREAM_ARCHIVE_DAYS: settings.archiveMs === null ? '' : String(settings.archiveMs / dayMs),
  };
}
