import { items, members } from '../../lib/unknown-json.ts';
import type { DrawReport } from './rows.ts';

type Triggers = NonNullable<DrawReport['triggers']>;

/** Bits of an entry's `flags` (docs/jpd1.md "8. The draw"). */
const hitFlag = 1;
const voidFlag = 2;
const notEvaluatedFlags = 4 | 8;

/**
 * The draw of a contribution in a published epoch, and the page that has it; null: it is not published, or
 * not in the epoch. `documentOf` gives a page of the epoch, or null.
 */
export async function publishedDraw(
  documentOf: (page: number) => Promise<Uint8Array | null>,
  sequence: number,
): Promise<{ readonly page: number; readonly triggers: Triggers } | null> {
  const text = async (page: number): Promise<string | null> => {
    const bytes = await documentOf(page);
    if (bytes === null) return null;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  };
  const first = await text(0);
  if (first === null) return null;
  const header = members(valueAt(first, first.indexOf('"header":') + '"header":'.length));
  const pots = items(header.pots).map((pot) => String(members(pot).id));
  let [page, document]: [number, string | null] = [0, first];
  // The last page that begins at the record or before it.
  let [low, high] = [1, Number(/^\{"v":1,"pages":(\d+),/.exec(first)?.[1] ?? 1) - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const candidate = await text(middle);
    const begins = Number(
      /"groups":\[\{"first_seq":(\d+),/.exec(candidate ?? '')?.[1] ?? Number.POSITIVE_INFINITY,
    );
    if (begins <= sequence) {
      [page, document] = [middle, candidate];
      low = middle + 1;
    } else high = middle - 1;
  }
  // Details name a sequence behind their type: only records begin with it.
  const at = document?.indexOf(`{"seq":${sequence},`) ?? -1;
  return document === null || at < 0
    ? null
    : { page, triggers: triggersOf(members(valueAt(document, at)), pots) };
}

function triggersOf(record: Readonly<Record<string, unknown>>, pots: readonly string[]): Triggers {
  return items(record.entries).map((entry) => triggerOf(members(entry), pots));
}

function triggerOf(
  { pot, trigger, v0, v1, num, den, u, flags }: Readonly<Record<string, unknown>>,
  pots: readonly string[],
): Triggers[number] {
  const bits = Number(flags);
  return {
    pot_id: pots[Number(pot)] ?? '',
    trigger: Number(trigger),
    is_evaluated: (bits & notEvaluatedFlags) === 0 && String(den) !== '0',
    is_hit: (bits & hitFlag) !== 0,
    is_void: (bits & voidFlag) !== 0,
    pot_value_before: BigInt(String(v0)),
    pot_value: BigInt(String(v1)),
    numerator: String(num),
    denominator: String(den),
    u: String(u),
  };
}

/** The object of a JSON text that begins at a place: pages are too long to be read whole. */
function valueAt(text: string, from: number): unknown {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const code = text[at];
    if (isText) {
      if (code === '\\') at += 1;
      else if (code === '"') isText = false;
    } else if (code === '"') isText = true;
    else if (code === '{') depth += 1;
    else if (code === '}') {
      depth -= 1;
      if (depth === 0) return JSON.parse(text.slice(from, at + 1));
    }
  }
  return null;
}
