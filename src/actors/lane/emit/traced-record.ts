import { readTraces, type Span, type TraceParent, tracer, writeTraces } from '../../../lib/tracing.ts';
import { uuidText } from '../../../lib/uuid.ts';
import type { RecordTraces } from '../../../log/lanes/outcome-journal.ts';
import type { LoggedCommand } from '../../../messages/commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import type { LaneWork } from '../../../messages/settlements.ts';
import type { StoredCommand } from '../../../ports.ts';
import type { AppliedMessage } from '../../replica/replica.ts';

/**
 * The spans of the sampled commands of an applied message: that the lane applied them, and that their record
 * was stored. The record's header names the traces of its works and callbacks, by the ids of their
 * contributions (docs/decisions/0305).
 */
export function tracedRecord(
  { traces, lane, sequence }: StoredCommand,
  applied: AppliedMessage,
  seconds: number,
): RecordTraces | undefined {
  if (tracer === null || traces === undefined) return undefined;
  const beganMs = performance.now() - seconds * 1000;
  const spans: Span[] = [];
  const carried = new Map<string, TraceParent>();
  for (const [key, parent] of readTraces(traces)) {
    const index = Number(key);
    const command = applied.batch.commands[index];
    const outcome = applied.outcome.outcomes[index];
    if (command === undefined || outcome === undefined) continue;
    const place = { 'potstream.lane': lane, 'potstream.sequence': sequence, 'potstream.index': index };
    const attributes = { ...place, 'potstream.outcome': outcome.kind };
    const apply = tracer.begin('apply command', { kind: 'consumer', parent, attributes, beganMs });
    apply.end();
    const span = tracer.begin('store outcome', { kind: 'producer', parent: apply, attributes: place });
    spans.push(span);
    if (command.kind === 'Contribute' && outcome.kind === 'Pending')
      awaitSettlement(placeOf(lane, sequence, index), uuidText(command.contributionId));
    for (const id of contributionsOf(command, applied)) carried.set(id, span);
    for (const id of settledBy(lane, outcome)) carried.set(id, span);
  }
  if (spans.length === 0) return undefined;
  return {
    header: writeTraces(carried),
    stored() {
      for (const span of spans) span.end();
    },
  };
}

/** Sampled contributions whose debit is open; the oldest are forgotten. */
const maxPending = 1_024;
/** Their ids by their places: what settles them names only these. */
const pending = new Map<string, string>();

function awaitSettlement(place: string, contributionId: string): void {
  pending.set(place, contributionId);
  for (const oldest of pending.keys()) {
    if (pending.size <= maxPending) return;
    pending.delete(oldest);
  }
}

function settledBy(lane: number, outcome: CommandOutcome): readonly string[] {
  if (outcome.kind !== 'Settled') return [];
  const ids = outcome.contributions.map(({ sequence, index }) => pending.get(placeOf(lane, sequence, index)));
  return ids.filter((id) => id !== undefined);
}

function placeOf(lane: number, sequence: number, index: number): string {
  return `${lane}/${sequence}/${index}`;
}

/** Ids under which the wallet role and the outbox find what the command has brought. */
function contributionsOf(command: LoggedCommand, { batch, outcome }: AppliedMessage): readonly string[] {
  if (command.kind === 'Contribute') {
    const { contributionId, brand, player } = command;
    const works = outcome.work.filter((work) => isOf(work, brand, player));
    return [uuidText(contributionId), ...works.flatMap(contributionOf)];
  }
  // Which of several settlements has brought a work is not known here.
  return batch.commands.length === 1 ? outcome.work.flatMap(contributionOf) : [];
}

function isOf(work: LaneWork, brand: string, player: string): boolean {
  if (work.kind === 'DebitDue') return work.debit.brand === brand && work.debit.player === player;
  return work.kind === 'CreditDue' && work.credit.brand === brand && work.credit.player === player;
}

function contributionOf(work: LaneWork): string[] {
  if (work.kind === 'DebitDue') return [work.debit.contributionId];
  return work.kind === 'CreditDue' ? [work.credit.contributionId] : [];
}
