import { SortedMap } from '../lib/sorted/sorted-map.ts';
import type { ReadModelEvent } from '../messages/events.ts';
import type {
  Binding,
  BindingList,
  InstanceDescription,
  LiveValues,
  LiveValuesNews,
} from '../messages/records.ts';
import { type ConfigurationView, viewConfiguration } from './configuration-view.ts';
import { ownedKey, ownersAbove } from './owners.ts';

/** An instance as the read model knows it. Each part carries the lane sequence at which it was true. */
export class KnownInstance {
  readonly lane: number;
  description: InstanceDescription;
  descriptionSequence: number;
  configuration: ConfigurationView;
  liveValuesSequence: number;
  /** The newest live values; not all may have been read yet. */
  latest: LiveValues | LiveValuesNews;

  constructor(lane: number, sequence: number, description: InstanceDescription, liveValues: LiveValues) {
    this.lane = lane;
    this.description = description;
    this.descriptionSequence = sequence;
    this.configuration = viewConfiguration(description.configuration);
    this.liveValuesSequence = sequence;
    this.latest = liveValues;
  }

  get status(): string {
    return this.latest.status;
  }

  /** The same object until there are others. */
  get liveValues(): LiveValues {
    if ('pots' in this.latest) return this.latest;
    const values = this.latest.values();
    this.latest = values;
    return values;
  }
}

interface KnownBindings {
  lane: number;
  sequence: number;
  list: readonly Binding[];
}

type InstanceField = 'id' | 'name' | 'owner_id' | 'created' | 'status' | 'last_updated';

type BindingOf = 'source' | 'segment';

/** The state of the lanes; news in any order has lane sequences, so older never replaces newer. */
export class LaneView {
  readonly instances = new SortedMap<KnownInstance, InstanceField>({
    fields: {
      id: ({ description }) => description.instance,
      name: ({ description }) => description.name,
      owner_id: ({ description }) => description.owner,
      created: ({ description }) => description.createdMs,
      status: ({ status }) => status,
      last_updated: ({ latest }) => latest.lastUpdatedMs,
    },
    moving: ['status', 'last_updated'],
    tie: ({ description }) => description.instance,
    text: ({ description }) => description.name,
    groups: ({ description }) => ownersAbove(description.owner),
  });
  readonly #bindings = {
    source: new Map<string, KnownBindings>(),
    segment: new Map<string, KnownBindings>(),
  };
  /** Instance → keys of the source lists that name it. */
  readonly #sourcesOf = new Map<string, Set<string>>();
  #structure = 0;

  /** Moves with instances and bindings, not with live values. */
  get structure(): number {
    return this.#structure;
  }

  describe(lane: number, sequence: number, description: InstanceDescription, liveValues?: LiveValues): void {
    const known = this.instances.get(description.instance);
    this.#structure += 1;
    if (known === undefined) {
      const values = liveValues ?? describedLiveValues(description);
      this.instances.set(description.instance, new KnownInstance(lane, sequence, description, values));
      return;
    }
    if (sequence >= known.descriptionSequence) {
      known.description = description;
      known.descriptionSequence = sequence;
      known.configuration = viewConfiguration(description.configuration);
      this.instances.changed(description.instance);
    }
    this.liveValues(sequence, liveValues ?? describedLiveValues(description));
  }

  liveValues(sequence: number, news: LiveValues | LiveValuesNews): boolean {
    const known = this.instances.get(news.instance);
    if (known === undefined || sequence < known.liveValuesSequence) return false;
    const { latest } = known;
    if (news.sequence < latest.sequence) return false;
    known.latest = news;
    known.liveValuesSequence = sequence;
    // Lanes repeat the values of all their instances.
    if (news.status !== latest.status || news.lastUpdatedMs !== latest.lastUpdatedMs)
      this.instances.moved(news.instance);
    return true;
  }

  bind(lane: number, sequence: number, change: BindingList): void {
    const lists = this.#bindings[change.of];
    const key = ownedKey(change.owner, change.id);
    const known = lists.get(key);
    // A list lives in one lane at a time; another lane's empty one is what it left behind.
    if (known !== undefined && known.lane === lane && sequence < known.sequence) return;
    if (known !== undefined && known.lane !== lane && change.bindings.length === 0) return;
    const list = [...change.bindings].sort(byPriority);
    this.#structure += 1;
    lists.set(key, { lane, sequence, list });
    if (change.of === 'source') this.#indexSources(key, known?.list ?? [], list);
  }

  /** Lists of the lane that are not among `present` were emptied while it was not followed. */
  emptyOthers(lane: number, sequence: number, present: readonly BindingList[]): void {
    for (const of of ['source', 'segment'] as const) {
      const keys = new Set(
        present.filter((each) => each.of === of).map(({ owner, id }) => ownedKey(owner, id)),
      );
      for (const [key, known] of this.#bindings[of]) {
        if (known.lane !== lane || keys.has(key) || known.list.length === 0) continue;
        const space = key.indexOf(' ');
        this.bind(lane, sequence, { of, owner: key.slice(0, space), id: key.slice(space + 1), bindings: [] });
      }
    }
  }

  event(lane: number, sequence: number, event: ReadModelEvent): void {
    if (event.kind === 'InstanceChanged') this.describe(lane, sequence, event.instance);
    else if (event.kind === 'BindingsChanged') this.bind(lane, sequence, event);
    else if (event.kind === 'StatusChanged') {
      const known = this.instances.get(event.instance);
      if (known === undefined || sequence < known.liveValuesSequence) return;
      known.latest = { ...known.liveValues, status: event.status };
      known.liveValuesSequence = sequence;
      this.instances.moved(event.instance);
    }
  }

  /** By priority, ties by instance id. */
  bindings(of: BindingOf, owner: string, id: string): readonly Binding[] {
    return this.#bindings[of].get(ownedKey(owner, id))?.list ?? [];
  }

  /** [owner, source id] of all sources that name the instance. */
  sourcesOf(instance: string): (readonly [owner: string, source: string])[] {
    return [...(this.#sourcesOf.get(instance) ?? [])].map((key) => {
      const space = key.indexOf(' ');
      return [key.slice(0, space), key.slice(space + 1)] as const;
    });
  }

  #indexSources(key: string, before: readonly Binding[], after: readonly Binding[]): void {
    for (const binding of before) this.#sourcesOf.get(binding.instance)?.delete(key);
    for (const binding of after) {
      const keys = this.#sourcesOf.get(binding.instance) ?? new Set();
      this.#sourcesOf.set(binding.instance, keys.add(key));
    }
  }
}

function byPriority(a: Binding, b: Binding): number {
  return a.priority - b.priority || (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0);
}

function describedLiveValues(description: InstanceDescription): LiveValues {
  return {
    instance: description.instance,
    sequence: description.sequence,
    version: description.version,
    status: description.status,
    pots: description.pots.map((pot) => ({
      pot: pot.pot,
      currentAtoms: pot.currentAtoms,
      instanceCount: pot.instanceCount,
      enabled: pot.enabled,
    })),
    head: description.head,
    epoch: description.epoch,
    lastUpdatedMs: description.lastUpdatedMs,
  };
}
