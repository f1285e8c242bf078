import { headersOfBooks } from '../../../contracts/reports/answer-headers.ts';
import type { BooksAnswer, BooksQuestion } from '../../../contracts/reports/questions.ts';
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
      return { found: answer, headers: headersOfBooks(answer) };
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
