import { haltText, isAboutMessage, runbookOf } from '../../contracts/lanes/halts.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { heartbeats, type LaneSystem } from '../system/lane-system.ts';

/** The condition of a lane, from its heartbeat and its streams. */
interface ListedLane {
  readonly lane: number;
  /** `silent`: no host sends heartbeats. */
  readonly condition: Heartbeat['condition'] | 'silent';
  readonly code: string;
  readonly host: string | null;
  readonly last_command: number;
  readonly last_outcome: number;
  /** The message because of which the lane halted; null: it did not, or not because of a message. */
  readonly stopped_at: number | null;
  readonly means: string | null;
  readonly to_do: string | null;
  /** The chapter about it. */
  readonly runbook: string | null;
}

export async function listLanes({ log, bus, lanes }: LaneSystem): Promise<ListedLane[]> {
  const beats = await heartbeats(bus, (known) => known.size === lanes);
  const listed: ListedLane[] = [];
  for (let lane = 0; lane < lanes; lane += 1) {
    const beat = beats.get(lane);
    const text = beat === undefined ? null : haltText(beat.code);
    listed.push({
      lane,
      condition: beat?.condition ?? 'silent',
      code: beat?.code ?? '',
      host: beat?.host ?? null,
      last_command: await log.lastCommand(lane),
      last_outcome: await log.lastOutcome(lane),
      stopped_at:
        beat?.condition === 'stopped' && isAboutMessage(beat.code) ? beat.appliedSequence + 1 : null,
      means: text?.means ?? null,
      to_do: text?.toDo ?? null,
      runbook: text === null ? null : runbookOf(beat?.code ?? ''),
    });
  }
  return listed;
}

export function laneLines(lanes: readonly ListedLane[]): string[] {
  return lanes.flatMap((each) => {
    const { lane, condition, code, last_command, last_outcome, stopped_at } = each;
    const explained = [each.means, each.to_do, each.runbook === null ? null : `Runbook: ${each.runbook}`];
    const place = stopped_at === null ? '' : ` at message ${stopped_at}`;
    const head = `lane ${lane}: ${condition}${code === '' ? '' : ` (${code})`}${place}, CMD ${last_command}, OUT ${last_outcome}`;
    return [head, ...explained.flatMap((line) => (line === null ? [] : [`    ${line}`]))];
  });
}
