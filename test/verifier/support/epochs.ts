import { expect } from 'vitest';
import type { PageLimit } from '../../../src/actors/ports/epoch-ports.ts';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { LaneEvent } from '../../../src/messages/events.ts';
import { openEpoch, seedOf } from '../../jackpot/support/commands.ts';
import { TestLane } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { pagesOf } from '../../support/published-epoch.ts';

const dayMs = 86_400_000;

/** A lane whose epochs are committed, revealed and published as an owner does it. */
export class PublishingLane {
  readonly lane: TestLane;
  readonly #groups: DrawGroup[] = [];
  /** By instance: headers, by epoch; and how many epochs are revealed. */
  readonly #headers = new Map<string, string[]>();
  readonly #revealed = new Map<string, number>();
  #contributions = 0;

  constructor(epochSequences = 15, create = newLane) {
    this.lane = new TestLane({ epochSequences }, create);
    this.lane.recorder = { group: (group) => this.#groups.push(group) };
  }

  apply(...commands: readonly Command[]) {
    const outcome = this.lane.apply(...commands.map((command) => this.#identified(command)));
    this.#note(outcome.events);
    this.#doDuties();
    return outcome;
  }

  /** Lets the running epochs end and be revealed. */
  end(instance = 'jackpot'): void {
    this.lane.nowMs += dayMs;
    this.apply({ kind: 'Tick', instance });
  }

  /** The published file of every revealed epoch, parsed. */
  published(instance = 'jackpot'): readonly PublishedEpoch[] {
    return this.pages(undefined, instance).map(([whole]) => whole as PublishedEpoch);
  }

  /** The pages of every revealed epoch, parsed. */
  pages(limit?: PageLimit, instance = 'jackpot'): readonly (readonly unknown[])[] {
    const headers = this.#headers.get(instance) ?? [];
    const count = this.#revealed.get(instance) ?? 0;
    return headers.slice(0, count).map((header, epoch) => {
      const groups = this.#groups.filter((group) => group.instance === instance && group.epoch === epoch);
      const next = headers[epoch + 1] ?? this.lane.engine.closing(instance)!;
      const texts = pagesOf({ header, seed: seedOf(instance, epoch), next }, groups, limit);
      return texts.map((text) => JSON.parse(text));
    });
  }

  header(epoch: number, instance = 'jackpot'): unknown {
    const text = this.#headers.get(instance)?.[epoch];
    return text === undefined ? null : JSON.parse(text);
  }

  /** As the gateway does it: every contribution has an id that no other has. */
  #identified(command: Command): Command {
    if (command.kind !== 'Contribute' || command.contributionId.some((byte) => byte !== 0)) return command;
    this.#contributions += 1;
    const contributionId = new Uint8Array(16).fill(255);
    new DataView(contributionId.buffer).setUint32(0, this.#contributions);
    return { ...command, contributionId };
  }

  #doDuties(): void {
    for (const { instance, open, reveal } of this.lane.engine.epochTasks()) {
      for (const { epoch } of reveal) {
        const seed = seedOf(instance, epoch);
        const revealed = this.lane.apply({ kind: 'RevealEpoch', instance, epoch, seed });
        expect(revealed.outcomes[0]).toMatchObject({ kind: 'Done' });
        this.#note(revealed.events);
      }
      if (open !== null) this.#note(this.lane.apply(openEpoch(instance, open.epoch, open.commit)).events);
    }
    for (const { job, step } of this.lane.engine.jobs())
      this.#note(this.lane.apply({ kind: 'Continue', job, step }).events);
  }

  #note(events: readonly LaneEvent[]): void {
    for (const event of events) {
      if (event.kind === 'EpochStarted') {
        const headers = this.#headers.get(event.instance) ?? [];
        headers[event.epoch] = event.header;
        this.#headers.set(event.instance, headers);
      } else if (event.kind === 'EpochRevealed') this.#revealed.set(event.instance, event.epoch + 1);
    }
  }
}

/** As much of a published epoch's file as tests look at. */
export interface PublishedEpoch {
  readonly header: Readonly<Record<string, unknown>>;
  readonly groups: readonly { readonly details: readonly { readonly type: string }[] }[];
  readonly closing: { readonly head: string; readonly resumed?: number | null };
}
