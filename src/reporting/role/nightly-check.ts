import { crash } from '../../lib/crash.ts';
import { errorText } from '../../log/base/error-text.ts';
import type { Clock } from '../../ports.ts';
import { reportingLimits } from '../base/limits.ts';
import { type Finding, findingText } from '../check/finding.ts';
import type { ReportingAlarm } from '../lane/trouble.ts';

/** How the last check of a lane ended. */
export interface CheckedLane {
  readonly lane: number;
  readonly finishedMs: number;
  readonly findings: number;
}

interface NightlyCheckPorts {
  readonly clock: Clock;
  /** Hour of the day in UTC; null: never. */
  readonly hour: number | null;
  /** The lanes whose books this process keeps. */
  readonly lanes: () => Iterable<number>;
  readonly check: (lane: number) => AsyncIterable<Finding>;
  /** What follows the checks of a night. */
  readonly tidy: () => Promise<void>;
  /** The conditions have changed. */
  readonly ended: () => void;
}

/** What a person has to know of a check, until the next one. */
interface CheckCondition {
  readonly key: string;
  readonly code: ReportingAlarm;
  readonly message: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const runbook = 'docs/operate.md#potstreambooksdisagree';

/** Checks the books of this process's lanes once a night, one lane after the other. */
export class NightlyCheck {
  readonly #ports: NightlyCheckPorts;
  readonly #checked = new Map<number, CheckedLane>();
  readonly #conditions = new Map<number, readonly CheckCondition[]>();
  /** The night that was begun last; a process that starts within the hour waits for the next one. */
  #night: number;
  #cancel: () => void = () => {};
  #checking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #end: () => void = () => {};
  readonly #stopped = new Promise<null>((resolve) => {
    this.#end = () => resolve(null);
  });

  constructor(ports: NightlyCheckPorts) {
    this.#ports = ports;
    this.#night = this.#nightNow();
    this.#next();
  }

  /** The last checks of lanes that this process still keeps. */
  checked(): readonly CheckedLane[] {
    return [...this.#checked.values()];
  }

  conditions(): readonly CheckCondition[] {
    return [...this.#conditions.values()].flat();
  }

  /** The lane is another process's. */
  forget(lane: number): void {
    this.#checked.delete(lane);
    this.#conditions.delete(lane);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#end();
    await this.#checking;
  }

  #next(): void {
    if (this.#isStopped || this.#ports.hour === null) return;
    this.#cancel = this.#ports.clock.after(
      reportingLimits.checkPollMs,
      () => {
        this.#checking = this.#poll().finally(() => this.#next());
        this.#checking.catch(crash);
      },
      'aligned',
    );
  }

  async #poll(): Promise<void> {
    const night = this.#nightNow();
    if (night === this.#night) return;
    this.#night = night;
    for (const lane of [...this.#ports.lanes()]) {
      await this.#check(lane);
      if (this.#isStopped) return;
    }
    await Promise.race([this.#ports.tidy(), this.#stopped]);
  }

  async #check(lane: number): Promise<void> {
    const { clock, check, ended } = this.#ports;
    const found: CheckCondition[] = [];
    let count = 0;
    try {
      const findings = check(lane)[Symbol.asyncIterator]();
      for (;;) {
        const next = findings.next();
        const result = await Promise.race([next, this.#stopped]);
        if (result === null) {
          // The check ends with the connections that it reads.
          next.catch(() => {});
          return;
        }
        if (result.done === true) break;
        const finding = result.value;
        count += 1;
        if (count > reportingLimits.namedFindings) continue;
        const message = `${findingText(finding)}. Runbook: ${runbook}`;
        found.push({ key: `${lane} ${findingText(finding)}`, code: 'books_disagree', message });
      }
      this.#checked.set(lane, { lane, finishedMs: clock.nowMs(), findings: count });
      if (count > found.length) {
        const message = `The check of lane ${lane} has ${count - found.length} findings more: potstream reporting check.`;
        found.push({ key: `${lane} more`, code: 'books_disagree', message });
      }
    } catch (error) {
      const message = `The books of lane ${lane} were not checked: ${errorText(error)}`;
      found.push({ key: `${lane} unchecked`, code: 'books_not_checked', message });
    }
    if (![...this.#ports.lanes()].includes(lane)) return;
    this.#conditions.set(lane, found);
    ended();
  }

  /** Nights are counted from their hour on. */
  #nightNow(): number {
    return Math.floor((this.#ports.clock.nowMs() - (this.#ports.hour ?? 0) * hourMs) / dayMs);
  }
}
