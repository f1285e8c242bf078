import { operatorOf } from './identifiers.ts';

/** Unfinished replays of one scope. */
export const replaysWaitingOfOperator = 32;

/** What of a replay decides whose it is and which callbacks it sends. `owners`: empty: everybody's, an operator stands for its brands. */
interface Replay {
  readonly owners: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** The operators whose callbacks a replay sends: those of one scope have one turn. */
export function replayScope({ owners }: Pick<Replay, 'owners'>): string {
  return [...new Set(owners.map(operatorOf))].sort().join(' ');
}

/** Whether both send the same callbacks. Those of the system are no tenant's, and only meet one another. */
export function replaysOverlap(one: Replay, other: Replay): boolean {
  if (one.toMs < other.fromMs || other.toMs < one.fromMs) return false;
  if (one.owners.length === 0 || other.owners.length === 0) return one.owners.length === other.owners.length;
  const covers = (owners: readonly string[], owner: string) =>
    owners.includes(owner) || owners.includes(operatorOf(owner));
  return (
    one.owners.some((owner) => covers(other.owners, owner)) ||
    other.owners.some((owner) => covers(one.owners, owner))
  );
}
