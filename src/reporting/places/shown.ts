import { instanceView } from '../../contracts/jackpots/instance-view.ts';
import type { BooksAnswer, LogPlace, PlaceQuestion } from '../../contracts/reports/questions.ts';
import { toHex } from '../../lib/bytes.ts';
import { writeJson } from '../../lib/json.ts';
import type { LaneBooks } from '../books/lane-books.ts';
import type { LanePlaces } from './places.ts';

/** Answers a question about a place. @throws as `LanePlaces.at` */
export async function answerPlace(
  places: LanePlaces,
  { lane, instance, moment }: PlaceQuestion,
  withinMs?: number,
): Promise<BooksAnswer> {
  const found = await places.at(lane, moment, withinMs);
  return found.kind === 'there' ? shownAt(lane, instance, found.books, found.oldest) : { ...found, body: '' };
}

type Shown = Pick<LaneBooks, 'sequence' | 'timestampMs' | 'instance' | 'accounts'>;

/** The instance as administrators see it; missing: there was none then. */
export function shownAt(
  lane: number,
  id: string,
  { sequence, timestampMs: timestamp, instance: describe, accounts: accountsOf }: Shown,
  oldest: LogPlace | null,
): BooksAnswer {
  const asOf = [{ lane, sequence, timestamp }];
  const [instance, accounts] = [describe(id), accountsOf(id)];
  if (instance === null || accounts === null) return { kind: 'missing', asOf, body: '' };
  const body = writeJson({
    ...{ lane, sequence, timestamp, oldest },
    instance_sequence: instance.sequence,
    head: toHex(instance.head),
    instance: instanceView(instance),
    accounts: Object.fromEntries(accounts),
    sum: accounts.reduce((sum, [, atoms]) => sum + atoms, 0n),
  });
  return { kind: 'found', asOf, cursor: null, total: null, draws: [], body };
}
