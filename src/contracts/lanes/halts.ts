/** The explanation of a halt for a person: what it means, and what to do. */
interface HaltText {
  readonly means: string;
  readonly toDo: string;
}

/** Why a lane can halt, a closed list; its heartbeat carries the code (docs/decisions/0066). */
export const halts = {
  unreadable_message: {
    means: 'A stored command message cannot be read: its bytes are damaged, foreign, or of a newer version.',
    toDo: 'If a newer version wrote it, upgrade. Otherwise use "potstream lane quarantine".',
  },
  engine_fault: {
    means: 'The engine threw while it applied a stored command message. This is a bug.',
    toDo: 'Keep the log for the bug report. A fixed version continues by itself. Without one, use "potstream lane quarantine".',
  },
  engine_version_unsupported: {
    means:
      "The lane's log or snapshot is of an engine version that this host does not run. The alarm names both versions.",
    toDo: 'Replace the software of this host with the version of the other hosts: docs/operate.md "Engine upgrades".',
  },
  outcome_refused: {
    means:
      'The log refuses the outcome record of a message for good: it is too large, or OUT is misconfigured.',
    toDo: "The alarm has the server's message. Upgrade, or repair OUT. Quarantine a message only if no caller got an answer.",
  },
  outcome_conflict: {
    means: 'OUT has a different record than this host computed: two versions or two states disagree.',
    toDo: 'Run "potstream audit --lane N". If OUT follows from CMD, restart this host. If it does not, restore OUT from a backup.',
  },
  head_mismatch: {
    means: 'The replayed state is not the one whose outcomes are stored: log, snapshot or engine differ.',
    toDo: 'Run "potstream audit --lane N" on this host. Delete the snapshot that it names, and restart. If it names none, run the version that wrote OUT, or restore OUT and CMD from a backup.',
  },
  standby_diverged: {
    means: "This standby's state is not the owner's. The owner serves the lane; there is no warm standby.",
    toDo: 'Run "potstream audit" to find out which of the two is right, then restart the wrong host without its snapshots.',
  },
  log_behind_witness: {
    means:
      'The log ends before the last message that this host saw: its end is gone, or an older copy was restored.',
    toDo: 'Restore the newest backup of the log. Only if everything newer is lost for good: "potstream witness accept".',
  },
  witness_mismatch: {
    means: 'This is not the log that this host saw: it has another history, or belongs to another system.',
    toDo: 'Restore the newest backup of the log. Only if everything newer is lost for good: "potstream witness accept".',
  },
  log_time_ahead: {
    means:
      "A new message's time is far ahead of the host's clock. Applying it would end every deadline before that time.",
    toDo: 'Compare the clocks ("potstream doctor"), correct them, and restart the actors.',
  },
  hole: {
    means: 'Messages of the log are missing.',
    toDo: 'Restore a copy of the log that has them. Only if each such copy is lost for good: "potstream witness accept".',
  },
  corrupt: {
    means: 'Stored data of the lane, other than a command message, is damaged.',
    toDo: 'Restore the stream from a replica or a backup.',
  },
  full: {
    means: 'A stream of the lane is full.',
    toDo: 'Repair the archive, or raise POTSTREAM_STREAM_MAX_BYTES, and restart the actors.',
  },
  misconfigured: {
    means: 'The log refuses requests of the lane: a stream is missing or misconfigured.',
    toDo: "The alarm has the server's message. Repair the stream, then restart the actors.",
  },
  log_closed: {
    means: 'The connection to the log ended for good.',
    toDo: 'Restart the actors.',
  },
  host_fault: {
    means: 'The host met a bug in this lane, outside the engine.',
    toDo: 'Keep the alarm for the bug report, and restart the actors.',
  },
} as const satisfies Readonly<Record<string, HaltText>>;

export type HaltCode = keyof typeof halts;

/** What a code means and what to do; null: a code of another version. */
export function haltText(code: string): HaltText | null {
  return Object.hasOwn(halts, code) ? halts[code as HaltCode] : null;
}

/** The chapter of the runbook about a code of the list. */
export function runbookOf(code: string): string {
  return `docs/operate.md#${code}`;
}

/** Whether the message is the cause, and not a stream, a snapshot or the host. */
export function isAboutMessage(code: string): boolean {
  return mayQuarantine(code) || code === 'outcome_conflict' || code === 'log_time_ahead';
}

/** Whether quarantining the message can end this halt. */
export function mayQuarantine(code: string): boolean {
  return (
    code === 'unreadable_message' ||
    code === 'engine_fault' ||
    code === 'outcome_refused' ||
    // Only where the upgrade has no outcome yet: the command that quarantines looks.
    code === 'engine_version_unsupported'
  );
}
