import { z } from 'zod';

/** The part of `config.ts` that sizes streams (docs/decisions/0058). */

const mebibyte = 1024 * 1024;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Empty: a stream keeps its limit. */
const streamBytes = z
  .union([z.literal('').transform(() => null), z.coerce.number().int().min(mebibyte)])
  .default(null);
const streamDays = z
  .union([z.literal('').transform(() => null), z.coerce.number().int().min(1).max(36_500)])
  .default(null);

export const streamEnvironment = {
  POTSTREAM_STREAM_MAX_BYTES: streamBytes.describe(
    'max_bytes of each stream of a lane; applies at the next start of storage; empty: unchanged, 4 GiB for a new stream',
  ),
  POTSTREAM_OUTCOME_STREAM_MAX_BYTES: streamBytes.describe(
    'max_bytes of the streams of outcome records; empty: as POTSTREAM_STREAM_MAX_BYTES',
  ),
  POTSTREAM_STREAM_MAX_AGE_DAYS: streamDays.describe(
    'retention of the streams of lanes; applies at the next start of storage; empty: unchanged, 35 for a new stream',
  ),
  POTSTREAM_AUDIT_MAX_BYTES: streamBytes.describe(
    'max_bytes of the stream AUDIT; applies at the next start of storage; empty: unchanged, no limit for a new stream',
  ),
  POTSTREAM_AUDIT_MAX_AGE_DAYS: streamDays.describe(
    'retention of the stream AUDIT, also for whoever verifies it; applies at the next start of storage; empty: unchanged, no limit for a new stream, and nothing may be missing',
  ),
  POTSTREAM_STREAM_RESERVE_PERCENT: z.coerce
    .number()
    .int()
    .min(1)
    .max(90)
    .default(12)
    .describe(
      "reserve of a lane's streams for ownership, timers, reveals and settlements; contributions are refused within it",
    ),
  POTSTREAM_STREAM_ALARM_PERCENT: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(70)
    .describe("fill level of a lane's stream that raises an alarm"),
  POTSTREAM_STREAM_ALARM_HOURS: z.coerce
    .number()
    .min(0)
    .max(8_760)
    .default(24)
    .describe("raise an alarm when a lane's stream would be full within this time; 0: never"),
};

type StreamValues = z.output<z.ZodObject<typeof streamEnvironment>>;

/** The parsed variables of `streamEnvironment`, where each is described. */
export type StreamSettings = {
  /** null, here and below: a stream keeps its limit. */
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
