import { pause } from '../../lib/pauses.ts';
import { errorText } from '../../log/base/error-text.ts';
import { LogError } from '../../ports.ts';
import type { ActorPorts } from '../ports/actor-ports.ts';
import { nextQuarantine, Quarantines } from '../replica/quarantines.ts';

/** A lane that halted says so, and looks whether a quarantine brings it back, this often. */
const beatEveryMs = 1000;

interface HaltedLane {
  readonly lane: number;
  /** The last quarantine that this life has met; null: unknown. */
  readonly readTo: number | null;
  beat(): void;
  givenUp(): boolean;
}

/** True when a quarantine came that this life does not know, false when the host gave the lane up. */
export async function untilQuarantined(halted: HaltedLane, ports: ActorPorts): Promise<boolean> {
  const { clock, log } = ports;
  let { readTo } = halted;
  let isAnnounced = false;
  while (!halted.givenUp()) {
    try {
      halted.beat();
      if (readTo === null) readTo = (await Quarantines.read(log, halted.lane)).readTo;
      else if ((await nextQuarantine(log, halted.lane, readTo)) !== null) return true;
    } catch (error) {
      // Looks again at an outage or a stream that halted the lane, and at a bug, which is reported once.
      if (!(error instanceof LogError) && !isAnnounced) {
        ports.monitor.alarm(halted.lane, 'host_fault', errorText(error));
        isAnnounced = true;
      }
    }
    await pause(clock, beatEveryMs);
  }
  return false;
}
