import type { BooksAnswer, BooksAsOf, BooksQuestion } from '../../../contracts/reports/questions.ts';
import { maxCounted } from '../../../contracts/reports/questions.ts';
import { pause } from '../../../lib/pauses.ts';
import { PublicError } from '../../base/errors.ts';
import type { GatewayContext } from '../operation/operation.ts';
import { partyOf } from '../services/readers.ts';
import { type BooksReader, booksScope } from './scope.ts';

type Found = Extract<BooksAnswer, { readonly kind: 'found' }>;

/** What the books found, and the headers that say so; null: they have no such thing. @throws PublicError */
export async function askedBooks(
  context: GatewayContext,
  principal: BooksReader,
  question: BooksQuestion,
): Promise<{ readonly found: Found; readonly headers: readonly string[] } | null> {
  const answer = await inTurn(context, principal, () => context.books(question));
  switch (answer.kind) {
    case 'found':
      return { found: answer, headers: headersOf(answer) };
    case 'missing':
      return null;
    case 'bad_cursor':
      throw new PublicError('invalid_parameter', 'cursor is none of this list.');
    case 'too_large':
      throw new PublicError('invalid_parameter', 'The answer would be too large: ask for less.');
  }
}

/** How long, and how often, a contribution is waited for. */
const waitMs = 3_000;
const pollIntervalMs = 150;

/**
 * Waits until the books have a contribution of the caller, or a while. Gives the headers that say so where
 * they still have not, and asks in turn each time: who waits keeps no place.
 */
export async function waited(
  context: GatewayContext,
  principal: BooksReader,
  id: string | undefined,
): Promise<readonly string[]> {
  if (id === undefined) return [];
  const where = [...booksScope(context, principal, {})];
  const { clock } = context;
  const beganMs = clock.elapsedMs();
  while ((await askedBooks(context, principal, { kind: 'has', id, where })) === null) {
    if (clock.elapsedMs() - beganMs >= waitMs) return ['x-incomplete', `contribution ${id}`];
    await pause(clock, pollIntervalMs);
  }
  return [];
}

function inTurn<T>(context: GatewayContext, principal: BooksReader, work: () => Promise<T>): Promise<T> {
  const party = principal.kind === 'service' ? `operators ${principal.operator}` : partyOf(principal);
  return context.readers.books.during(party, principal.subject, work);
}

function headersOf({ asOf, cursor, total }: Found): readonly string[] {
  return [
    ...(total === null ? [] : ['x-total-count', total > maxCounted ? `${maxCounted}+` : String(total)]),
    ...(cursor === null ? [] : ['x-next-cursor', cursor]),
    ...['x-as-of', asOfText(asOf)],
  ];
}

/** Lanes of one header: more would not fit what proxies pass. */
const maxLanesShown = 64;

/** The last message of each lane that is in the books, and its time; of many lanes those furthest back. */
function asOfText(asOf: BooksAsOf): string {
  return asOf
    .toSorted((left, right) => left.timestamp - right.timestamp)
    .slice(0, maxLanesShown)
    .toSorted((left, right) => left.lane - right.lane)
    .map(({ lane, sequence, timestamp }) => `${lane};sequence=${sequence};time=${timestamp}`)
    .join(', ');
}
