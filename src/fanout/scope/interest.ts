import type { SubscriptionEntry } from '../../contracts/feeds/feed.ts';
import {
  everyEventType,
  type ForeignSourceName,
  type JackpotEventType,
  jackpotEventTypes,
} from '../../contracts/feeds/feed-events.ts';
import { narrowedInstances } from '../base/limits.ts';

type Selection = 'all' | ReadonlySet<string>;

/** What a connection wants to hear: for each event type all visible instances, or those it named. */
export interface Interest {
  readonly selections: ReadonlyMap<JackpotEventType, Selection>;
  /** Other platforms' events: all types of a source, or those it named. They belong to no instance. */
  readonly foreign: ReadonlyMap<ForeignSourceName, Selection>;
  /** Instance → the newest event counter that the client has seen. */
  readonly since: ReadonlyMap<string, number>;
}

const nothingSince: ReadonlyMap<string, number> = new Map();
const nothingForeign: ReadonlyMap<ForeignSourceName, Selection> = new Map();
/** By far the most sockets want everything of the jackpots; they share one object. */
const everything: Interest = {
  selections: new Map(jackpotEventTypes.map((type) => [type, 'all'])),
  foreign: nothingForeign,
  since: nothingSince,
};

/** null: more instances are named than one connection may name. `bound`: its ticket names no others. */
export function interestOf(
  entries: readonly SubscriptionEntry[],
  bound: ReadonlySet<string> | null = null,
): Interest | null {
  const selections = new Map<JackpotEventType, Selection>();
  const foreign = new Map<ForeignSourceName, Selection>();
  const since = new Map<string, number>();
  const named = new Set<string>();
  for (const entry of entries) {
    if (entry.source !== 'jackpot') {
      const types = entry.event_type === everyEventType ? null : [entry.event_type];
      foreign.set(entry.source, union(foreign.get(entry.source), types));
      continue;
    }
    const ids = entry.instance_ids ?? null;
    for (const id of ids ?? []) named.add(id);
    for (const [id, counter] of Object.entries(entry.since ?? {}))
      since.set(id, Math.min(counter, since.get(id) ?? counter));
    const types = entry.event_type === everyEventType ? jackpotEventTypes : [entry.event_type];
    for (const type of types) selections.set(type, union(selections.get(type), ids));
  }
  if (named.size > narrowedInstances) return null;
  if (bound !== null) {
    for (const [type, selection] of selections)
      selections.set(
        type,
        selection === 'all' ? bound : new Set([...selection].filter((id) => bound.has(id))),
      );
    for (const id of since.keys()) if (!bound.has(id)) since.delete(id);
  }
  if (since.size === 0 && foreign.size === 0 && wantsEverything(selections)) return everything;
  return { selections, foreign, since };
}

/** The same from now on. */
export function withoutSince(interest: Interest): Interest {
  return interest.since.size === 0 ? interest : { ...interest, since: nothingSince };
}

export function wants(interest: Interest, type: JackpotEventType, instance: string): boolean {
  return selects(interest.selections.get(type), instance);
}

export function wantsForeign(interest: Interest, source: ForeignSourceName, eventType: string): boolean {
  return selects(interest.foreign.get(source), eventType);
}

function selects(selection: Selection | undefined, name: string): boolean {
  return selection !== undefined && (selection === 'all' || selection.has(name));
}

function union(selection: Selection | undefined, names: readonly string[] | null): Selection {
  if (selection === 'all' || names === null) return 'all';
  return new Set([...(selection ?? []), ...names]);
}

function wantsEverything(selections: ReadonlyMap<JackpotEventType, Selection>): boolean {
  return jackpotEventTypes.every((type) => selections.get(type) === 'all');
}
