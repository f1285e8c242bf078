import { z } from 'zod';
import { errorText } from '../../log/base/error-text.ts';
import type { Clock } from '../../ports.ts';
import type { HostedLaneStatus } from '../lane/lane-status.ts';
import type { ActorMonitor } from '../ports/actor-ports.ts';

/** The last audit of a lane by this host, as it is kept across restarts. */
export interface AuditedLane {
  readonly lane: number;
  readonly finishedMs: number;
  readonly verified: boolean;
  readonly messages: number;
}

interface NightlyAuditSettings {
  /** Hour of the day in UTC. */
  readonly hour: number;
  /** For all lanes of the host together. */
  readonly minutes: number;
}

export interface NightlyAuditPorts {
  readonly clock: Clock;
  readonly monitor: Pick<ActorMonitor, 'alarm' | 'notice'>;
  /** The lanes that this host audits: those that it follows, else those without another follower. */
  lanes(): readonly number[];
  /** `potstream audit` of one lane within these minutes, outside of this process: its JSON. @throws Error */
  run(lane: number, minutes: number, signal: AbortSignal): Promise<string>;
  /** What `store` was given in an earlier life; anything else where it is damaged. */
  load(): unknown;
  store(audited: readonly AuditedLane[]): void;
}

const pollEveryMs = 60_000;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A lane that this host does not audit any more: another one does. */
const forgottenAfterMs = 7 * dayMs;
const maxFindingsNamed = 3;
const runbook = 'docs/operate.md#potstreamauditfailed';
/** Output of `potstream audit --json` for one lane. */
const outputShape = z.object({
  lanes: z.tuple([
    z.object({
      verified: z.boolean(),
      messages: z.int(),
      findings: z.array(z.object({ code: z.string(), from: z.int(), to: z.int() })),
    }),
  ]),
});
const shape = z.array(
  z.object({ lane: z.int(), finishedMs: z.number(), verified: z.boolean(), messages: z.int() }),
);

/** A lane is audited where its standby is; without one, where its owner is. */
export function auditsLane({ ownership, caughtUp, halted }: HostedLaneStatus, hasStandby: boolean): boolean {
  if (halted || !caughtUp) return false;
  return ownership === 'owning' ? !hasStandby : true;
}

/** Audits the lanes of this host once a night, one after the other (docs/decisions/0350). */
export class NightlyAudit {
  readonly #ports: NightlyAuditPorts;
  readonly #settings: NightlyAuditSettings;
  readonly #audited = new Map<number, AuditedLane>();
  /** The night that was begun last; a host that starts within the hour waits for the next one. */
  #night: number;
  #cancel: () => void = () => {};
  readonly #ending = new AbortController();

  constructor(ports: NightlyAuditPorts, settings: NightlyAuditSettings) {
    this.#ports = ports;
    this.#settings = settings;
    this.#night = this.#nightNow();
    const stored = shape.safeParse(ports.load());
    for (const each of stored.success ? stored.data : []) this.#audited.set(each.lane, each);
  }

  start(): void {
    this.#cancel = this.#ports.clock.after(pollEveryMs, () => {
      this.#poll()
        .catch((error) => this.#ports.monitor.alarm(0, 'host_fault', errorText(error)))
        .finally(() => (this.#isStopped ? undefined : this.start()));
    });
  }

  stop(): void {
    this.#ending.abort();
    this.#cancel();
  }

  audited(): readonly AuditedLane[] {
    const oldestMs = this.#ports.clock.nowMs() - forgottenAfterMs;
    return [...this.#audited.values()].filter(({ finishedMs }) => finishedMs >= oldestMs);
  }

  get #isStopped(): boolean {
    return this.#ending.signal.aborted;
  }

  async #poll(): Promise<void> {
    const night = this.#nightNow();
    if (night === this.#night) return;
    this.#night = night;
    const lanes = this.#ports.lanes();
    const minutes = Math.max(1, Math.floor(this.#settings.minutes / Math.max(1, lanes.length)));
    for (const lane of lanes) {
      if (this.#isStopped) return;
      await this.#audit(lane, minutes);
    }
  }

  async #audit(lane: number, minutes: number): Promise<void> {
    const { clock, monitor } = this.#ports;
    try {
      const output = await this.#ports.run(lane, minutes, this.#ending.signal);
      const { verified, messages, findings } = outputShape.parse(JSON.parse(output)).lanes[0];
      this.#audited.set(lane, { lane, finishedMs: clock.nowMs(), verified, messages });
      this.#ports.store(this.audited());
      if (verified) monitor.notice(lane, `Audited: ${messages} messages are as they should be.`);
      else monitor.alarm(lane, 'audit_failed', textOf(findings));
    } catch (error) {
      if (!this.#isStopped)
        monitor.alarm(lane, 'audit_not_done', `The lane was not audited: ${errorText(error)}`);
    }
  }

  /** Nights are counted from their hour on. */
  #nightNow(): number {
    return Math.floor((this.#ports.clock.nowMs() - this.#settings.hour * hourMs) / dayMs);
  }
}

function textOf(findings: readonly { code: string; from: number; to: number }[]): string {
  const named = findings
    .slice(0, maxFindingsNamed)
    .map(({ code, from, to }) => (from === to ? `${code} at ${from}` : `${code} at ${from} to ${to}`));
  return `The audit found ${findings.length} faults: ${named.join(', ')}. Runbook: ${runbook}`;
}
