import { connect, type Feed, type FeedOptions } from '../index.ts';

/** A feed that somebody uses; `release` gives it back. */
export interface Borrowed {
  readonly feed: Feed;
  release(): void;
}

type Wanted = Pick<FeedOptions, 'url' | 'brand' | 'currency' | 'ticket'>;
interface Shared {
  readonly wanted: Wanted;
  readonly feed: Feed;
  users: number;
}

/** A page that moves an element takes it out and puts it in again: that is no reason to connect anew. */
const keptMs = 1000;
const shared = new Set<Shared>();
const ticketSources = new Map<string, () => Promise<string>>();

/** All that want the same share one connection. */
export function borrowFeed(wanted: Wanted): Borrowed {
  const known = [...shared].find((one) => areEqual(one.wanted, wanted));
  const lent = known ?? { wanted, feed: connect(wanted), users: 0 };
  shared.add(lent);
  lent.users += 1;
  let isReleased = false;
  return {
    feed: lent.feed,
    release() {
      if (isReleased) return;
      isReleased = true;
      lent.users -= 1;
      setTimeout(() => {
        if (lent.users === 0 && shared.delete(lent)) lent.feed.close();
      }, keptMs);
    },
  };
}

/** Tickets from an address of the page's own server, which answers as `POST /v1/feed-tickets` does. */
export function ticketsFrom(address: string): () => Promise<string> {
  const known = ticketSources.get(address);
  if (known !== undefined) return known;
  const source = async () => {
    const answer = await fetch(address, { method: 'POST' });
    // By its status the feed knows whether another try makes sense.
    if (!answer.ok)
      throw Object.assign(new Error(`${address} gave no ticket: ${answer.status}`), {
        status: answer.status,
      });
    return ((await answer.json()) as { readonly ticket: string }).ticket;
  };
  ticketSources.set(address, source);
  return source;
}

function areEqual(one: Wanted, other: Wanted): boolean {
  return (
    one.url === other.url &&
    one.brand === other.brand &&
    one.currency === other.currency &&
    one.ticket === other.ticket
  );
}
