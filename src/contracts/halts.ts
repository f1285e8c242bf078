/** What a person is told of a lane that stopped: what it means, and what to do. */
export interface HaltText {
  readonly means: string;
  readonly toDo: string;
}

/** Why a lane can stop: the closed list (docs/decisions/0157). A heartbeat with the condition `stopped` carries one of them. */
export const halts = {
  unreadable_message: {
    means: 'A stored command message does not read: its bytes are damaged, foreign, or of a newer version.',
    toDo: 'If this version is older than the one that wrote it, upgrade; else "potstream lane quarantine".',
  },
  engine_fault: {
    means: 'Applying a stored command message threw: a bug of the engine that this message met.',
    toDo: 'Keep the log for the bug report; a version without the bug goes on by itself, else "potstream lane quarantine".',
  },
  outcome_refused: {
    means:
      'The log refuses the outcome record of a message for good: it is too large, or OUT is not as it must be.',
    toDo: "See the alarm for the server's words; upgrade or mend OUT. Quarantine only a message that nobody was answered.",
  },
  outcome_conflict: {
    means:
      'OUT holds other bytes under a sequence than this host computed: two versions or two states disagree.',
    toDo: 'Stop every host but one version, then restart it; if it stays, bring back the log from a whole copy.',
  },
  head_mismatch: {
    means: 'The replayed state is not the one whose outcomes were stored: log, snapshot or engine differ.',
    toDo: 'Run the version that wrote OUT, or bring back the log from a whole copy.',
  },
  log_behind_witness: {
    means: 'The log ends before what this host saw of it: its end is gone, or an older copy was restored.',
    toDo: 'Bring back the log that belongs to it; to go on with this one on purpose, "potstream witness accept".',
  },
  witness_mismatch: {
    means: 'The log is another history, or of another system, than what this host saw.',
    toDo: 'Bring back the log that belongs to it; to go on with this one on purpose, "potstream witness accept".',
  },
  log_time_ahead: {
    means:
      "A new message's time leaps far ahead of the host's clock; applied, it would close every deadline up to there.",
    toDo: 'Compare the clocks ("potstream doctor"), set them right, and restart the actors.',
  },
  hole: {
    means: 'Messages of the log that were there are gone.',
    toDo: 'Bring back the stream from a replica or a backup; the lane must not go on without them.',
  },
  corrupt: {
    means: 'Something that is stored for the lane (not a command message) is damaged.',
    toDo: 'Bring back the stream from a replica or a backup.',
  },
  full: {
    means: 'A stream of the lane is full.',
    toDo: 'Raise its max_bytes or make room.',
  },
  misconfigured: {
    means: 'The log refuses requests of the lane: a stream is missing or not as it must be.',
    toDo: "See the alarm for the server's words, mend the stream, then restart the actors.",
  },
  log_closed: {
    means: 'The connection to the log ended for good beneath the lane.',
    toDo: 'Restart the actors.',
  },
  host_fault: {
    means: 'A bug of the host met this lane outside of applying a message.',
    toDo: 'Keep the alarm for the bug report, then restart the actors.',
  },
} as const satisfies Readonly<Record<string, HaltText>>;

export type HaltCode = keyof typeof halts;

/** What a code means and what to do; null: a code of another version. */
export function haltText(code: string): HaltText | null {
  return Object.hasOwn(halts, code) ? halts[code as HaltCode] : null;
}

/** Halts whose message may be refused as a whole instead. */
export function mayQuarantine(code: string): boolean {
  return code === 'unreadable_message' || code === 'engine_fault' || code === 'outcome_refused';
}
