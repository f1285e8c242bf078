import { type QuarantineResult, writeQuarantine } from '../../actors/replica/quarantine-writer.ts';
import type { Heartbeat } from '../../messages/bus-messages.ts';
import { auditedSystemChange, userOfMachine } from '../system/audited.ts';
import { heartbeats, type LaneSystem } from '../system/lane-system.ts';
import { confirmed } from '../terminal/confirm.ts';
import { inspectedText, inspectMessage } from './inspect.ts';

/** A lane with a long log replays for a while before it serves again. */
const waitForLaneMs = 60_000;

export interface QuarantineChoices {
  readonly lane: number;
  readonly sequence: number;
  readonly reason: string;
  /** Skips the question. */
  readonly yes: boolean;
}

const refusals: Readonly<Record<Exclude<QuarantineResult['kind'], 'written'>, string>> = {
  no_such_message: 'The lane has no such message.',
  already_emitted: 'Its outcome is stored already, so it cannot be refused any more.',
  already_quarantined: 'It is quarantined already.',
};

/** Returns the exit code: 0 if the lane serves again, 1 if it does not or nothing was written. */
export async function quarantineMessage(
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
      'Callers may have received answers for this message and later ones. A quarantine changes those outcomes.',
    );
  if (!choices.yes && !(await confirmed(`Refuse message ${sequence} of lane ${lane} for good?`))) {
    print('Nothing was written.');
    return 1;
  }
  const before = await hostOf(system, lane);
  const change = {
    operation: 'lane.quarantine',
    object: `lane ${lane} message ${sequence}`,
    reason,
    input: { lane, sequence },
  };
  const result = await auditedSystemChange(
    system,
    change,
    () => writeQuarantine(system.log, lane, sequence, { reason, user: userOfMachine() }),
    (written) => ({ applied: written.kind === 'written', before: null, after: written }),
  );
  if (result === 'audit_unavailable') {
    print('Nothing was written: the audit trail cannot be written.');
    return 1;
  }
  if (result.kind !== 'written') {
    print(refusals[result.kind]);
    return 1;
  }
  print(
    `Message ${sequence} of lane ${lane} is quarantined by message ${result.sequence}. Waiting for the lane…`,
  );
  return reportOutcome(system, lane, before, print);
}

/** Waits for the next run of the lane: a halted one never resumes. */
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
    print('No host runs the lane yet: start or restart the actors. The quarantine is in the log.');
    return 1;
  }
  if (beat.condition !== 'stopped') {
    print(`Lane ${lane} serves again.`);
    return 0;
  }
  print(`Lane ${lane} has halted again, at message ${beat.appliedSequence + 1} (${beat.code}).`);
  return 1;
}

async function hostOf({ bus }: LaneSystem, lane: number): Promise<string | null> {
  return (await heartbeats(bus, (known) => known.has(lane))).get(lane)?.host ?? null;
}
