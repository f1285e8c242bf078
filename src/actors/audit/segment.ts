import { equalBytes } from '../../lib/bytes.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import { errorText } from '../../log/base/error-text.ts';
import { recordHead, withLaneHead } from '../../messages/codec/record-head.ts';
import { isUnreadable, LogError, type StoredCommand, type StoredOutcome } from '../../ports.ts';
import type { AppliedMessage, Replica } from '../replica/replica.ts';
import type { Findings } from './findings.ts';
import type { AuditPorts } from './kept-snapshots.ts';
import { commandPages, outcomePages, type Pages } from './pages.ts';

interface SegmentWork {
  readonly findings: Findings;
  readonly turn: LoopTurn;
  isOver(): boolean;
  replayed(commands: number): void;
}

type SegmentEnd = 'reached' | 'broken' | 'out_of_time';

const noHead = new Uint8Array(0);

/**
 * Applies the messages after the replica's last one up to `to`, and compares each outcome record to the byte
 * with the stored one. Some messages are in memory at a time, and the event loop turns between them.
 * 'broken': a message cannot be applied.
 * @throws LogError outages
 */
export async function replaySegment(
  replica: Replica,
  to: number,
  ports: AuditPorts,
  work: SegmentWork,
): Promise<SegmentEnd> {
  const { lane } = replica;
  const { log } = ports;
  const commands = commandPages(log, lane);
  const outcomes = new OutcomeCheck(lane, ports, work.findings);
  work.turn.begin();
  while (replica.appliedSequence < to) {
    const applied = await applyNext(replica, to, commands, ports, work.findings);
    if (applied === null) return 'broken';
    await outcomes.check(applied);
    work.replayed(applied.batch.commands.length);
    if (!work.turn.isOver) continue;
    if (work.isOver()) return 'out_of_time';
    await work.turn.next();
  }
  return 'reached';
}

/** null: the message is gone, damaged, or cannot be applied. */
async function applyNext(
  replica: Replica,
  to: number,
  commands: Pages<StoredCommand>,
  { log }: AuditPorts,
  findings: Findings,
): Promise<AppliedMessage | null> {
  const sequence = replica.appliedSequence + 1;
  try {
    const stored = await commands.at(sequence);
    if (stored !== null) return replica.apply(stored);
    // What left because of its age since the audit began is no loss.
    const { firstSequence } = (await log.extents(replica.lane)).commands;
    const [next] = await log.readCommands(replica.lane, sequence);
    const until = Math.min(to, (next?.sequence ?? to + 1) - 1);
    if (firstSequence <= sequence) findings.add('commands_missing', sequence, until);
  } catch (error) {
    if (!(error instanceof LogError)) findings.add('not_applied', sequence, sequence, errorText(error));
    else if (isUnreadable(error)) findings.add('command_unreadable', sequence, sequence, error.message);
    else throw error;
  }
  return null;
}

class OutcomeCheck {
  readonly #lane: number;
  readonly #ports: AuditPorts;
  readonly #findings: Findings;
  readonly #outcomes: Pages<StoredOutcome>;

  constructor(lane: number, ports: AuditPorts, findings: Findings) {
    this.#lane = lane;
    this.#ports = ports;
    this.#findings = findings;
    this.#outcomes = outcomePages(ports.log, lane);
  }

  async check({ sequence, record }: AppliedMessage): Promise<void> {
    try {
      const stored = await this.#outcomes.at(sequence);
      if (stored === null) return await this.#missing(sequence);
      if (equalBytes(stored.bytes, record)) return;
      const head = recordHead(stored.bytes);
      if (head === null) this.#findings.add('outcome_damaged', sequence, sequence);
      else if (equalBytes(head.body, withLaneHead(record, noHead)))
        this.#findings.add('head_differs', sequence, sequence);
      else this.#findings.add('outcome_differs', sequence, sequence);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#findings.add('outcome_damaged', sequence, sequence, error.message);
    }
  }

  /** OUT may forget a little earlier than CMD. */
  async #missing(sequence: number): Promise<void> {
    const { firstSequence } = (await this.#ports.log.extents(this.#lane)).outcomes;
    if (firstSequence <= sequence) this.#findings.add('outcomes_missing', sequence, sequence);
  }
}
