import { recomputeAdjustment } from './adjustment.ts';
import type { Books } from './books.ts';
import { Disagreement, expectSame, expectThat } from './disagreement.ts';
import type { PublicRecord } from './document.ts';
import { type RoundFacts, recomputeRoundEnd } from './round.ts';
import { type Members, objectAt } from './shape.ts';
import { recomputeTransfer } from './transfer.ts';
import { recomputePayout, type WinFacts } from './win.ts';

/** What came of a record of its own. */
export type EventResult =
  | { readonly kind: 'adjustment' | 'transfer' | 'resume' }
  | { readonly kind: 'win' | 'round'; readonly pot: string; readonly amount: bigint };

/** A22, A29, A30, resumes, rounds, completions and receipts: records without a contribution. */
export function applyEvent(
  books: Books,
  record: PublicRecord,
  detail: Members,
  win: WinFacts,
  round: RoundFacts,
): EventResult {
  const { sequence, timestampMs } = record;
  switch (detail.type) {
    case 'adjustment':
      recomputeAdjustment(books, sequence, detail);
      return { kind: 'adjustment' };
    case 'switch':
    case 'completion':
    case 'receipt':
      recomputeTransfer(books, sequence, detail);
      return { kind: 'transfer' };
    case 'resume':
      expectThat('order', books.drawRules !== 1, 'a resume is recorded by rules that know none');
      expectSame(
        'order',
        'seq of the resume',
        objectAt(detail, 'the resume', ['type', 'seq']).seq as number,
        sequence,
      );
      books.resumed = timestampMs;
      return { kind: 'resume' };
    case 'round':
      return { kind: 'round', pot: books.pots[0]!.id, amount: recomputeRoundEnd(books, detail, round) };
    case 'trigger': {
      const pot = books.pots.find(({ id }) => id === detail.pot);
      expectThat('wins', pot !== undefined, 'a trigger names a pot that does not exist');
      const canPay = pot!.enabled && pot!.current > 0n;
      expectThat('wins', canPay, 'a trigger paid a pot that has nothing to pay');
      const paying = {
        pot: pot!,
        triggers: [],
        winner: null,
        isOwnCurrency: null,
        sequence,
        timestampMs,
        detail,
      };
      return { kind: 'win', pot: pot!.id, amount: recomputePayout(books, paying, win) };
    }
    default:
      throw new Disagreement('document', 'a record of its own is of no known type');
  }
}
