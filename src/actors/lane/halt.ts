import { type HaltCode, runbookOf } from '../../contracts/lanes/halts.ts';
import { UnsupportedEngineVersion } from '../../jackpot/lane/versions/versions.ts';
import { errorText } from '../../log/base/error-text.ts';
import { isUnreadable, LogError } from '../../ports.ts';
import { HeadMismatch } from '../recovery/recover-lane.ts';
import { StandbyDiverged } from '../witness/owner-heads.ts';
import { WitnessMismatch } from '../witness/witness-check.ts';
import { LogTimeAhead } from './time-guard.ts';

/** Why a lane goes no further, by a code of the closed list. */
export interface Halt {
  readonly code: HaltCode;
  readonly message: string;
  /** The command message that it was at; null where no message is to blame. */
  readonly sequence: number | null;
}

const codeOfLogError: Readonly<Record<LogError['code'], HaltCode>> = {
  hole: 'hole',
  corrupt: 'corrupt',
  unsupported: 'engine_version_unsupported',
  full: 'full',
  misconfigured: 'misconfigured',
  stopped: 'log_closed',
  unavailable: 'misconfigured',
  unknown: 'misconfigured',
};

/** The text of the alarm: it names the chapter of the runbook. */
export function alarmOf({ code, message }: Halt): string {
  return `${message} Runbook: ${runbookOf(code)}`;
}

/** For errors outside of messages: recovery, following, timers, queries. */
export function haltOf(error: unknown): Halt {
  const isNamed =
    error instanceof HeadMismatch ||
    error instanceof WitnessMismatch ||
    error instanceof StandbyDiverged ||
    error instanceof UnsupportedEngineVersion;
  if (isNamed) return { code: error.code, message: error.message, sequence: null };
  if (error instanceof LogError)
    return { code: codeOfLogError[error.code], message: error.message, sequence: null };
  return { code: 'host_fault', message: errorText(error), sequence: null };
}

/** For errors that a message caused in its codec, the engine or the emitter. */
export function haltAt(sequence: number, error: unknown): Halt {
  if (error instanceof LogTimeAhead || error instanceof UnsupportedEngineVersion)
    return { code: error.code, message: error.message, sequence };
  if (error instanceof HeadMismatch || error instanceof StandbyDiverged) return haltOf(error);
  if (error instanceof LogError && !isUnreadable(error)) return haltOf(error);
  const code = error instanceof LogError ? 'unreadable_message' : 'engine_fault';
  return { code, message: `Message ${sequence}: ${errorText(error)}`, sequence };
}

/** For errors of the writer of OUT records, which had stored everything up to `storedSequence`. */
export function haltOfJournal(storedSequence: number, error: unknown): Halt {
  const sequence = storedSequence + 1;
  if (!(error instanceof LogError)) return haltOf(error);
  if (error.code === 'corrupt') return { code: 'outcome_conflict', message: error.message, sequence };
  if (error.code === 'misconfigured') return { code: 'outcome_refused', message: error.message, sequence };
  // Records that are gone are no fault of the next message.
  return error.code === 'hole' ? haltOf(error) : { ...haltOf(error), sequence };
}
