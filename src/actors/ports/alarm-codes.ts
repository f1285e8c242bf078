import type { HaltCode } from '../../contracts/lanes/halts.ts';
import type { LogError } from '../../ports.ts';

/** Conditions that a person must look at: the closed list of codes in `potstream_actors_alarms_total`. */
export const alarmCodes = [
  /** Another host owns the lane now, though no move was due. */
  'fenced',
  /** The owner of a lane failed, and this host takes over. */
  'owner_failed',
  /** Another process announces itself under this host's id. */
  'host_replaced',
  /** The replayed state is not the one whose outcomes were stored. */
  'head_mismatch',
  /** A new message's time leaps far ahead of this host's clock (docs/decisions/0001). */
  'log_time_ahead',
  /** This host's clock is far behind the time that the log had reached already. */
  'host_clock_behind',
  /** What was applied was not stored before the lane ended. */
  'not_drained',
  /** Something of the directory cannot be read. */
  'directory',
  /** The disk of this host has too little room. */
  'disk_full',
  /** Currency rates were not replaced for long. */
  'rates_old',
  'command_not_written',
  /** An entry of the directory is left out of a lane, because the log refuses it. */
  'directory_entry_refused',
  'duty_not_done',
  'epoch_not_published',
  /** A message is refused as a whole, by whom and why (docs/decisions/0067). */
  'quarantined',
  'query_not_answered',
  'snapshot_failed',
  'snapshot_torn',
  'snapshot_unreadable',
  'snapshot_upload_failed',
  'stream_filling',
  /** The log ends before what this host saw of it (docs/decisions/0072). */
  'log_behind_witness',
  /** The log is another history than what this host saw. */
  'witness_mismatch',
  'table_behind_witness',
  /** The audit trail has lost messages, or is another one than this host saw. */
  'audit_trail_damaged',
  'witness_not_written',
  /** Messages of CMD, or of OUT, are gone or damaged (docs/decisions/0071). */
  'commands_damaged',
  'outcomes_damaged',
  'outcome_not_rebuilt',
  'log_not_checked',
  /** A nightly audit found a difference, or could not be made (docs/decisions/0350). */
  'audit_failed',
  'audit_not_done',
  /** The log of a lane cannot be archived, so it is not trimmed (docs/decisions/0332). */
  'log_not_archived',
  /** Somebody has changed a stream, table or archive. */
  'stream_changed',
  /** No process of the role storage works, so nothing is trimmed. */
  'storage_missing',
  /** A stream will have no room for contributions within the hours that a setting names. */
  'stream_full_soon',
  /** A lane refuses contributions: what is left of a stream is kept for what must go through. */
  'lane_full',
  /** A stream takes nothing more: its lane holds. */
  'stream_full',
  /** Payments that the service should have ended long ago: a wallet does not answer, or nobody executes them. */
  'payments_old',
  /** Payments that wait for a person for too long. */
  'payments_wait',
  /** The sum of open payments is above the limit of a setting. */
  'payments_sum_high',
] as const;

/** One of the list, why a lane halted, or what the log says of itself. */
export type AlarmCode = (typeof alarmCodes)[number] | HaltCode | LogError['code'];
