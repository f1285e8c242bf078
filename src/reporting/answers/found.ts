import type { BookedDraw } from '../../contracts/reports/questions.ts';

/** What was found: its body, and what an answer says beside it. */
export interface Found {
  readonly body: string;
  readonly cursor?: string | null;
  readonly total?: number | null;
  readonly draws?: readonly BookedDraw[];
}

/** What is no body. */
export type NotFound = 'missing' | 'bad_cursor' | 'too_large';
