import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { pause } from '../../lib/pauses.ts';
import { decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import { isUnreadable, type Log, LogError, type StoredOutcome } from '../../ports.ts';
import type { WalkPorts } from '../backlog/walk.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { undamagedRecord } from '../delivery/record-callbacks.ts';
import type { ReplayJob } from '../store/entries.ts';
import { persistently, Stopped } from '../store/persistently.ts';
import type { StoredDeliveries } from '../stored/stored-deliveries.ts';
import type { RunReplay } from './replay-jobs.ts';

interface ReplayPorts extends Pick<WalkPorts, 'filter' | 'deliveriesOf'> {
  readonly lane: number;
  readonly log: Pick<Log, 'followOutcomes' | 'readOutcomes'>;
  readonly guard: Parameters<typeof persistently>[0];
  readonly stored: Pick<StoredDeliveries, 'known' | 'has' | 'replay'>;
  /** The replay waits before this record, which only a newer release can read. */
  readonly unsupported: (sequence: number, error: LogError) => void;
  /** Tries a delivery, and stores it if that fails. */
  readonly send: (delivery: Delivery, job: ReplayJob) => Promise<void>;
}

/**
 * Replays a time range: stored dead deliveries, then the callbacks of the log, oldest first, some at a time.
 */
export function replayRunner(ports: ReplayPorts): RunReplay {
  return async (job, progress, isOver) => {
    let current = job;
    if (job.next === 0) {
      await replayStored(ports, job);
      const next = await firstAt(ports, job);
      current = { ...job, next, isDone: await isBehind(ports, job, next) };
      await progress(current);
      if (current.isDone) return;
    }
    await replayLog(ports, current, progress, isOver);
  };
}

function covers({ owners, fromMs, toMs }: ReplayJob, owner: string, atMs: number): boolean {
  if (atMs < fromMs || atMs > toMs) return false;
  return owners.length === 0 || owners.includes(owner) || owners.includes(operatorOf(owner));
}

async function replayStored({ stored }: ReplayPorts, job: ReplayJob): Promise<void> {
  const dead = [...stored.known()].filter(
    ({ state, owner, createdMs }) => state === 'dead' && covers(job, owner, createdMs),
  );
  for (const { id } of dead) await stored.replay(id);
}

/** The first record that is not before a time: by halves, because the times of records never fall. */
export async function firstAt(
  { lane, log, guard }: Pick<ReplayPorts, 'lane' | 'guard'> & { readonly log: Pick<Log, 'readOutcomes'> },
  { fromMs, last }: Pick<ReplayJob, 'fromMs' | 'last'>,
): Promise<number> {
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await persistently(guard, () => log.readOutcomes(lane, middle));
    const atMs = found === undefined ? null : timeOf(found);
    // To begin too early costs a look at each record; to begin too late would leave some out.
    if (found === undefined || atMs === null || atMs >= fromMs) high = middle;
    else low = found.sequence + 1;
  }
  return low;
}

/** Whether no record from `next` on is in the range. */
async function isBehind({ lane, log, guard }: ReplayPorts, job: ReplayJob, next: number): Promise<boolean> {
  if (next > job.last) return true;
  const [found] = await persistently(guard, () => log.readOutcomes(lane, next));
  const atMs = found === undefined ? null : timeOf(found);
  return atMs !== null && atMs > job.toMs;
}

/** null: the record is damaged, or of a newer release. */
function timeOf({ bytes }: StoredOutcome): number | null {
  try {
    return decodeOutcomeRecord(bytes).timestampMs;
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

/** Through outages: after each it goes on where it was. At least one record of it in a turn. */
async function replayLog(
  ports: ReplayPorts,
  job: ReplayJob,
  progress: (job: ReplayJob) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  let current = job;
  do {
    const reader = new RangeReader(ports, current, progress, isOver);
    try {
      current = await reader.read();
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      current = reader.job;
      if (error.code === 'unsupported') ports.unsupported(current.next, error);
      await pause(ports.guard.clock, outboxLimits.maxPauseMs);
    }
    if (ports.guard.stopped()) throw new Stopped('The lane was given up.');
  } while (!current.isDone && !isOver());
  await progress(current);
}

/** One reading of the log for a job, from its next record on. */
class RangeReader {
  job: ReplayJob;
  readonly #ports: ReplayPorts;
  readonly #progress: (job: ReplayJob) => Promise<void>;
  readonly #isOver: () => boolean;
  #records = 0;

  constructor(
    ports: ReplayPorts,
    job: ReplayJob,
    progress: (job: ReplayJob) => Promise<void>,
    isOver: () => boolean,
  ) {
    this.#ports = ports;
    this.job = job;
    this.#progress = progress;
    this.#isOver = isOver;
  }

  /** The job at its end, or where its turn ended. @throws LogError */
  async read(): Promise<ReplayJob> {
    const { lane, log } = this.#ports;
    let end: () => void = () => {};
    let isBroken = false;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const follower = log.followOutcomes(lane, this.job.next, this.#ports.filter, {
      message: async ({ bytes, sequence }) => {
        if (isBroken) return;
        if (!(await this.#replay(sequence, bytes))) return end();
        isBroken = this.#isOver();
        if (isBroken) end();
      },
      // The log has had the job's last record: nothing is left, though the last callback is older.
      caughtUp: () => end(),
    });
    await Promise.race([ended, follower.done]);
    await follower.stop();
    return { ...this.job, isDone: !isBroken };
  }

  /** False: the record is after the range. */
  async #replay(sequence: number, bytes: Uint8Array): Promise<boolean> {
    const { job } = this;
    if (sequence > job.last) return false;
    const record = undamagedRecord(bytes);
    if (record === null) {
      this.job = { ...job, lost: job.lost + 1 };
      return true;
    }
    if (record.timestampMs > job.toMs) return false;
    const { deliveries, lost } = await this.#ports.deliveriesOf(record, true);
    const wanted = deliveries.filter(({ owner, createdMs }) => covers(job, owner, createdMs));
    await sendSome(this.#ports, job, wanted);
    const done = { deliveries: job.deliveries + wanted.length, lost: job.lost + lost };
    this.job = { ...job, ...done, next: sequence + 1 };
    this.#records += 1;
    if (this.#records % outboxLimits.recordsPerProgress === 0) await this.#progress(this.job);
    return true;
  }
}

async function sendSome(
  { stored, send }: ReplayPorts,
  job: ReplayJob,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { replayedAtOnce } = outboxLimits;
  for (let from = 0; from < deliveries.length; from += replayedAtOnce) {
    await Promise.all(
      deliveries.slice(from, from + replayedAtOnce).map(async (delivery) => {
        if (stored.has(delivery.id)) await stored.replay(delivery.id);
        else await send(delivery, job);
      }),
    );
  }
}
