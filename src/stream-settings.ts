import { z } from 'zod';

/** The settings of streams and of the room in them: a part of those of `config.ts` (docs/decisions/0152). */

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Empty: a stream keeps the limit that it has. */
const streamBytes = z
  .union([z.literal('').transform(() => null), z.coerce.number().int().min(mebibyte)])
  .default(null);
const streamDays = z
  .union([z.literal('').transform(() => null), z.coerce.number().int().min(1).max(36_500)])
  .default(null);

export const streamEnvironment = {
  POTSTREAM_STREAM_MAX_BYTES: streamBytes.describe(
    "max_bytes of each stream of a lane, in force from the actors' next start on; empty: as it is, 4 GiB for a new one",
  ),
  POTSTREAM_OUTCOME_STREAM_MAX_BYTES: streamBytes.describe(
    "the same for the streams of lanes' outcome records; empty: as POTSTREAM_STREAM_MAX_BYTES",
  ),
  POTSTREAM_STREAM_MAX_AGE_DAYS: streamDays.describe(
    'days for which the streams of lanes are kept, in force alike; empty: as it is, 35 for a new one',
  ),
  POTSTREAM_AUDIT_MAX_BYTES: streamBytes.describe(
    'max_bytes of the stream AUDIT, in force alike; empty: as it is, no limit for a new one',
  ),
  POTSTREAM_AUDIT_MAX_AGE_DAYS: streamDays.describe(
    'days for which AUDIT is kept, in force alike; empty: as it is, no limit for a new one',
  ),
  POTSTREAM_STREAM_RESERVE_PERCENT: z.coerce
    .number()
    .int()
    .min(1)
    .max(90)
    .default(12)
    .describe(
      "part of a lane's streams that is kept for ownership, timers, reveals and settlements: contributions are refused in it",
    ),
  POTSTREAM_STREAM_ALARM_PERCENT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(70)
    .describe("fill of a lane's stream from which on an alarm is raised"),
  POTSTREAM_STREAM_ALARM_HOURS: z.coerce
    .number()
    .min(0)
    .max(8_760)
    .default(24)
    .describe("an alarm is raised when a lane's stream would be full within these hours; 0: never"),
};

type StreamValues = z.output<z.ZodObject<typeof streamEnvironment>>;

/** What those variables say; each is described there. */
export type StreamSettings = {
  /** null, here and below: a stream keeps the limit that it has. */
  readonly streamMaxBytes: number | null;
  readonly outcomeStreamMaxBytes: number | null;
  readonly streamMaxAgeMs: number | null;
  readonly auditMaxBytes: number | null;
  readonly auditMaxAgeMs: number | null;
  readonly streamReserveRatio: number;
  readonly streamAlarmRatio: number;
  /** 0: never. */
  readonly streamAlarmMs: number;
};

export function readStreamSettings(values: StreamValues): StreamSettings {
  return {
    streamMaxBytes: values.POTSTREAM_STREAM_MAX_BYTES,
    outcomeStreamMaxBytes: values.POTSTREAM_OUTCOME_STREAM_MAX_BYTES,
    streamMaxAgeMs: daysInMs(values.POTSTREAM_STREAM_MAX_AGE_DAYS),
    auditMaxBytes: values.POTSTREAM_AUDIT_MAX_BYTES,
    auditMaxAgeMs: daysInMs(values.POTSTREAM_AUDIT_MAX_AGE_DAYS),
    streamReserveRatio: values.POTSTREAM_STREAM_RESERVE_PERCENT / 100,
    streamAlarmRatio: values.POTSTREAM_STREAM_ALARM_PERCENT / 100,
    streamAlarmMs: values.POTSTREAM_STREAM_ALARM_HOURS * hourMs,
  };
}

export function environmentOfStreams(settings: StreamSettings): Record<string, string> {
  return {
    POTSTREAM_STREAM_MAX_BYTES: String(settings.streamMaxBytes ?? ''),
    POTSTREAM_OUTCOME_STREAM_MAX_BYTES: String(settings.outcomeStreamMaxBytes ?? ''),
    POTSTREAM_STREAM_MAX_AGE_DAYS: daysOf(settings.streamMaxAgeMs),
    POTSTREAM_AUDIT_MAX_BYTES: String(settings.auditMaxBytes ?? ''),
    POTSTREAM_AUDIT_MAX_AGE_DAYS: daysOf(settings.auditMaxAgeMs),
    POTSTREAM_STREAM_RESERVE_PERCENT: String(Math.round(settings.streamReserveRatio * 100)),
    POTSTREAM_STREAM_ALARM_PERCENT: String(Math.round(settings.streamAlarmRatio * 100)),
    POTSTREAM_STREAM_ALARM_HOURS: String(settings.streamAlarmMs / hourMs),
  };
}

function daysInMs(days: number | null): number | null {
  return days === null ? null : days * dayMs;
}

function daysOf(ageMs: number | null): string {
  return ageMs === null ? '' : String(ageMs / dayMs);
}
