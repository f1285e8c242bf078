import { AuditTrail } from '../../audit/trail.ts';
import type { Settings } from '../../config/settings.ts';
import { allHeartbeatsSubject } from '../../log/base/names.ts';
import { connectAudit, connectBus, connectLog } from '../../log/jetstream/connect.ts';
import { readSystemLanes } from '../../log/system/system-lanes.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { decodeHeartbeat } from '../../messages/codec/codec.ts';
import type { Bus, Log } from '../../ports.ts';
import { logSettings, systemClock, systemRandom } from '../../wiring.ts';
import { ofRunningSystem } from './nats-access.ts';

/** A halted lane sends a heartbeat each second, a serving one five. */
const listenMs = 2_500;

/** The log of the running system, for commands about its lanes. */
export interface LaneSystem {
  readonly log: Log;
  readonly bus: Bus;
  readonly lanes: number;
  /** Opened when a command changes something. */
  audit(): Promise<AuditTrail>;
}

/** The system of the settings, else the one that `up` runs on their data. */
export async function withLaneSystem<T>(
  settings: Settings,
  work: (system: LaneSystem) => Promise<T>,
): Promise<T> {
  const reach = logSettings(ofRunningSystem(settings, 'lane'), 'lane');
  const log = await connectLog(reach);
  try {
    const bus = await connectBus(reach);
    try {
      const lanes = (await readSystemLanes(await log.table('PLACEMENT'))) ?? settings.lanes;
      const audit = async (): Promise<AuditTrail> =>
        new AuditTrail(await connectAudit(reach), { clock: systemClock, random: systemRandom });
      return await work({ log, bus, lanes, audit });
    } finally {
      await bus.close();
    }
  } finally {
    await log.close();
  }
}

/** The newest heartbeat of each lane, until time is up or `enough`. `observe` gets every one. */
export function heartbeats(
  bus: Bus,
  enough: (beats: ReadonlyMap<number, Heartbeat>) => boolean = () => false,
  withinMs = listenMs,
  observe: (beat: Heartbeat) => void = () => {},
): Promise<ReadonlyMap<number, Heartbeat>> {
  const beats = new Map<number, Heartbeat>();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      subscription.stop();
      resolve(beats);
    };
    const timer = setTimeout(done, withinMs);
    const subscription = bus.subscribe(allHeartbeatsSubject, ({ bytes }) => {
      const beat = readHeartbeat(bytes);
      if (beat === null) return;
      beats.set(beat.lane, beat);
      observe(beat);
      if (enough(beats)) done();
    });
  });
}

function readHeartbeat(bytes: Uint8Array): Heartbeat | null {
  try {
    return decodeHeartbeat(bytes);
  } catch {
    // A heartbeat of another version is not readable here.
    return null;
  }
}
