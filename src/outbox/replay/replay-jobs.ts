import { crash } from '../../lib/crash.ts';
import { outboxLimits } from '../limits.ts';
import type { DeliveryTable } from '../store/delivery-table.ts';
import { Stopped } from '../store/persistently.ts';
import type { ReplayJob } from './replay-job.ts';

interface Entry {
  readonly job: ReplayJob;
  readonly revision: number;
}

/** Does some of a job, and says how far it is; it may throw Stopped. */
export type RunReplay = (job: ReplayJob, progress: (job: ReplayJob) => Promise<void>) => Promise<void>;

/** The replays of one lane: one after the other, continued where they were after a restart. */
export class ReplayJobs {
  readonly #table: DeliveryTable;
  readonly #run: RunReplay;
  readonly #entries = new Map<string, Entry>();
  #isRunning = false;

  constructor(table: DeliveryTable, run: RunReplay) {
    this.#table = table;
    this.#run = run;
  }

  get jobs(): readonly ReplayJob[] {
    return [...this.#entries.values()].map(({ job }) => job);
  }

  /** A job that the table has. */
  take(job: ReplayJob, revision: number): void {
    this.#entries.set(job.id, { job, revision });
  }

  /** The job with this id, stored if it is new. null: too many wait. */
  async add(job: ReplayJob): Promise<ReplayJob | null> {
    const known = this.#entries.get(job.id);
    if (known !== undefined) return known.job;
    if (this.jobs.filter(({ isDone }) => !isDone).length >= outboxLimits.replaysWaiting) return null;
    await this.#forgetOld();
    const revision = await this.#table.writeReplay(job, 0);
    if (revision !== null) this.take(job, revision);
    else await this.#takeStored(job.id);
    this.begin();
    return this.#entries.get(job.id)?.job ?? job;
  }

  /** Another run stored it after this one had read the table. */
  async #takeStored(id: string): Promise<void> {
    const present = await this.#table.readReplay(id);
    if (present !== null) this.take(present.job, present.revision);
  }

  begin(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#runAll()
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) crash(error);
      })
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const job = this.jobs.find(({ isDone }) => !isDone);
      if (job === undefined) return;
      await this.#run(job, (next) => this.#write(next));
    }
  }

  async #write(job: ReplayJob): Promise<void> {
    const revision = await this.#table.writeReplay(job, this.#entries.get(job.id)?.revision ?? 0);
    if (revision === null) throw new Stopped('Another process works on the replay.');
    this.take(job, revision);
  }

  async #forgetOld(): Promise<void> {
    const done = [...this.#entries.values()].filter(({ job }) => job.isDone);
    for (const { job, revision } of done.slice(0, Math.max(0, done.length - outboxLimits.replaysKept))) {
      await this.#table.removeReplay(job.id, revision);
      this.#entries.delete(job.id);
    }
  }
}
