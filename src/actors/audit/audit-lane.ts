import type { LaneEngine } from '../../jackpot/lane/lane.ts';
import { equalBytes, toHex } from '../../lib/bytes.ts';
import { formatAmount } from '../../lib/money.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import { recordHead } from '../../messages/codec/record-head.ts';
import { isUnreadable } from '../../ports.ts';
import { Quarantines } from '../replica/quarantines.ts';
import type { Replica } from '../replica/replica.ts';
import { lostBeginning } from '../witness/stream-check.ts';
import { differenceOf } from './compare-snapshot.ts';
import { type AuditFinding, Findings } from './findings.ts';
import type { AuditPorts } from './kept-snapshots.ts';
import {
  emptyReplica,
  type KeptSnapshot,
  keptSnapshots,
  readSnapshot,
  restoreSnapshot,
} from './kept-snapshots.ts';
import { replaySegment } from './segment.ts';

/** How much of a lane was audited, and what was found. */
export interface LaneAuditReport {
  readonly lane: number;
  readonly verified: boolean;
  /** Messages `from` to `to` were replayed; `from` above `to`: nothing was. */
  readonly from: number;
  readonly to: number;
  /** Whether everything that can be replayed was. */
  readonly complete: boolean;
  readonly messages: number;
  readonly commands: number;
  readonly snapshots: number;
  readonly instances: number;
  /** The lane head of `to`; null: the replay did not get there. */
  readonly head: string | null;
  readonly findings: readonly AuditFinding[];
  readonly more_findings: number;
  readonly notes: readonly string[];
}

interface AuditLimits {
  readonly turn: LoopTurn;
  /** Ends the audit early: it has the newest part of the log then. */
  isOver(): boolean;
  progress(sequence: number, to: number): void;
}

/**
 * Replays a lane in segments, from each kept snapshot to the next one, the newest first, so that an audit
 * which runs out of time has the newest messages. Compares each outcome record, each snapshot and the
 * balances (docs/rules/log.md "Audits").
 * @throws LogError outages
 */
export async function auditLane(
  lane: number,
  ports: AuditPorts,
  limits: AuditLimits,
  nowMs: number,
): Promise<LaneAuditReport> {
  const audit = new LaneAuditor(lane, ports, limits, await Quarantines.read(ports.log, lane));
  return audit.run(nowMs);
}

class LaneAuditor {
  readonly #lane: number;
  readonly #ports: AuditPorts;
  readonly #limits: AuditLimits;
  readonly #quarantines: Quarantines;
  readonly #findings = new Findings();
  readonly #notes: string[] = [];
  #messages = 0;
  #commands = 0;
  #snapshots = 0;
  #instances = 0;
  #head: string | null = null;

  constructor(lane: number, ports: AuditPorts, limits: AuditLimits, quarantines: Quarantines) {
    this.#lane = lane;
    this.#ports = ports;
    this.#limits = limits;
    this.#quarantines = quarantines;
  }

  async run(nowMs: number): Promise<LaneAuditReport> {
    const { commands, outcomes } = await this.#ports.log.extents(this.#lane);
    const to = outcomes.lastSequence;
    const kept = await keptSnapshots(this.#lane, this.#ports);
    await this.#checkEnds(commands.lastSequence, to, kept, nowMs);
    const isWhole = commands.firstSequence <= 1;
    const starts = kept.filter(
      ({ sequence }) => sequence <= to && sequence > 0 && sequence >= commands.firstSequence - 1,
    );
    let from = to + 1;
    let isComplete = true;
    // The snapshot at which the next older segment ends; null: the end of OUT.
    let later: KeptSnapshot | null = null;
    for (const start of [...starts, ...(isWhole ? [null] : [])]) {
      if (this.#limits.isOver()) {
        isComplete = false;
        break;
      }
      if (start !== null && later !== null && start.sequence >= later.sequence) {
        await this.#checkCopy(start);
        continue;
      }
      const replica = await this.#begin(start);
      if (replica === null) continue;
      const begun = replica.appliedSequence;
      const end = await this.#segment(replica, from - 1, later);
      if (end === 'out_of_time') {
        isComplete = false;
        break;
      }
      from = begun + 1;
      later = start;
    }
    if (isComplete && !isWhole && later === null && to > 0)
      this.#findings.add('not_replayable', commands.firstSequence, to);
    return this.#report(from, to, isComplete);
  }

  async #checkEnds(
    lastCommand: number,
    to: number,
    kept: readonly KeptSnapshot[],
    nowMs: number,
  ): Promise<void> {
    const known = Math.max(to, ...kept.map(({ sequence }) => sequence));
    if (known > lastCommand)
      this.#findings.add(
        'commands_missing',
        lastCommand + 1,
        known,
        'the log ends before what was made of it',
      );
    const { log, maxAgeMs } = this.#ports;
    const lost = await lostBeginning(log, this.#lane, nowMs, { maxAgeMs });
    if (lost !== null)
      this.#findings.add('outcomes_missing', lost.from, lost.to, 'OUT begins behind its commands');
  }

  /** The second copy of a snapshot that was restored from the first. */
  async #checkCopy(copy: KeptSnapshot): Promise<void> {
    this.#snapshots += 1;
    const snapshot = await readSnapshot(this.#lane, copy, this.#ports, this.#limits.turn);
    if (snapshot === 'torn') this.#findings.add('snapshot_torn', copy.sequence, copy.sequence, copy.place);
  }

  /** The lane at the beginning of a segment; null: this snapshot cannot be one. */
  async #begin(start: KeptSnapshot | null): Promise<Replica | null> {
    if (start === null) return emptyReplica(this.#lane, this.#quarantines, this.#ports);
    const { sequence, place } = start;
    const restored = await restoreSnapshot(
      this.#lane,
      start,
      this.#quarantines,
      this.#ports,
      this.#limits.turn,
    );
    if (restored.kind === 'passed_over') {
      this.#notes.push(`snapshot ${sequence} (${place}) was passed over: ${restored.why}`);
      return null;
    }
    this.#snapshots += 1;
    if (restored.kind === 'torn') this.#findings.add('snapshot_torn', sequence, sequence, place);
    if (restored.kind === 'unusable')
      this.#findings.add('snapshot_unusable', sequence, sequence, restored.why);
    if (restored.kind !== 'restored') return null;
    const stored = await this.#storedHead(sequence);
    if (stored === null || equalBytes(stored, restored.replica.laneHead)) return restored.replica;
    const detail = `its lane head (${place}) is not that of its outcome record`;
    this.#findings.add('snapshot_differs', sequence, sequence, detail);
    return null;
  }

  async #segment(replica: Replica, to: number, later: KeptSnapshot | null): Promise<'done' | 'out_of_time'> {
    this.#checkBooks(replica);
    const { turn, progress } = this.#limits;
    const end = await replaySegment(replica, to, this.#ports, {
      findings: this.#findings,
      turn,
      isOver: () => {
        progress(replica.appliedSequence, to);
        return this.#limits.isOver();
      },
      replayed: (commands) => {
        this.#messages += 1;
        this.#commands += commands;
      },
    });
    if (end === 'out_of_time') return 'out_of_time';
    if (end === 'broken') {
      this.#notes.push(`the replay ends at ${replica.appliedSequence}, before ${to}`);
      return 'done';
    }
    this.#checkBooks(replica);
    if (later === null) {
      this.#head = toHex(replica.laneHead);
      this.#instances = [...replica.engine.instances()].length;
    } else await this.#compare(later, replica);
    return 'done';
  }

  /** The snapshot was restored a moment ago, as the beginning of the segment after it. */
  async #compare(later: KeptSnapshot, replica: Replica): Promise<void> {
    const snapshot = await readSnapshot(this.#lane, later, this.#ports, this.#limits.turn);
    if (snapshot === null || snapshot === 'torn') return;
    const difference = await differenceOf(snapshot, replica, this.#limits.turn);
    if (difference !== null)
      this.#findings.add(
        'snapshot_differs',
        later.sequence,
        later.sequence,
        `${difference} (${later.place})`,
      );
  }

  #checkBooks({ engine, appliedSequence }: Replica): void {
    for (const fault of bookFaults(engine))
      this.#findings.add('books_unbalanced', appliedSequence, appliedSequence, fault);
  }

  /** null: the record is gone or damaged, and proves nothing. */
  async #storedHead(sequence: number): Promise<Uint8Array | null> {
    try {
      const stored = await this.#ports.log.readOutcome(this.#lane, sequence);
      return stored === null ? null : (recordHead(stored.bytes)?.laneHead ?? null);
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }

  #report(from: number, to: number, complete: boolean): LaneAuditReport {
    const findings = this.#findings.all;
    return {
      lane: this.#lane,
      verified: findings.length === 0,
      from,
      to,
      complete,
      messages: this.#messages,
      commands: this.#commands,
      snapshots: this.#snapshots,
      instances: this.#instances,
      head: this.#head,
      findings,
      more_findings: this.#findings.more,
      notes: this.#notes,
    };
  }
}

/** Faults in the balances of a lane: accounts sum to zero, and no pot is below zero. */
function bookFaults(engine: LaneEngine): readonly string[] {
  const faults: string[] = [];
  for (const instance of engine.instances()) {
    let sumAtoms = 0n;
    for (const [name, atoms] of engine.accounts(instance) ?? []) {
      sumAtoms += atoms;
      // Accounts of pots are `<pot>.<account>`.
      if (name.includes('.') && atoms < 0n) faults.push(`${name} of ${instance} is ${formatAmount(atoms)}`);
    }
    if (sumAtoms !== 0n) faults.push(`the accounts of ${instance} sum to ${formatAmount(sumAtoms)}`);
  }
  return faults;
}
