import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

/** The part of `config.ts` for hosts and their processes. */

export const hostEnvironment = {
  POTSTREAM_HOST_ID: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,64}$/, 'at most 64 letters, digits, _ or -')
    .default('')
    .describe(
      "name of this actor host, the same after a restart and no other host's; empty: made of the machine's name and the host's directory",
    ),
  POTSTREAM_HOST_DIRECTORY: z
    .string()
    .default('')
    .describe(
      "directory for the snapshots, witness and epoch files of this actor host, no other host's; empty: the data directory",
    ),
  POTSTREAM_HUNG_AFTER_SECONDS: z.coerce
    .number()
    .int()
    .min(2)
    .max(3600)
    .default(15)
    .describe(
      'up treats a process as hung after this time without a sign of life; four times as long while it starts',
    ),
  POTSTREAM_HUNG_ACTION: z
    .enum(['replace', 'report'])
    .default('replace')
    .describe('what up does with a hung process'),
  POTSTREAM_LANE_AUDIT_HOUR: z
    .union([z.literal('').transform(() => null), z.coerce.number().int().min(0).max(23)])
    .prefault('3')
    .describe('hour of the day (UTC) at which actor hosts audit their lanes; empty: never'),
  POTSTREAM_LANE_AUDIT_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_380)
    .default(120)
    .describe('max. time of a nightly audit of all lanes of an actor host; the newest messages come first'),
};

type HostValues = z.output<z.ZodObject<typeof hostEnvironment>> & { readonly POTSTREAM_DATA: string };

/** The parsed variables of `hostEnvironment`, where each is described. */
export type HostSettings = {
  readonly hostId: string;
  /** Absolute path. */
  readonly hostDirectory: string;
  readonly hungAfterSeconds: number;
  readonly hungAction: 'replace' | 'report';
  /** null: never. */
  readonly laneAuditHour: number | null;
  readonly laneAuditMinutes: number;
};

export function readHostSettings(values: HostValues): HostSettings {
  const hostDirectory = resolve(values.POTSTREAM_HOST_DIRECTORY || values.POTSTREAM_DATA);
  return {
    hostId: values.POTSTREAM_HOST_ID || hostIdOf(hostDirectory),
    hostDirectory,
    hungAfterSeconds: values.POTSTREAM_HUNG_AFTER_SECONDS,
    hungAction: values.POTSTREAM_HUNG_ACTION,
    laneAuditHour: values.POTSTREAM_LANE_AUDIT_HOUR,
    laneAuditMinutes: values.POTSTREAM_LANE_AUDIT_MINUTES,
  };
}

export function environmentOfHost(settings: HostSettings): Record<string, string> {
  return {
    POTSTREAM_HOST_ID: settings.hostId,
    POTSTREAM_HOST_DIRECTORY: settings.hostDirectory,
    POTSTREAM_HUNG_AFTER_SECONDS: String(settings.hungAfterSeconds),
    POTSTREAM_HUNG_ACTION: settings.hungAction,
    POTSTREAM_LANE_AUDIT_HOUR: String(settings.laneAuditHour ?? ''),
    POTSTREAM_LANE_AUDIT_MINUTES: String(settings.laneAuditMinutes),
  };
}

const maxNameCharacters = 40;

function hostIdOf(hostDirectory: string): string {
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, maxNameCharacters);
  return `${name}-${createHash('sha256').update(hostDirectory).digest('hex').slice(0, 8)}`;
}
