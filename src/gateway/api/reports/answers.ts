import { headersOfBooks } from '../../../contracts/reports/answer-headers.ts';
import type {
  BooksAnswer,
  BooksAsOf,
  BooksQuestion,
  LogPlace,
} from '../../../contracts/reports/questions.ts';
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
  const readers = question.kind === 'at' ? context.readers.places : context.readers.books;
  const party = principal.kind === 'service' ? `operators ${principal.operator}` : partyOf(principal);
  const answer = await readers.during(party, principal.subject, () => context.books(question));
  switch (answer.kind) {
    case 'found':
      return { found: answer, headers: [...headersOfBooks(answer), ...behind(context, answer.asOf)] };
    case 'missing':
      return null;
    case 'bad_cursor':
      throw new PublicError('invalid_parameter', 'cursor is none of this list.');
    case 'too_large':
      throw new PublicError('invalid_parameter', 'The answer would be too large: ask for less.');
    case 'too_far':
      throw new PublicError(
        'overloaded',
        `The place is too far from the snapshot before it for one answer. The replay has come to ${textOf(answer.reached)}; ask again, and it goes on.`,
      );
    case 'not_kept':
      throw new PublicError('invalid_parameter', notKept(answer.oldest));
    case 'ahead':
      throw new PublicError('invalid_parameter', `The lane ends at message ${answer.last}.`);
  }
}

/** Where the books are behind for half a minute or longer. A lane that they do not have yet has no time. */
function behind({ lanes }: GatewayContext, asOf: BooksAsOf): readonly string[] {
  const positions = new Map(asOf.map((each) => [each.lane, each]));
  const late = Array.from({ length: lanes.lanes }, (_, lane) => lane).filter(
    (lane) => (positions.get(lane)?.sequence ?? 0) < lanes.pastEnd(lane),
  );
  if (late.length === 0) return [];
  const endMs = Math.min(...late.map((lane) => positions.get(lane)?.timestamp ?? 0));
  const until = endMs === 0 ? '' : ` until ${new Date(endMs).toISOString()}`;
  return ['x-incomplete', `lanes ${late.join(',')}${until}`];
}

function notKept(oldest: LogPlace | null): string {
  return oldest === null
    ? 'No record so old names the keys of its draws: "potstream replay" on an actor host can show the place.'
    : `Log and archive do not reach back so far: the oldest place is ${textOf(oldest)}.`;
}

function textOf({ sequence, timestamp }: LogPlace): string {
  return `message ${sequence}, ${new Date(timestamp).toISOString()}`;
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
