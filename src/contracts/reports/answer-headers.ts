import { type BooksAnswer, type BooksAsOf, maxCounted } from './questions.ts';

/** How many rows there are, where the list goes on, and how far the books are. */
export function headersOfBooks({
  asOf,
  cursor,
  total,
}: Extract<BooksAnswer, { readonly kind: 'found' }>): readonly string[] {
  return [
    ...(total === null ? [] : ['x-total-count', total > maxCounted ? `${maxCounted}+` : String(total)]),
    ...(cursor === null ? [] : ['x-next-cursor', cursor]),
    ...asOfHeader({ asOf }),
  ];
}

/** Lanes of one header: more would not fit what proxies pass. */
const maxLanesShown = 64;

/** The last message of each lane that is in the books, and its time; of many lanes those furthest back. */
export function asOfHeader({ asOf }: { readonly asOf: BooksAsOf }): readonly string[] {
  const lanes = asOf
    .toSorted((left, right) => left.timestamp - right.timestamp)
    .slice(0, maxLanesShown)
    .toSorted((left, right) => left.lane - right.lane)
    .map(({ lane, sequence, timestamp }) => `${lane};sequence=${sequence};time=${timestamp}`);
  return ['x-as-of', lanes.join(', ')];
}
