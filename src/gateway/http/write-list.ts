import { writeJson } from '../../lib/json.ts';
import { nextTurn } from '../../lib/next-turn.ts';

const itemsPerTurn = 50;

/** A list of any length as JSON, written in slices: others get in between. */
export async function writeList<T>(items: readonly T[], view: (item: T) => unknown): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length; from += itemsPerTurn) {
    if (from > 0) await nextTurn();
    const slice = items.slice(from, from + itemsPerTurn);
    parts.push(slice.map((item) => writeJson(view(item))).join(','));
  }
  return `[${parts.join(',')}]`;
}
