import {
  replayScope,
  replaysOverlap,
  replaysWaitingOfOperator,
} from '../../contracts/payments/delivery-questions.ts';
import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { TableEntries } from '../store/delivery-table.ts';
import type { ReplayJob } from '../store/entries.ts';
import { Stopped } from '../store/persistently.ts';

type ReplayTable = Pick<TableEntries<ReplayJob>, 'write' | 'add' | 'remove'>;

interface Entry {
  readonly job: ReplayJob;
  readonly revision: number;
}

/** Works on a job until it is done or its turn is over, and stores how far it is; may throw Stopped. */
export type RunReplay = (
  job: ReplayJob,
  progress: (job: ReplayJob) => Promise<void>,
  isOver: () => boolean,
) => Promise<void>;

/**
 * The replays of one lane, which a restart continues: those of an operator one after the other, operators
 * side by side and in turns (docs/rules/callbacks.md "Decisions of people").
 */
export class ReplayJobs {
  readonly #table: ReplayTable;
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #run: RunReplay;
  readonly #entries = new Map<string, Entry>();
  /** Scopes that have a turn. */
  readonly #running = new Set<string>();
  /** Scopes that had one, the last one at the end. */
  readonly #served = new Set<string>();

  constructor(table: ReplayTable, clock: Pick<Clock, 'elapsedMs'>, run: RunReplay) {
    this.#table = table;
    this.#clock = clock;
    this.#run = run;
  }

  get jobs(): readonly ReplayJob[] {
    return [...this.#entries.values()].map(({ job }) => job);
  }

  /** A job that the table has. */
  take(job: ReplayJob, revision: number): void {
    this.#entries.set(job.id, { job, revision });
  }

  /** The job with this id, stored if it is new. null: too many wait, or another sends the same callbacks. */
  async add(job: ReplayJob): Promise<ReplayJob | null> {
    const known = this.#entries.get(job.id);
    if (known !== undefined) return known.job;
    const waiting = this.jobs.filter(({ isDone }) => !isDone);
    const own = waiting.filter((each) => replayScope(each) === replayScope(job));
    if (waiting.length >= outboxLimits.replaysWaiting) return null;
    if (own.length >= replaysWaitingOfOperator || waiting.some((each) => replaysOverlap(each, job)))
      return null;
    await this.#forgetOld(replayScope(job));
    const stored = await this.#table.add(job);
    if (stored !== null) this.take(stored.value, stored.revision);
    this.begin();
    return this.#entries.get(job.id)?.job ?? job;
  }

  begin(): void {
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const scope = replayScope(job);
      this.#served.delete(scope);
      this.#served.add(scope);
      this.#running.add(scope);
      this.#turn(job)
        .then(() => true)
        .catch((error: unknown) => {
          if (!(error instanceof Stopped)) crash(error);
          return false;
        })
        .then((goesOn) => {
          this.#running.delete(scope);
          if (goesOn) this.begin();
        }, crash);
    }
  }

  /** The oldest job of the operator that had its turn longest ago. */
  #next(): ReplayJob | undefined {
    if (this.#running.size >= outboxLimits.replaysAtOnce) return undefined;
    const oldest = new Map<string, ReplayJob>();
    for (const job of this.jobs) {
      const scope = replayScope(job);
      if (!job.isDone && !this.#running.has(scope) && !oldest.has(scope)) oldest.set(scope, job);
    }
    const [fresh] = [...oldest.keys()].filter((scope) => !this.#served.has(scope));
    const next = fresh ?? [...this.#served].find((scope) => oldest.has(scope));
    return next === undefined ? undefined : oldest.get(next);
  }

  #turn(job: ReplayJob): Promise<void> {
    const beganMs = this.#clock.elapsedMs();
    const isOver = () => this.#clock.elapsedMs() - beganMs >= outboxLimits.replayTurnMs;
    return this.#run(job, (next) => this.#write(next), isOver);
  }

  async #write(job: ReplayJob): Promise<void> {
    const revision = await this.#table.write(job, this.#entries.get(job.id)?.revision ?? 0);
    if (revision === null) throw new Stopped('Another process works on the replay.');
    this.take(job, revision);
  }

  async #forgetOld(scope: string): Promise<void> {
    const done = [...this.#entries.values()].filter(({ job }) => job.isDone && replayScope(job) === scope);
    for (const { job, revision } of done.slice(0, Math.max(0, done.length - outboxLimits.replaysKept))) {
      await this.#table.remove(job.id, revision);
      this.#entries.delete(job.id);
    }
  }
}
