import { hostname, userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { type QuarantineResult, writeQuarantine } from '../../actors/quarantine/quarantine-writer.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { inspectedText, inspectMessage } from './inspect.ts';
import { heartbeats, type LaneSystem } from './system.ts';

/** A lane with a long log replays for a while before it serves again. */
const waitForLaneMs = 60_000;

export interface QuarantineChoices {
  readonly lane: number;
  readonly sequence: number;
  readonly reason: string;
  /** Nobody is asked. */
  readonly yes: boolean;
}

const refusals: Readonly<Record<Exclude<QuarantineResult['kind'], 'written'>, string>> = {
  no_such_message: 'The lane has no such message.',
  already_emitted: 'Its outcome is stored: it happened, and cannot be refused any more.',
  already_quarantined: 'It is quarantined already.',
};

/** Gives the exit code: 0 where the lane serves again, 1 where it does not or nothing was written. */
export async function quarantine(
  system: LaneSystem,
  choices: QuarantineChoices,
  print: (line: string) => void,
): Promise<number> {
  const { lane, sequence, reason } = choices;
  const found = await inspectMessage(system, lane, sequence);
  if (found === null) {
    print(refusals.no_such_message);
    return 1;
  }
  print(inspectedText(found));
  if (found.halt === 'outcome_refused')
    print(
      'Callers may have been answered for this message and those behind it: their money is told differently afterwards.',
    );
  if (!choices.yes && !(await confirmed(lane, sequence))) {
    print('Nothing was written.');
    return 1;
  }
  const before = await hostOf(system, lane);
  const user = `${userInfo().username}@${hostname()}`;
  const result = await writeQuarantine(system.log, lane, sequence, { reason, user });
  if (result.kind !== 'written') {
    print(refusals[result.kind]);
    return 1;
  }
  print(
    `Message ${sequence} of lane ${lane} is quarantined by message ${result.sequence}. Waiting for the lane…`,
  );
  return reportOutcome(system, lane, before, print);
}

/** Another life of the lane says how it stands: the one that halted never goes on. */
async function reportOutcome(
  { bus }: LaneSystem,
  lane: number,
  before: string | null,
  print: (line: string) => void,
): Promise<number> {
  const isNext = (beat: Heartbeat | undefined): boolean => beat !== undefined && beat.host !== before;
  const beats = await heartbeats(bus, (known) => isNext(known.get(lane)), waitForLaneMs);
  const beat = beats.get(lane);
  if (beat === undefined || !isNext(beat)) {
    print(
      'No host has taken the lane up yet: start the actors, or restart them. The quarantine is kept in the log.',
    );
    return 1;
  }
  if (beat.condition !== 'stopped') {
    print(`Lane ${lane} serves again.`);
    return 0;
  }
  print(`Lane ${lane} has stopped again, at message ${beat.appliedSequence + 1} (${beat.code}).`);
  return 1;
}

async function hostOf({ bus }: LaneSystem, lane: number): Promise<string | null> {
  return (await heartbeats(bus, (known) => known.has(lane))).get(lane)?.host ?? null;
}

async function confirmed(lane: number, sequence: number): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      `Refuse message ${sequence} of lane ${lane} as a whole, for ever? Type "yes": `,
    );
    return answer.trim() === 'yes';
  } finally {
    terminal.close();
  }
}
