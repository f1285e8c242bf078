import type { Command } from '../../../src/jackpot/commands.ts';
import type { DrawGroup } from '../../../src/jackpot/draw/recorder.ts';
import type { MessageOutcome } from '../../../src/jackpot/engine.ts';
import type { InstanceDescription } from '../../../src/jackpot/outcomes.ts';
import { MixedRun } from '../mixed/run.ts';

/** Commands of one history: a new one begins with other instances, and what is remembered stays small. */
const HISTORY = 5000;

export interface Applied {
  readonly run: MixedRun;
  readonly command: Command;
  readonly outcome: MessageOutcome;
  /** The instances as they were before and are after the command. */
  readonly before: ReadonlyMap<string, InstanceDescription>;
  readonly after: ReadonlyMap<string, InstanceDescription>;
  /** The groups of draw records that it made. */
  readonly groups: readonly DrawGroup[];
}

/** Plays random histories of every kind of command, one command a message, and shows each of them. */
export function eachCommand(commands: number, look: (applied: Applied) => void): number {
  let done = 0;
  for (let seed = 1; done < commands; seed++) done += play(seed, Math.min(HISTORY, commands - done), look);
  return done;
}

function play(seed: number, commands: number, look: (applied: Applied) => void): number {
  const run = new MixedRun(seed, { most: 1, settings: { epochSequences: 500 } });
  let groups: DrawGroup[] = [];
  run.lane.recorder = { group: (group) => groups.push(group) };
  let before = new Map<string, InstanceDescription>();
  const waiting: Command[] = [...run.begin()];
  while (run.commands < commands) {
    const command = waiting.shift();
    if (command === undefined) {
      waiting.push(...run.next());
      continue;
    }
    groups = [];
    const outcome = run.apply([command]);
    const after = new Map<string, InstanceDescription>();
    for (const id of run.watched) {
      const found = run.lane.engine.describe(id);
      if (found !== null) after.set(id, found);
    }
    look({ run, command, outcome, before, after, groups });
    before = after;
  }
  return run.commands;
}
