import { RepeatingAlarms } from '../lib/repeating-alarms.ts';
import { LoopTurn } from '../lib/turns.ts';
import type { AuditLog, Clock, StreamExtent } from '../ports.ts';
import { AuditVerification } from './verify.ts';
import { judgeEnds, retainedTrails, type SeenTrail } from './witnessed.ts';

const pollEveryMs = 60_000;
const alarmEveryMs = 3_600_000;
/** Messages a minute: 1.4 million a day, for a few milliseconds of a processor each minute. */
const maxMessagesPerPoll = 1_000;
const maxFaultsNamed = 3;

interface TrailCheckPorts {
  readonly log: Pick<AuditLog, 'read' | 'readFrom' | 'extent'>;
  readonly clock: Clock;
  alarm(code: 'audit_trail_damaged', message: string): void;
  /** The trail could not be read. */
  report(error: unknown): void;
}

interface Round {
  readonly verification: AuditVerification;
  readonly lastSequence: number;
  next: number;
}

/**
 * Verifies the trail without being asked, round after round and a slice each minute, and counts its
 * messages: nats-server drops one whose bytes changed (docs/decisions/0222). `maxAgeMs`: older messages may
 * leave it; null: none may.
 */
export class TrailCheck {
  readonly #ports: TrailCheckPorts;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  readonly #maxAgeMs: number | null;
  /** By this process. */
  #seen: readonly SeenTrail[] = [];
  #ends: readonly string[] = [];
  #round: Round | null = null;
  /** What the last whole round found. */
  #found: readonly string[] = [];
  #missing = 0;
  #isStopped = false;
  #cancel: () => void = () => {};

  constructor(ports: TrailCheckPorts, maxAgeMs: number | null) {
    this.#ports = ports;
    this.#maxAgeMs = maxAgeMs;
  }

  start(): void {
    this.poll()
      .catch((error: unknown) => this.#ports.report(error))
      .finally(() => {
        if (!this.#isStopped) this.#cancel = this.#ports.clock.after(pollEveryMs, () => this.start());
      });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Messages that are missing, or faults of the chain, whichever are more. */
  faults(): number {
    return this.#ends.length + Math.max(this.#missing, this.#faults().length);
  }

  warnings(): string[] {
    const count = this.faults();
    return count === 0 ? [] : [`the audit trail is damaged: ${count} faults ("potstream audit verify")`];
  }

  /** @throws LogError */
  async poll(): Promise<void> {
    const extent = await this.#ports.log.extent();
    this.#missing = Math.max(0, extent.lastSequence - extent.firstSequence + 1 - extent.messages);
    await this.#checkEnds(extent);
    await this.#verifySlice(extent);
    this.#alarms.begin();
    if (this.faults() === 0) return;
    // More faults than before are news.
    if (this.#alarms.isDue(String(this.faults()), this.#ports.clock.elapsedMs()))
      this.#ports.alarm('audit_trail_damaged', this.#text());
  }

  /** Its beginning and its end, by the settings and by what this process saw of it. */
  async #checkEnds(extent: StreamExtent): Promise<void> {
    const { log, clock } = this.#ports;
    const rule = { maxAgeMs: this.#maxAgeMs, seen: this.#seen, accepted: false };
    const { faults, seen } = await judgeEnds(log, extent, rule, clock.nowMs());
    this.#ends = faults;
    this.#seen = retainedTrails([...this.#seen, ...seen]);
  }

  async #verifySlice(extent: StreamExtent): Promise<void> {
    const round = this.#roundAt(extent);
    const turn = new LoopTurn();
    for (let left = maxMessagesPerPoll; left > 0 && round.next <= round.lastSequence; ) {
      const batch = await this.#ports.log.readFrom(round.next);
      if (batch.length === 0) {
        round.next = round.lastSequence + 1;
        break;
      }
      turn.begin();
      for (const message of batch) {
        if (message.sequence > round.lastSequence) break;
        round.verification.take(message);
        if (turn.isOver) await turn.next();
      }
      left -= batch.length;
      round.next = (batch.at(-1)?.sequence ?? round.next) + 1;
    }
    if (round.next <= round.lastSequence) return;
    this.#found = textsOf(round.verification.report(round.lastSequence));
    this.#round = null;
  }

  #roundAt({ firstSequence, lastSequence }: StreamExtent): Round {
    const isTrimmed = this.#round !== null && this.#round.next < firstSequence;
    if (this.#round === null || isTrimmed)
      this.#round = {
        verification: new AuditVerification({ seen: this.#seen }),
        lastSequence,
        next: firstSequence,
      };
    return this.#round;
  }

  #faults(): readonly string[] {
    const now = this.#round === null ? [] : textsOf(this.#round.verification.report());
    return now.length > this.#found.length ? now : this.#found;
  }

  #text(): string {
    const named = [...this.#ends, ...this.#faults()].slice(0, maxFaultsNamed).join(' ');
    const missing = this.#missing === 0 ? '' : ` Missing messages: ${this.#missing}.`;
    return `The audit trail is damaged.${missing}${named === '' ? '' : ` ${named}`} Runbook: docs/operate.md#potstreamaudittraildamaged`;
  }
}

function textsOf({ faults }: { readonly faults: readonly { readonly message: string }[] }): string[] {
  return faults.map(({ message }) => message);
}
