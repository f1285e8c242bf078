import {
  type BooksAnswer,
  decodeBooksQuestion,
  encodeBooksAnswer,
  type PlaceQuestion,
} from '../../../src/contracts/reports/questions.ts';
import { type AskBooks, askBooks } from '../../../src/gateway/api/services/books.ts';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { answerBooks } from '../../../src/reporting/answers/answer.ts';
import { shownAt } from '../../../src/reporting/places/shown.ts';
import { openStore } from '../../../src/reporting/store/open.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { systemId } from '../../reporting/support/places.ts';

export interface TestBooks {
  readonly ask: AskBooks;
  /** How often they were asked. */
  asked(): number;
  /** For what a test writes. */
  store(): Promise<BooksStore>;
  close(): Promise<void>;
}

/** Lanes without a log have no earlier place than that behind their last message. */
function shownNow(engine: LaneEngine, { lane, instance }: PlaceQuestion): BooksAnswer {
  const { appliedSequence: sequence, timestampMs } = engine;
  const state = {
    sequence,
    timestampMs,
    instance: engine.describe,
    accounts: (id: string) => engine.accounts(id),
  };
  return shownAt(lane, instance, state, null);
}

/** Real books in a directory, which answer as the thread of the role does. They are made when they are needed. */
export function testBooks(directory: string, lanes: () => readonly LaneEngine[]): TestBooks {
  let opened: Promise<BooksStore> | null = null;
  let asked = 0;
  const store = (): Promise<BooksStore> => {
    opened ??= openStore({ directory }, systemId);
    return opened;
  };
  return {
    store,
    asked: () => asked,
    ask: askBooks(
      {
        async request(_, bytes) {
          asked += 1;
          const question = decodeBooksQuestion(bytes);
          if (question === null) throw new Error('That is no question.');
          if (question.kind === 'at') return encodeBooksAnswer(shownNow(lanes()[question.lane]!, question));
          return encodeBooksAnswer(await answerBooks(await store(), question));
        },
      },
      'reporting.ask',
    ),
    async close() {
      await (await opened)?.close();
    },
  };
}
