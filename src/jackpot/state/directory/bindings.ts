import type { BindingOwnerKind } from '../../../messages/instance-commands.ts';
import type { Binding, BindingList } from '../../../messages/records.ts';

/** Where sources and segments lead, lists in order of priority, and the segments' own priorities. */
export class BindingBook {
  readonly #lists = new Map<string, BindingList>();
  readonly #segmentPriorities = new Map<string, number>();

  list(of: BindingOwnerKind, owner: string, id: string): readonly Binding[] {
    return this.#lists.get(keyOf(of, owner, id))?.bindings ?? [];
  }

  set(of: BindingOwnerKind, owner: string, id: string, bindings: readonly Binding[]): void {
    const key = keyOf(of, owner, id);
    if (bindings.length === 0) this.#lists.delete(key);
    else this.#lists.set(key, { of, owner, id, bindings: [...bindings].sort(inOrder) });
  }

  all(): Iterable<BindingList> {
    return this.#lists.values();
  }

  segmentPriority(owner: string, segment: string): number | null {
    return this.#segmentPriorities.get(`${owner}/${segment}`) ?? null;
  }

  setSegmentPriority(owner: string, segment: string, priority: number | null): void {
    if (priority === null) this.#segmentPriorities.delete(`${owner}/${segment}`);
    else this.#segmentPriorities.set(`${owner}/${segment}`, priority);
  }

  segmentPriorities(): readonly (readonly [key: string, priority: number])[] {
    return [...this.#segmentPriorities];
  }

  restoreSegmentPriorities(entries: readonly (readonly [key: string, priority: number])[]): void {
    for (const [key, priority] of entries) this.#segmentPriorities.set(key, priority);
  }
}

/** One above the highest, at most `max`: then the ids of the instances decide. */
export function nextPriority(bindings: readonly Binding[], max: number): number {
  const highest = bindings.reduce((max, each) => Math.max(max, each.priority), -1);
  return Math.min(highest + 1, max);
}

function inOrder(a: Binding, b: Binding): number {
  return a.priority - b.priority || (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0);
}

function keyOf(of: BindingOwnerKind, owner: string, id: string): string {
  return `${of}/${owner}/${id}`;
}
