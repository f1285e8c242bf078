import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type BooksAnswer,
  type BooksQuestion,
  decodeBooksAnswer,
  encodeBooksQuestion,
} from '../../../src/contracts/reports/questions.ts';
import type { BooksReach } from '../../../src/reporting/answers/messages.ts';
import { reportingLimits } from '../../../src/reporting/base/limits.ts';
import { Answers } from '../../../src/reporting/role/answers.ts';
import { beginRebuild, openStore } from '../../../src/reporting/store/open.ts';
import { batchTo, rowWith } from '../support/batches.ts';
import { systemId } from '../support/places.ts';

/** As it is shipped. */
const program = resolve(import.meta.dirname, '../../../dist/program/answer-thread.js');
const question: BooksQuestion = {
  ...{ kind: 'list', of: 'contributions', where: [], direction: 1, cursor: null, limit: 10, counts: true },
};

let directory: string;
let books: BooksReach;
let answers: Answers;
let bugs: unknown[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-answers-'));
  books = { place: { directory }, systemId };
  bugs = [];
  answers = new Answers(
    program,
    () => books,
    (error) => bugs.push(error),
  );
  await written(1, -1);
});
afterEach(async () => {
  await answers.stop();
  rmSync(directory, { recursive: true, force: true });
  expect(bugs).toEqual([]);
});

async function written(sequence: number, after: number): Promise<void> {
  const store = await openStore(books.place, systemId);
  const row = rowWith('contributions', { sequence, contribution_id: `id-${sequence}` });
  await store.write(batchTo(sequence, after, { rows: { contributions: [row] } }));
  await store.close();
}

function ask(bytes: Uint8Array = encodeBooksQuestion(question)): Promise<BooksAnswer | null> {
  return new Promise((done) =>
    answers.answer({ bytes, respond: (answer) => done(decodeBooksAnswer(answer)) }),
  );
}

it('answers what is in the books, also what is written meanwhile', async () => {
  expect(await ask()).toMatchObject({ kind: 'found', total: 1 });
  await written(2, 1);
  expect(await ask()).toMatchObject({ kind: 'found', total: 2 });
});

it('answers from the books that have taken the place of others', async () => {
  expect(await ask()).toMatchObject({ total: 1 });
  const rebuild = await beginRebuild(books.place, systemId);
  await rebuild.swap();
  expect(await ask()).toMatchObject({ kind: 'found', total: 0 });
});

it('is not available to what is no question, or comes while too many wait, and answers the others', async () => {
  expect(await ask(Buffer.from('{}'))).toMatchObject({ kind: 'unavailable' });
  const all = await Promise.all(Array.from({ length: reportingLimits.questionsAtOnce + 5 }, () => ask()));
  expect(all.filter((answer) => answer?.kind === 'unavailable')).toHaveLength(5);
  expect(all.filter((answer) => answer?.kind === 'found')).toHaveLength(reportingLimits.questionsAtOnce);
});

it('a thread that ends is started again', async () => {
  expect(await ask()).toMatchObject({ kind: 'found' });
  const waiting = ask();
  await answers.stop();
  expect((await waiting)?.kind).toMatch(/found|unavailable/);
  expect(await ask()).toMatchObject({ kind: 'found' });
});

it('a database that is down, or another system’s, is not available, and is asked again', async () => {
  const own = books;
  books = { place: { url: 'postgresql://nobody@127.0.0.1:1/none' }, systemId };
  expect(await ask()).toMatchObject({ kind: 'unavailable' });
  books = { ...own, systemId: 'another' };
  expect(await ask()).toMatchObject({ kind: 'unavailable' });
  books = own;
  expect(await ask()).toMatchObject({ kind: 'found' });
});
