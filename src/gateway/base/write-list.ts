import { writeJson } from '../../lib/json.ts';
import { nextTurn } from '../../lib/turns.ts';

const itemsPerTurn = 50;

/** A list of any length as JSON, written in slices: others get in between. */
export function writeList<T>(items: readonly T[], view: (item: T) => unknown): Promise<string> {
  return writeTexts(items, (item) => writeJson(view(item)));
}

/** The same of items that are JSON already. */
export async function writeTexts<T>(items: readonly T[], textOf: (item: T) => string): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length; from += itemsPerTurn) {
    if (from > 0) await nextTurn();
    parts.push(
      items
        .slice(from, from + itemsPerTurn)
        .map(textOf)
        .join(','),
    );
  }
  return `[${parts.join(',')}]`;
}
