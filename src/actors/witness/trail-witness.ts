import { judgeEnds, retainedTrails, type SeenTrail } from '../../audit/witnessed.ts';
import { RepeatingAlarms } from '../../lib/repeating-alarms.ts';
import { type AuditLog, type Clock, LogError } from '../../ports.ts';
import type { AlarmMonitor } from '../ports/actor-ports.ts';
import { Watch } from '../ports/watch.ts';
import type { Witness } from '../ports/witness.ts';
import { trailName } from './witness-lines.ts';

const pollIntervalMs = 10_000;
const alarmEveryMs = 3_600_000;

interface Ports {
  readonly trail: Pick<AuditLog, 'extent' | 'read'>;
  readonly clock: Clock;
  readonly monitor: AlarmMonitor;
  readonly witness: Pick<Witness, 'trails' | 'trailAcceptance' | 'seenTrail'>;
}

/**
 * Compares the ends of the audit trail with what was seen of it before, and shows them to the witness.
 * `maxAgeMs`: older messages may leave the trail; null: none may (docs/rules/audit.md "Verification").
 */
export class TrailWitness extends Watch {
  readonly #ports: Ports;
  readonly #maxAgeMs: number | null;
  readonly #alarms = new RepeatingAlarms(alarmEveryMs);
  #seen: readonly SeenTrail[];
  #faults: readonly string[] = [];

  constructor(ports: Ports, maxAgeMs: number | null) {
    super(ports.clock, pollIntervalMs);
    this.#ports = ports;
    this.#maxAgeMs = maxAgeMs;
    this.#seen = ports.witness.trails();
  }

  override warnings(): readonly string[] {
    return this.#faults.length === 0 ? [] : ['the audit trail is not the one that this host saw'];
  }

  async look(): Promise<void> {
    const { trail, clock, monitor, witness } = this.#ports;
    const accepted = witness.trailAcceptance() !== null;
    const rule = { maxAgeMs: this.#maxAgeMs, seen: this.#seen, accepted };
    try {
      const { faults, seen } = await judgeEnds(trail, await trail.extent(), rule, clock.nowMs());
      this.#faults = faults;
      for (const each of seen) this.#note(each);
    } catch (error) {
      // An outage has its own alarms.
      if (!(error instanceof LogError)) throw error;
    }
    this.#alarms.begin();
    if (this.#faults.length > 0 && this.#alarms.isDue(this.#faults.join(' '), clock.elapsedMs()))
      monitor.alarm(0, 'audit_trail_damaged', this.#text());
  }

  #note(seen: SeenTrail): void {
    if (this.#seen.at(-1)?.last === seen.last && this.#seen.at(-1)?.first === seen.first) return;
    this.#seen = retainedTrails([...this.#seen, seen]);
    this.#ports.witness.seenTrail(seen);
  }

  #text(): string {
    return (
      `The audit trail is damaged. ${this.#faults.join(' ')} Runbook: docs/operate.md#potstreamaudittraildamaged ` +
      `Only if what is gone is lost for good, or was meant to go: potstream witness accept ${trailName} --reason "…".`
    );
  }
}
