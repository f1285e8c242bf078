import { useSyncExternalStore } from 'react';
import { booksEnd, onBooksEnd } from '../api/books.ts';
import { Time } from '../parts/values.tsx';

/** Above each screen while the books are behind: what comes from them is not of now. */
export function BooksBehind() {
  const endMs = useSyncExternalStore(onBooksEnd, booksEnd);
  if (endMs === null) return null;
  return (
    <p className="warning" role="status">
      {endMs === 0 ? (
        'The books are being made and are not whole yet.'
      ) : (
        <>
          The books are behind: they end at <Time ms={endMs} />.
        </>
      )}{' '}
      Winners, players, contributions, reports, charts and liability may lack what happened since. Pots, Money
      and Approvals are of now.
    </p>
  );
}
