import { equalBytes } from '../../lib/bytes.ts';
import { sha256 } from '../../lib/hashes.ts';
import { decodeCommandBatch, decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LoggedBatch } from '../../messages/commands.ts';
import type { Quarantine } from '../../messages/lane-commands.ts';
import type { CommandOutcome, OutcomeRecord } from '../../messages/outcomes.ts';
import { type Log, LogError, type StoredCommand } from '../../ports.ts';

/** Quarantines that a lane may have; more are written by a misused process. */
const maxQuarantines = 10_000;

/** Outcomes of a quarantined message, whose record must fit OUT. With more commands it has none. */
export const maxQuarantinedCommands = 4096;

/** The outcome of each command of a quarantined message. */
export const quarantinedRefusal = {
  kind: 'Refused',
  code: 'internal_error',
  message: 'quarantined',
} as const satisfies CommandOutcome;

type Reading = Pick<Log, 'nextCommand' | 'lastOutcome' | 'readOutcome'>;

/**
 * The messages of a lane that are refused as a whole. Read before a replay, because a quarantine comes later
 * in the log than its message; if the outcome was emitted before the quarantine, OUT decides
 * (docs/decisions/0067).
 */
export class Quarantines {
  readonly #bySequence: ReadonlyMap<number, readonly Quarantine[]>;
  /** The last message of the quarantine subject that was looked at. */
  readonly readTo: number;

  private constructor(bySequence: ReadonlyMap<number, readonly Quarantine[]>, readTo: number) {
    this.#bySequence = bySequence;
    this.readTo = readTo;
  }

  static readonly none = new Quarantines(new Map(), 0);

  /** @throws LogError outages; `corrupt` where there are more than a lane may have */
  static async read(log: Reading, lane: number): Promise<Quarantines> {
    const found = new Map<number, Quarantine[]>();
    let readTo = 0;
    for (let count = 0; ; count += 1) {
      const stored = await log.nextCommand(lane, 'quarantine', readTo + 1);
      if (stored === null) break;
      if (count === maxQuarantines) throw new LogError('corrupt', `Lane ${lane} has too many quarantines.`);
      readTo = stored.sequence;
      const quarantine = quarantineOf(stored);
      if (quarantine === null || (await wasEmitted(log, lane, quarantine))) continue;
      found.set(quarantine.sequence, [...(found.get(quarantine.sequence) ?? []), quarantine]);
    }
    return new Quarantines(found, readTo);
  }

  /** Those that name messages after a sequence. */
  behind(sequence: number): readonly Quarantine[] {
    return [...this.#bySequence.values()].flat().filter((quarantine) => quarantine.sequence > sequence);
  }

  /** The quarantine that names this place and these bytes; null: the message is applied. */
  of(stored: StoredCommand): Quarantine | null {
    if (this.#bySequence.size === 0) return null;
    const named = this.#bySequence.get(stored.sequence);
    if (named === undefined) return null;
    const digest = sha256(stored.bytes);
    return named.find((quarantine) => equalBytes(quarantine.sha256, digest)) ?? null;
  }
}

/** The next quarantine after a message, whatever it names. */
export async function nextQuarantine(
  log: Pick<Log, 'nextCommand'>,
  lane: number,
  behind: number,
): Promise<StoredCommand | null> {
  for (let from = behind + 1; ; ) {
    const stored = await log.nextCommand(lane, 'quarantine', from);
    if (stored === null || quarantineOf(stored) !== null) return stored;
    from = stored.sequence + 1;
  }
}

/** The quarantine in a message; null if unreadable, or if it names no earlier message. */
export function quarantineOf(stored: StoredCommand): Quarantine | null {
  // What nats-server wrote there for who may not counts as a batch.
  if (stored.channel !== 'quarantine') return null;
  const [command, ...others] = readableBatch(stored.bytes)?.commands ?? [];
  if (command?.kind !== 'Quarantine' || others.length > 0) return null;
  const { sequence, commands } = command;
  const names = Number.isSafeInteger(sequence) && sequence >= 1 && sequence < stored.sequence;
  return names && Number.isSafeInteger(commands) && commands >= 0 && commands <= maxQuarantinedCommands
    ? command
    : null;
}

/**
 * The commands of a quarantined message for inspection, as many as its record has outcomes; empty if it is
 * unreadable. No gateway waits for their replies.
 */
export function quarantinedBatch(stored: StoredCommand, quarantine: Quarantine): LoggedBatch {
  const batch = readableBatch(stored.bytes);
  const commands = batch?.commands.length === quarantine.commands ? batch.commands : [];
  return { batchId: new Uint8Array(0), gateway: '', commands };
}

/** Null where the bytes do not read. */
export function readableBatch(bytes: Uint8Array): LoggedBatch | null {
  try {
    return decodeCommandBatch(bytes);
  } catch {
    return null;
  }
}

async function wasEmitted(log: Reading, lane: number, quarantine: Quarantine): Promise<boolean> {
  if ((await log.lastOutcome(lane)) < quarantine.sequence) return false;
  const stored = await log.readOutcome(lane, quarantine.sequence);
  return stored !== null && !isRefusedAsAWhole(decodeOutcomeRecord(stored.bytes), quarantine.commands);
}

/** Whether a record is that of a quarantined message of `commands` commands. */
export function isRefusedAsAWhole(record: OutcomeRecord, commands: number): boolean {
  const { outcomes, events, work, instances } = record;
  return (
    outcomes.length === commands &&
    events.length + work.length + instances.length === 0 &&
    outcomes.every(
      (outcome) =>
        outcome.kind === 'Refused' &&
        outcome.code === quarantinedRefusal.code &&
        outcome.message === quarantinedRefusal.message,
    )
  );
}
