import { join } from 'node:path';
import { openSnapshotFiles } from '../../actors/recovery/snapshots/files.ts';
import type { Settings } from '../../config/settings.ts';
import { readServer } from '../../supervisor/nats-server/monitor.ts';
import { systemClock } from '../../wiring.ts';
import type { Reach } from './reach.ts';

const maxDifferenceMs = 1000;

type ClockReadings = {
  /** This machine's clock. */
  readonly nowMs: number;
  /** nats-server's clock at the same moment; null: no server answers. */
  readonly serverMs: number | null;
  /** The newest time of any lane; null: unknown. */
  readonly laneMs: number | null;
};

/** Compares this machine's clock with the server's and with the last time of each lane. */
export async function examineClock(settings: Settings, reach: Reach | null): Promise<string> {
  const laneMs = await newestLaneTime(settings);
  const askedMs = systemClock.nowMs();
  const serverMs = reach === null ? null : (await readServer(reach.monitorUrl)).nowMs;
  return judgeClock({ nowMs: momentOf(serverMs, askedMs, systemClock.nowMs()), serverMs, laneMs });
}

/** The server read its clock between question and answer: the moment that fits its time best. */
export function momentOf(serverMs: number | null, askedMs: number, answeredMs: number): number {
  return serverMs === null ? answeredMs : Math.min(answeredMs, Math.max(askedMs, serverMs));
}

/** @throws Error naming the wrong clock and the consequence */
export function judgeClock({ nowMs, serverMs, laneMs }: ClockReadings): string {
  const remedy = 'Set the clock and keep it synchronised (NTP).';
  if (serverMs !== null && Math.abs(nowMs - serverMs) > maxDifferenceMs) {
    throw new Error(
      `This machine's clock is ${seconds(nowMs - serverMs)} nats-server's, so good tokens and signatures may be refused. ${remedy}`,
    );
  }
  if (laneMs !== null && nowMs < laneMs - maxDifferenceMs) {
    throw new Error(
      `This machine's clock is ${seconds(nowMs - laneMs)} the time that the jackpots have reached; ` +
        `their time does not move until then. ${remedy}`,
    );
  }
  const now = new Date(nowMs).toISOString();
  return serverMs === null ? now : `${now}, and nats-server's agrees`;
}

/** The newest time in the snapshots of this machine. */
async function newestLaneTime(settings: Settings): Promise<number | null> {
  const files = openSnapshotFiles(join(settings.dataDirectory, 'snapshots'));
  const lanes = Array.from({ length: settings.lanes }, (_, lane) => files.list(lane));
  const times = (await Promise.all(lanes)).flatMap(([newest]) => newest?.timestampMs ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

function seconds(differenceMs: number): string {
  const text = `${(Math.abs(differenceMs) / 1000).toFixed(1)} s`;
  return differenceMs < 0 ? `${text} behind` : `${text} ahead of`;
}
