import type { MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import { pagesOf } from '../../support/published-epoch.ts';
import type { TestLane } from '../support/lane.ts';

/** Collects what becomes public of the epochs of a lane. Documents begin at an instance's first epoch, in order. */
export class Published {
  readonly #lane: TestLane;
  readonly #headers = new Map<string, string[]>();
  readonly #groups = new Map<string, DrawGroup[]>();
  readonly #revealed = new Map<string, Uint8Array[]>();

  constructor(lane: TestLane) {
    this.#lane = lane;
    lane.recorder = {
      group: (group) => {
        const key = `${group.instance}/${group.epoch}`;
        const groups = this.#groups.get(key) ?? [];
        groups.push(group);
        this.#groups.set(key, groups);
      },
    };
  }

  note({ events }: MessageOutcome): void {
    for (const event of events) {
      if (event.kind === 'EpochStarted') this.#listOf(this.#headers, event.instance).push(event.header);
      if (event.kind === 'EpochRevealed') this.#listOf(this.#revealed, event.instance).push(event.seed);
    }
  }

  instances(): Iterable<string> {
    return this.#revealed.keys();
  }

  /** The files of an instance's revealed epochs, as text. */
  documents(instance: string): readonly string[] {
    const headers = this.#headers.get(instance) ?? [];
    return (this.#revealed.get(instance) ?? []).map((seed, epoch) => {
      const next = headers[epoch + 1] ?? this.#lane.engine.closing(instance)!;
      const groups = this.#groups.get(`${instance}/${epoch}`) ?? [];
      return pagesOf({ header: headers[epoch]!, seed, next }, groups)[0]!;
    });
  }

  #listOf<T>(lists: Map<string, T[]>, instance: string): T[] {
    const found = lists.get(instance) ?? [];
    lists.set(instance, found);
    return found;
  }
}
