import type { LaneEngine, MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { MixedRun } from '../mixed/run.ts';

/** Commands of one history: a new one begins with other instances, and what is remembered stays small. */
const history = 5000;
/** Seeds between one check's histories and the next one's: each check sees a million commands of its own. */
const seeds = 1_000_000;

export interface Applied<View> {
  readonly run: MixedRun;
  readonly command: Command;
  readonly outcome: MessageOutcome;
  /** What the check looks at of each instance, as it was before and is after the command. */
  readonly before: ReadonlyMap<string, View>;
  readonly after: ReadonlyMap<string, View>;
  /** The groups of draw records that it made. */
  readonly groups: readonly DrawGroup[];
}

/** One of the checks that look at each command of random histories of every kind, one command a message. */
export interface EachCommand<View> {
  readonly check: number;
  readonly commands: number;
  /** What the check looks at of an instance; null where there is no such instance. */
  readonly view: (engine: LaneEngine, instance: string) => View | null;
  readonly look: (applied: Applied<View>) => void;
}

/** Gives the number of commands that were looked at. */
export function eachCommand<View>(given: EachCommand<View>): number {
  let done = 0;
  for (let seed = given.check * seeds + 1; done < given.commands; seed++) {
    done += play(given, seed, Math.min(history, given.commands - done));
  }
  return done;
}

function play<View>({ view, look }: EachCommand<View>, seed: number, commands: number): number {
  const run = new MixedRun(seed, { most: 1, settings: { epochSequences: 500 } });
  let groups: DrawGroup[] = [];
  run.lane.recorder = { group: (group) => groups.push(group) };
  let before = new Map<string, View>();
  const waiting: Command[] = [...run.begin()];
  while (run.commands < commands) {
    const command = waiting.shift();
    if (command === undefined) {
      waiting.push(...run.next());
      continue;
    }
    groups = [];
    const outcome = run.apply([command]);
    const after = new Map<string, View>();
    for (const id of run.watched) {
      const found = view(run.lane.engine, id);
      if (found !== null) after.set(id, found);
    }
    look({ run, command, outcome, before, after, groups });
    before = after;
  }
  return run.commands;
}
