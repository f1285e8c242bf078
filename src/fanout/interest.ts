import { everyEventType, type SubscriptionEntry } from '../contracts/feed.ts';
import { narrowedInstances } from './limits.ts';

/** Event types of the source `jackpot` that this service sends so far. */
export type JackpotEventType = 'JackpotUpdate' | 'WinEvent' | 'InstanceStatusEvent' | 'OptInEvent';
const jackpotEventTypes: readonly JackpotEventType[] = [
  'JackpotUpdate',
  'WinEvent',
  'InstanceStatusEvent',
  'OptInEvent',
];

export type Selection = 'all' | ReadonlySet<string>;

/** What a connection wants to hear: for each event type all visible instances, or those it named. */
export interface Interest {
  readonly selections: ReadonlyMap<JackpotEventType, Selection>;
  /** Instance → the newest event counter that the client has seen. */
  readonly since: ReadonlyMap<string, number>;
}

const nothingSince: ReadonlyMap<string, number> = new Map();
/** By far the most sockets want everything; they share one object. */
const everything: Interest = {
  selections: new Map(jackpotEventTypes.map((type) => [type, 'all'])),
  since: nothingSince,
};

/** null: more instances are named than one connection may name. */
export function interestOf(entries: readonly SubscriptionEntry[]): Interest | null {
  const selections = new Map<JackpotEventType, Selection>();
  const since = new Map<string, number>();
  const named = new Set<string>();
  for (const entry of entries) {
    if (entry.source !== 'jackpot') continue;
    const ids = entry.instance_ids ?? null;
    for (const id of ids ?? []) named.add(id);
    for (const [id, counter] of Object.entries(entry.since ?? {}))
      since.set(id, Math.min(counter, since.get(id) ?? counter));
    for (const type of typesOf(entry.event_type)) selections.set(type, union(selections.get(type), ids));
  }
  if (named.size > narrowedInstances) return null;
  if (since.size === 0 && wantsEverything(selections)) return everything;
  return { selections, since };
}

export function wants(interest: Interest, type: JackpotEventType, instance: string): boolean {
  const selection = interest.selections.get(type);
  return selection !== undefined && (selection === 'all' || selection.has(instance));
}

/** Event types that nobody sends are no fault: a newer client may name them. */
function typesOf(eventType: string): readonly JackpotEventType[] {
  if (eventType === everyEventType) return jackpotEventTypes;
  return jackpotEventTypes.filter((type) => type === eventType);
}

function union(selection: Selection | undefined, ids: readonly string[] | null): Selection {
  if (selection === 'all' || ids === null) return 'all';
  return new Set([...(selection ?? []), ...ids]);
}

function wantsEverything(selections: ReadonlyMap<JackpotEventType, Selection>): boolean {
  return jackpotEventTypes.every((type) => selections.get(type) === 'all');
}
