import type { Settings } from '../../config/settings.ts';
import { byteText } from '../../lib/byte-text.ts';
import { trimmedBelow } from '../../log/archive/limits.ts';
import { connectLog } from '../../log/jetstream/connect.ts';
import { LogError, type StreamFill } from '../../ports.ts';
import { logSettings, systemClock } from '../../wiring.ts';
import type { Reach } from './reach.ts';

const hourMs = 3_600_000;
/** Growth over a shorter time does not predict the next hours. */
const minMs = 60_000;

type Limits = Pick<Settings, 'streamReserveRatio' | 'streamAlarmRatio' | 'streamAlarmMs'> &
  Partial<Pick<Settings, 'archive'>>;

/** Checks how full the streams of all lanes are. */
export async function examineSpace(settings: Settings, reach: Reach | null): Promise<string> {
  if (reach === null) return 'not checked: nats-server is not running';
  const log = await connectLog(logSettings(reach.settings, 'doctor'));
  try {
    const fills: StreamFill[] = [];
    for (let lane = 0; lane < settings.lanes; lane += 1) fills.push(...(await log.fill(lane)));
    return judgeSpace(fills, settings, systemClock.nowMs());
  } catch (error) {
    if (error instanceof LogError && error.code === 'misconfigured') return 'there are no streams yet';
    throw error;
  } finally {
    await log.close();
  }
}

/** @throws Error naming the streams that have no room, or will soon have none. */
export function judgeSpace(fills: readonly StreamFill[], limits: Limits, nowMs: number): string {
  const limited = fills.filter(({ maxBytes }) => maxBytes > 0);
  const faults = limited.flatMap((fill) => faultOf(fill, limits, nowMs) ?? []);
  if (faults.length > 0)
    throw new Error(`${faults.join('; ')}. Raise max_bytes (POTSTREAM_STREAM_MAX_BYTES).`);
  const usedBytes = fills.reduce((sum, { bytes }) => sum + bytes, 0);
  const [fullest] = limited.toSorted((a, b) => b.bytes / b.maxBytes - a.bytes / a.maxBytes);
  const fullestText =
    fullest === undefined ? '' : `; the fullest is ${fullest.stream} with ${percentOf(fullest)}`;
  return `${fills.length} streams of lanes hold ${byteText(usedBytes)}${fullestText}`;
}

function faultOf(fill: StreamFill, limits: Limits, nowMs: number): string | null {
  const { stream, bytes, maxBytes } = fill;
  const freeBytes = maxBytes * (1 - limits.streamReserveRatio) - bytes;
  if (freeBytes <= 0) return `${stream} is ${percentOf(fill)} full: contributions of its lane are refused`;
  const fullInMs = freeBytes / growthPerMs(fill, nowMs);
  const isTrimmed = (limits.archive ?? 'off') !== 'off' && bytes < maxBytes * trimmedBelow;
  if (!isTrimmed && fullInMs < limits.streamAlarmMs) {
    return `${stream} will have no room for contributions in ${(fullInMs / hourMs).toFixed(1)} hours at its current rate`;
  }
  return bytes / maxBytes >= limits.streamAlarmRatio ? `${stream} is ${percentOf(fill)} full` : null;
}

/** On average since its oldest message. */
function growthPerMs({ bytes, oldestMs }: StreamFill, nowMs: number): number {
  return oldestMs === null || nowMs - oldestMs < minMs ? 0 : bytes / (nowMs - oldestMs);
}

function percentOf({ bytes, maxBytes }: StreamFill): string {
  return `${Math.floor((100 * bytes) / maxBytes)} %`;
}
