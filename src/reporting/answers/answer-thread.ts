/**
 * The thread that answers questions about the books: what they cost the processor, and what libsql reads
 * without a pause, holds up no writing. Started by role/answers.ts.
 */
import { parentPort } from 'node:worker_threads';
import {
  type BooksAnswer,
  decodeBooksQuestion,
  encodeBooksAnswer,
} from '../../contracts/reports/questions.ts';
import { assert } from '../../lib/assert.ts';
import { StoreError } from '../base/errors.ts';
import { answerBooks } from './answer.ts';
import type { FromAnswers, ToAnswers } from './messages.ts';
import { ReadStore } from './read-store.ts';

assert(parentPort !== null, 'this is a thread');
const parent = parentPort;
const send = (message: FromAnswers): void => parent.postMessage(message);
const store = new ReadStore();

parent.on('message', ({ id, bytes, books }: ToAnswers) => {
  answered(bytes, books).then(
    (answer) => send({ id, bytes: encodeBooksAnswer(answer) }),
    (error: unknown) => {
      if (!(error instanceof StoreError)) send({ bug: error instanceof Error ? error : String(error) });
      send({ id, bytes: encodeBooksAnswer({ kind: 'unavailable', body: '' }) });
    },
  );
});

async function answered(bytes: Uint8Array, books: ToAnswers['books']): Promise<BooksAnswer> {
  const question = decodeBooksQuestion(bytes);
  if (question === null || question.kind === 'at') return { kind: 'unavailable', body: '' };
  return store.with(books, (opened) => answerBooks(opened, question));
}
