import { equalBytes, toHex } from '../../lib/bytes.ts';
import { unframe } from '../../lib/json-chunks.ts';
import type { LoopTurn } from '../../lib/turns.ts';
import type { SnapshotChunks } from '../recovery/snapshots/parts.ts';
import type { Replica } from '../replica/replica.ts';

/** The parts of an instance's facts that every version of the engine writes. */
const instanceFacts = ['head', 'sequence', 'status', 'version', 'counter'] as const;

type Facts = Readonly<Record<string, unknown>> & { readonly type?: string };

/**
 * Compares a snapshot with the replayed state of the same sequence, chunk by chunk; null: they are equal. A
 * snapshot with other members was written by an earlier version: of it heads, statuses and balances of the
 * instances are compared.
 */
export async function differenceOf(
  snapshot: SnapshotChunks,
  replica: Replica,
  turn: LoopTurn,
): Promise<string | null> {
  if (!equalBytes(snapshot.laneHead, replica.laneHead))
    return `its lane head is ${toHex(snapshot.laneHead)}, not ${toHex(replica.laneHead)}`;
  const replayed = replica.engine.snapshot()[Symbol.iterator]();
  const stored = snapshot.chunks[Symbol.iterator]();
  try {
    const next = { stored: readNext(stored, isAny), replayed: readNext(replayed, isAny) };
    // The first chunk has the facts of the lane.
    const wanted = sameMembers(next.stored, next.replayed) ? isAny : isInstance;
    if (wanted === isInstance) {
      next.stored = readNext(stored, wanted);
      next.replayed = readNext(replayed, wanted);
    }
    for (;;) {
      const difference = differenceOfChunks(next.stored, next.replayed);
      if (difference !== null) return difference;
      if (next.stored === null) return null;
      next.stored = readNext(stored, wanted);
      next.replayed = readNext(replayed, wanted);
      if (turn.isOver) await turn.next();
    }
  } finally {
    // The engine keeps a copy of what changes until its snapshot is given up.
    replayed.return?.();
  }
}

function isAny(): boolean {
  return true;
}

function isInstance(chunk: Uint8Array): boolean {
  return factsOf(chunk).type === 'instance';
}

function readNext(chunks: Iterator<Uint8Array>, isWanted: (chunk: Uint8Array) => boolean): Uint8Array | null {
  for (;;) {
    const next = chunks.next();
    if (next.done === true) return null;
    if (isWanted(next.value)) return next.value;
  }
}

function differenceOfChunks(stored: Uint8Array | null, replayed: Uint8Array | null): string | null {
  if (stored === null || replayed === null)
    return stored === replayed ? null : 'it has another number of parts';
  if (equalBytes(stored, replayed)) return null;
  const [of, ours] = [factsOf(stored), factsOf(replayed)];
  const what = nameOf(ours);
  if (of.type !== 'instance' || ours.type !== 'instance') return `${what} differs`;
  const differing = instanceFacts.filter((fact) => of[fact] !== ours[fact]);
  if (differing.length > 0) return `${what} has another ${differing.join(', ')}`;
  if (!equalBytes(unframe(stored).payload, unframe(replayed).payload)) return `${what} has other balances`;
  return sameMembers(stored, replayed) ? `${what} differs` : null;
}

function nameOf(facts: Facts): string {
  if (facts.type === 'instance') return `the instance ${(facts.facts as { readonly id: string }).id}`;
  return typeof facts.instance === 'string'
    ? `the part ${facts.type} of ${facts.instance}`
    : `the part ${facts.type}`;
}

function sameMembers(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return false;
  return Object.keys(factsOf(one)).join() === Object.keys(factsOf(other)).join();
}

function factsOf(chunk: Uint8Array): Facts {
  return unframe(chunk).facts as Facts;
}
