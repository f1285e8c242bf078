import { hasLane } from '../../src/cli/system/log-reader.ts';
import { type ReplaySystem, withReplaySystem } from '../../src/cli/system/replay-system.ts';
import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { findLane } from './find-lane.ts';
import { laneAt, NotReached, ReplayDiffers } from './lane-at.ts';
import type { Moment } from './moment.ts';
import { changesBetween, type InstanceState, shownFields, stateOf } from './state.ts';
import { replayLines } from './text.ts';

export interface ReplayChoices {
  readonly instance: string;
  readonly moment: Moment;
  /** null: the command looks for it. */
  readonly lane: number | null;
  readonly json: boolean;
}

const codes = { done: 0, failed: 1, notThen: 3 } as const;

/**
 * `potstream replay`: 0 shown, 1 not readable or the replay differs from OUT, 3 the instance has no such
 * moment.
 */
export async function replayCommand(
  settings: Settings,
  choices: ReplayChoices,
  output: CommandOutput,
): Promise<number> {
  try {
    const code = await withReplaySystem(settings, 'replay', output.print, (system) =>
      replayInstance(system, choices, output),
    );
    return code ?? codes.failed;
  } catch (error) {
    if (error instanceof NotReached) {
      output.print(error.message);
      return codes.notThen;
    }
    if (!(error instanceof ReplayDiffers)) throw error;
    output.print(error.message);
    return codes.failed;
  }
}

/** The same on a system that is open. @throws NotReached, ReplayDiffers, LogError */
export async function replayInstance(
  system: ReplaySystem,
  { instance, moment, lane: named, json }: ReplayChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  if (named !== null && !hasLane(named, system.lanes, print)) return codes.failed;
  const lane = named ?? (await findLane(instance, system));
  if (lane === null) {
    print(`No lane has an instance ${instance}.`);
    return codes.notThen;
  }
  // One after the other: only one state of the lane is in memory.
  const at = await stateAt(lane, instance, moment, system);
  const end: Moment = { kind: 'message', sequence: await system.log.lastOutcome(lane) };
  const now = await stateAt(lane, instance, end, system);
  if (at === null || now === null) {
    print(`Lane ${lane} has no instance ${instance} ${now === null ? 'now' : 'then'}.`);
    return codes.notThen;
  }
  if (moment.kind === 'sequence') sayIfBeyond(at, moment, print);
  const changes = changesBetween(at, now);
  const document = { instance, lane, at: documentOf(at), now: documentOf(now), differences: changes };
  write(json ? `${JSON.stringify(document, null, 2)}\n` : `${replayLines(document).join('\n')}\n`);
  return codes.done;
}

async function stateAt(
  lane: number,
  instance: string,
  moment: Moment,
  system: ReplaySystem,
): Promise<InstanceState | null> {
  return stateOf(await laneAt(lane, instance, moment, system), instance);
}

/** The lane never showed what was between two commands of one message. */
function sayIfBeyond(
  { message, fields }: InstanceState,
  { sequence }: { readonly sequence: number },
  print: (line: string) => void,
): void {
  const shown = fields.sequence;
  if (shown === undefined || !('count' in shown) || shown.count === sequence) return;
  print(
    `Sequence ${sequence} is within message ${message}, which ends at sequence ${shown.count}: shown is its end.`,
  );
}

function documentOf(state: InstanceState) {
  return { message: state.message, timestamp: state.timestamp, ...shownFields(state) };
}

/** What `potstream replay --json` prints. */
export interface ReplayDocument {
  readonly instance: string;
  readonly lane: number;
  readonly at: ReturnType<typeof documentOf>;
  readonly now: ReturnType<typeof documentOf>;
  readonly differences: ReturnType<typeof changesBetween>;
}
