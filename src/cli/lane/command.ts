import type { Settings } from '../../config/settings.ts';
import { type LaneSystem, withLaneSystem } from '../system/lane-system.ts';
import { hasLane } from '../system/log-reader.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { inspectedText, inspectMessage } from './inspect.ts';
import { laneLines, listLanes } from './list.ts';
import { type QuarantineChoices, quarantineMessage } from './quarantine.ts';

/** `potstream lane list`: 0 if every lane serves, otherwise 1. */
export function laneListCommand(
  settings: Settings,
  json: boolean,
  { write }: CommandOutput,
): Promise<number> {
  return withLaneSystem(settings, async (system) => {
    const lanes = await listLanes(system);
    write(json ? `${JSON.stringify(lanes, null, 2)}\n` : `${laneLines(lanes).join('\n')}\n`);
    return lanes.every(({ condition }) => condition === 'serving') ? 0 : 1;
  });
}

/** `potstream lane inspect`: 0 if the message exists, otherwise 1. */
export function inspectCommand(
  settings: Settings,
  choices: { readonly lane: number; readonly sequence: number | null },
  output: CommandOutput,
): Promise<number> {
  return withLane(settings, choices.lane, output, async (system) => {
    const found = await inspectMessage(system, choices.lane, choices.sequence);
    if (found === null) output.print('The lane has no such message.');
    else output.write(`${inspectedText(found)}\n`);
    return found === null ? 1 : 0;
  });
}

/** `potstream lane quarantine`. */
export function quarantineCommand(
  settings: Settings,
  choices: QuarantineChoices,
  output: CommandOutput,
): Promise<number> {
  return withLane(settings, choices.lane, output, (system) =>
    quarantineMessage(system, choices, output.print),
  );
}

function withLane(
  settings: Settings,
  lane: number,
  { print }: CommandOutput,
  work: (system: LaneSystem) => Promise<number>,
): Promise<number> {
  return withLaneSystem(settings, (system) => {
    return hasLane(lane, system.lanes, print) ? work(system) : Promise.resolve(1);
  });
}
