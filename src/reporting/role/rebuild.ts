import { pause } from '../../lib/pauses.ts';
import { LogError } from '../../ports.ts';
import type { ForgottenPlayers } from '../base/forgotten.ts';
import { reportingLimits } from '../base/limits.ts';
import { Bookkeeper, type BookkeeperPorts } from '../lane/bookkeeper.ts';
import { alarmOfTrouble, type Trouble } from '../lane/trouble.ts';
import { type BooksPlace, beginRebuild } from '../store/open.ts';

interface RebuildPorts extends Pick<BookkeeperPorts, 'log' | 'clock' | 'turn' | 'systemId' | 'open'> {
  readonly lanes: number;
  readonly place: BooksPlace;
  /** Players to forget before the first row is written; null: there are none. */
  readonly forgotten: ForgottenPlayers | null;
  readonly progress: (lanes: readonly RebuiltLane[]) => void;
  /** What is waited for, and what goes on. */
  readonly notice: (message: string) => void;
}

export interface RebuiltLane {
  readonly lane: number;
  readonly sequence: number;
  /** Where the lane's log ends. */
  readonly end: number;
  readonly rows: number;
}

/**
 * Makes the books of all lanes anew beside the ones in use, from the oldest place that log and archive lead
 * to, and puts them in their place. The role goes on at their positions.
 * @throws what keeps the books of a lane from going on
 */
export async function rebuildBooks(ports: RebuildPorts): Promise<readonly RebuiltLane[]> {
  const rebuild = await beginRebuild(ports.place, ports.systemId);
  if (ports.forgotten !== null) await rebuild.store.forget(ports.forgotten);
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const lanes = Array.from(
    { length: ports.lanes },
    (_, lane) => new LaneRebuild(lane, { ...ports, store: rebuild.store, fail }),
  );
  try {
    await Promise.race([failed, arrive(lanes, ports)]);
  } catch (error) {
    await Promise.all(lanes.map((lane) => lane.stop()));
    await rebuild.store.close();
    throw error;
  }
  await Promise.all(lanes.map((lane) => lane.stop()));
  await rebuild.swap();
  return lanes.map((lane) => lane.report);
}

async function arrive(lanes: readonly LaneRebuild[], { clock, progress }: RebuildPorts): Promise<void> {
  let saidMs = clock.elapsedMs();
  for (;;) {
    await Promise.all(lanes.map((lane) => lane.look()));
    if (lanes.every((lane) => lane.hasArrived)) return;
    if (clock.elapsedMs() - saidMs >= reportingLimits.progressEveryMs) {
      saidMs = clock.elapsedMs();
      progress(lanes.map((lane) => lane.report));
    }
    await pause(clock, reportingLimits.rebuildPollMs);
  }
}

class LaneRebuild {
  readonly #lane: number;
  readonly #log: RebuildPorts['log'];
  readonly #keeper: Bookkeeper;
  #rows = 0;
  #end = 0;
  /** Where the lane ended at first; null: not asked yet. */
  #target: number | null = null;
  #cannotBegin = false;

  constructor(
    lane: number,
    {
      fail,
      ...ports
    }: RebuildPorts & Pick<BookkeeperPorts, 'store'> & { readonly fail: (error: unknown) => void },
  ) {
    this.#lane = lane;
    this.#log = ports.log;
    this.#keeper = new Bookkeeper(lane, {
      ...ports,
      // The command has the lowest priority, and a person waits for it.
      ...{ spareTime: { isThere: true }, givesWayMs: 0 },
      written: ({ rows }) => {
        this.#rows += rows;
      },
      trouble: (_, trouble) => {
        if (trouble !== null && alarmOfTrouble(trouble) !== null) fail(trouble.error);
        else ports.notice(this.#noticeOf(trouble));
      },
    });
  }

  get report(): RebuiltLane {
    const sequence = this.#keeper.position?.sequence ?? 0;
    return { lane: this.#lane, sequence, end: this.#end, rows: this.#rows };
  }

  /** The role writes what comes meanwhile: nearly at the end is enough. */
  get hasArrived(): boolean {
    const { sequence, end } = this.report;
    if (this.#target === null) return false;
    return (
      this.#cannotBegin || (sequence >= this.#target && end - sequence <= reportingLimits.rebuildNearEnd)
    );
  }

  /** Asks how far the lane is. While the log is away, what was known stays, and the next look asks again. */
  async look(): Promise<void> {
    try {
      this.#end = await this.#log.lastOutcome(this.#lane);
    } catch (error) {
      if (error instanceof LogError && error.retryable) return;
      throw error;
    }
    this.#target ??= this.#end;
  }

  stop(): Promise<void> {
    return this.#keeper.stop();
  }

  #noticeOf(trouble: Trouble | null): string {
    this.#cannotBegin = trouble?.code === 'reporting_not_begun';
    if (trouble === null) return `lane ${this.#lane} goes on`;
    return `lane ${this.#lane} waits (${trouble.code}): ${String(trouble.error)}`;
  }
}
