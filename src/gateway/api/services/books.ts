import {
  type BooksAnswer,
  type BooksQuestion,
  decodeBooksAnswer,
  encodeBooksQuestion,
} from '../../../contracts/reports/questions.ts';
import { type Bus, LogError } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';

/** Asks the role that keeps the books. @throws PublicError overloaded where none answers in time */
export type AskBooks = (
  question: BooksQuestion,
) => Promise<Exclude<BooksAnswer, { readonly kind: 'unavailable' }>>;

/** Below the time of a request. */
const answerTimeoutMs = 7_000;

export function askBooks(bus: Pick<Bus, 'request'>, subject: string): AskBooks {
  return async (question) => {
    const answer = await bus
      .request(subject, encodeBooksQuestion(question), answerTimeoutMs)
      .then(decodeBooksAnswer, (error: unknown) => {
        if (error instanceof LogError) return null;
        throw error;
      });
    if (answer === null || answer.kind === 'unavailable')
      throw new PublicError(
        'overloaded',
        'The books do not answer, or the question is too large for its time.',
      );
    return answer;
  };
}
