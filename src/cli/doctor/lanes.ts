import { ConfigurationError } from '../../config/composed.ts';
import type { Settings } from '../../config/settings.ts';
import { connectBus, connectLog } from '../../log/jetstream/connect.ts';
import { readSystemLanes } from '../../log/system/system-lanes.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { type Log, LogError, type StreamFill } from '../../ports.ts';
import { healthFault } from '../../supervisor/nats-server/monitor.ts';
import { logSettings } from '../../wiring.ts';
import { heartbeats } from '../system/lane-system.ts';
import { askReadiness } from '../system/readiness.ts';
import { upRuns } from '../system/settings.ts';
import type { Reach } from './reach.ts';

/** An owner beats five times a second, and what is stored has its outcome in far less. */
const listenMs = 3000;
/** `up` asks its processes before it answers. */
const answerWithinMs = 5_000;
/** Fill level that is a problem (src/actors/watches/streams/stream-watch.ts). */
const fullRatio = 0.7;

export type LaneReadings = {
  readonly lane: number;
  /** The newest heartbeat; null: there was none in time. */
  readonly heartbeat: Heartbeat | null;
  /** The last stored command before listening began. */
  readonly lastCommand: number;
  readonly fills: readonly StreamFill[];
};

/**
 * Asks the processes of `up` and listens to the owners of all lanes.
 * @throws Error naming each process and lane with a problem
 */
export async function examineLanes(settings: Settings, reach: Reach | null): Promise<string> {
  if (reach === null) return 'not checked: the system is not running';
  const faults = upRuns(settings) ? await processFaults(settings) : [];
  const store = await healthFault(reach.monitorUrl);
  if (store !== null) faults.push(`nats-server: ${store}`);
  // A hung server accepts connections but delivers nothing, so there would be no heartbeats.
  const readings = store === 'does not answer' ? [] : await readLanes(reach.settings);
  faults.push(...readings.flatMap(laneFaults));
  if (faults.length > 0) throw new Error(faults.join('; '));
  return `all ${readings.length} lanes are owned and up to date`;
}

/** The problems of a lane, as text. */
export function laneFaults({ lane, heartbeat, lastCommand, fills }: LaneReadings): string[] {
  const full = fills
    .filter(({ bytes, maxBytes }) => maxBytes > 0 && bytes / maxBytes >= fullRatio)
    .map(({ stream, bytes, maxBytes }) => `${stream} is ${Math.floor((bytes / maxBytes) * 100)} % full`);
  return [...ownerFaults(lane, heartbeat, lastCommand), ...full];
}

function ownerFaults(lane: number, heartbeat: Heartbeat | null, lastCommand: number): string[] {
  if (heartbeat === null)
    return [`lane ${lane}: no heartbeat of an owner; its host is hung, stopped or down`];
  const { condition, code, storedOutcome } = heartbeat;
  if (condition === 'stopped') return [`lane ${lane} stopped: ${code}`];
  if (condition === 'full') return [`lane ${lane} refuses new contributions: ${code} is full`];
  const open = lastCommand - storedOutcome;
  return open > 0 ? [`lane ${lane} is lagging: ${open} stored messages have no outcome`] : [];
}

async function processFaults(settings: Settings): Promise<string[]> {
  const { reason, details } = await askReadiness(
    settings.operationsPort,
    settings.operationsHost,
    answerWithinMs,
  );
  return [...(reason === null ? [] : [`up: ${reason}`]), ...details];
}

async function readLanes(settings: Settings): Promise<LaneReadings[]> {
  const reach = logSettings(settings, 'doctor');
  const [log, bus] = await Promise.all([connectLog(reach), connectBus(reach)]);
  try {
    const count = (await readSystemLanes(await log.table('PLACEMENT'))) ?? settings.lanes;
    if (count !== settings.lanes)
      throw new ConfigurationError(
        `this system has ${count} lanes, but POTSTREAM_LANES is ${settings.lanes} here: set it to ${count} and ask again`,
      );
    const lanes = Array.from({ length: settings.lanes }, (_, lane) => lane);
    const asked = await Promise.all(lanes.map((lane) => ask(log, lane)));
    const isUpToDate = (beats: ReadonlyMap<number, Heartbeat>): boolean =>
      asked.every(({ lastCommand }, lane) => (beats.get(lane)?.storedOutcome ?? -1) >= lastCommand);
    const beats = await heartbeats(bus, isUpToDate, listenMs);
    return asked.map((answer, lane) => ({ lane, heartbeat: beats.get(lane) ?? null, ...answer }));
  } finally {
    await Promise.all([log.close(), bus.close()]);
  }
}

/** Empty without streams: the system has never been started. */
async function ask(log: Log, lane: number): Promise<Pick<LaneReadings, 'lastCommand' | 'fills'>> {
  try {
    const [lastCommand, fills] = await Promise.all([log.lastCommand(lane), log.fill(lane)]);
    return { lastCommand, fills };
  } catch (error) {
    if (error instanceof LogError && error.code === 'misconfigured') return { lastCommand: 0, fills: [] };
    throw error;
  }
}
