import { toHex } from '../../lib/bytes.ts';
import { dayAt, startOfDay } from '../base/days.ts';
import { BooksError } from '../books/books-error.ts';
import { advanceBooks, type BooksPorts, openBooks } from '../books/open-books.ts';
import { balancesAtPosition } from '../store/questions/balances.ts';
import { scan } from '../store/questions/scan.ts';
import type { BooksStore } from '../store/store.ts';
import { checkBooks, compareAccounts } from './check.ts';
import type { Finding } from './finding.ts';

/**
 * Whether the newest balances of a lane's instances are the lane's own at that place of its log: a replay
 * without draw keys, to the position that each instance's balances were read at.
 * @throws BooksError, LogError, StoreError
 */
export async function* checkLaneAccounts(
  store: BooksStore,
  lane: number,
  ports: BooksPorts,
  isWanted: (instance: string) => boolean = () => true,
): AsyncGenerator<Finding, void, undefined> {
  const position = await store.position(lane);
  if (position === null) return;
  const books = await openBooks(lane, position, ports);
  const ids = new Set([...books.instances(), ...(await instancesOfLane(store, lane))]);
  for (const instance of [...ids].filter(isWanted).sort()) {
    const { sequence, head, balances } = await balancesAtPosition(store, lane, instance);
    await advanceBooks(books, lane, sequence, ports);
    // Books that were made anew meanwhile are at an earlier place.
    if (books.sequence !== sequence || toHex(books.head) !== head)
      throw new BooksError('books_differ', lane, sequence, 'the position changed while it was compared');
    yield* compareAccounts(instance, balances, new Map(books.accounts(instance) ?? []));
  }
}

/**
 * Whether the closed days of a lane's instances, and their accounts, are as they should be.
 * @throws as `checkLaneAccounts`
 */
export async function* checkLane(
  store: BooksStore,
  lane: number,
  lastDays: number,
  ports: BooksPorts,
): AsyncGenerator<Finding, void, undefined> {
  const position = await store.position(lane);
  if (position === null) return;
  const to = dayBefore(dayAt(position.timestampMs));
  const from = dayAt(startOfDay(to) - (lastDays - 1) * dayMs);
  yield* checkBooks(store, { from, to, instances: await instancesOfLane(store, lane) });
  yield* checkLaneAccounts(store, lane, ports);
}

/** The last day that gets no more rows of any of these lanes; null: none has books. */
export async function lastClosedDay(store: BooksStore, lanes: Iterable<number>): Promise<string | null> {
  const times: number[] = [];
  for (const lane of lanes) {
    const position = await store.position(lane);
    if (position !== null) times.push(position.timestampMs);
  }
  return times.length === 0 ? null : dayBefore(dayAt(Math.min(...times)));
}

const dayMs = 86_400_000;

function dayBefore(day: string): string {
  return dayAt(startOfDay(day) - 1);
}

async function instancesOfLane(store: BooksStore, lane: number): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { instance } of scan(store, 'instances', {
    where: [{ column: 'lane', is: '=', value: lane }],
  }))
    found.add(instance);
  return found;
}
