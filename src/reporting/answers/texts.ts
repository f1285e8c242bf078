import { maxAnswerBytes } from '../../contracts/reports/questions.ts';

/** Room beside them is for the answer's head, and for what a gateway adds. */
const maxTextBytes = maxAnswerBytes - 100_000;

/** The texts of the first rows, one at least, that one answer has room for. */
export function textsThatFit<T>(rows: readonly T[], textOf: (row: T) => string): readonly string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const text = textOf(row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxTextBytes && texts.length > 0) break;
    texts.push(text);
  }
  return texts;
}
