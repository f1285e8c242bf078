import { setPriority } from 'node:os';
import { auditLane, type LaneAuditReport } from '../../actors/audit/audit-lane.ts';
import { type AuditFinding, findingTexts } from '../../actors/audit/findings.ts';
import type { Settings } from '../../config/settings.ts';
import { LoopTurn } from '../../lib/turns.ts';
import type { NatsRole } from '../../log/roles/permissions.ts';
import { endWithStdin } from '../../runtime/own-command.ts';
import { systemClock } from '../../wiring.ts';
import { hasLane } from '../system/log-reader.ts';
import { type ReplaySystem, withReplaySystem } from '../system/replay-system.ts';
import type { CommandOutput } from '../terminal/output.ts';

interface LaneAuditChoices {
  /** Empty: all. */
  readonly lanes: readonly number[];
  /** All lanes together take no longer; null: no limit. */
  readonly minutes: number | null;
  /** Whose credentials the settings have. */
  readonly as: NatsRole;
  readonly json: boolean;
}

/** The lowest: everything else on the machine comes first. */
const lowestPriority = 19;
const progressEveryMs = 10_000;
const minuteMs = 60_000;
const runbook = 'docs/operate.md#potstreamauditfailed';

/** `potstream audit`: 0 if nothing is wrong in what was replayed, otherwise 1. */
export async function auditLanesCommand(
  settings: Settings,
  choices: LaneAuditChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  setPriority(lowestPriority);
  // Then an actor host has started the command.
  if (choices.as === 'actors') endWithStdin();
  const audits = await withReplaySystem(settings, choices.as, print, (system) =>
    auditLanes(system, choices, print),
  );
  if (audits === null) return 1;
  const verified = audits.every((audit) => audit.verified);
  if (choices.json) write(`${JSON.stringify({ verified, lanes: audits }, null, 2)}\n`);
  else write(`${audits.flatMap(linesOf).join('\n')}\n`);
  if (!choices.json) print("Of the lanes. The trail of administrators' changes: potstream audit verify.");
  return verified ? 0 : 1;
}

/** null: a lane is named that the system does not have. */
async function auditLanes(
  system: ReplaySystem,
  { lanes, minutes }: LaneAuditChoices,
  print: (line: string) => void,
): Promise<readonly LaneAuditReport[] | null> {
  const all = Array.from({ length: system.lanes }, (_, lane) => lane);
  const wanted = lanes.length === 0 ? all : lanes;
  if (!wanted.every((lane) => hasLane(lane, system.lanes, print))) return null;
  const beganMs = performance.now();
  const audits: LaneAuditReport[] = [];
  for (const [index, lane] of wanted.entries()) {
    // What earlier lanes did not use is left to the later ones.
    const untilMs = minutes === null ? null : beganMs + (minutes * minuteMs * (index + 1)) / wanted.length;
    audits.push(await auditLane(lane, system, limitsOf(lane, untilMs, print), systemClock.nowMs()));
  }
  return audits;
}

function limitsOf(lane: number, untilMs: number | null, print: (line: string) => void) {
  let saidMs = performance.now();
  return {
    turn: new LoopTurn(),
    isOver: () => untilMs !== null && performance.now() >= untilMs,
    progress(sequence: number, to: number): void {
      if (performance.now() - saidMs < progressEveryMs) return;
      saidMs = performance.now();
      print(`lane ${lane}: replayed up to ${sequence} of ${to}`);
    },
  };
}

/** One line for the lane, and one for each finding and note. */
function linesOf(audit: LaneAuditReport): string[] {
  const { lane, verified, from, to, complete, messages, commands, snapshots, instances, head } = audit;
  const replayed = from > to ? 'no messages' : `messages ${from} to ${to}`;
  const counts = `${messages} messages, ${commands} commands, ${snapshots} snapshots, ${instances} instances`;
  const more = audit.more_findings === 0 ? [] : [`  and ${audit.more_findings} more`];
  return [
    `lane ${lane}: ${verified ? 'VERIFIED' : 'FAILED'}, ${replayed}${complete ? '' : ' (no time for earlier ones)'}: ${counts}`,
    `  head ${head ?? 'unknown'}`,
    ...audit.findings.map((finding) => `  ${findingLine(finding)}`),
    ...more,
    ...audit.notes.map((note) => `  note: ${note}`),
  ];
}

function findingLine({ code, from, to, detail }: AuditFinding): string {
  const where = from === to ? `at ${from}` : `at ${from} to ${to}`;
  return `${code} ${where}: ${findingTexts[code]}${detail === '' ? '' : ` ${detail}.`} Runbook: ${runbook}`;
}
