'use client';
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Feed, FeedState, JackpotUpdate, RaffleWinEvent, WinEvent } from '../index.ts';
import { Choice } from '../ticker/choice.ts';
import type { JackpotTicker as JackpotTickerElement, TickerLabels } from '../ticker/index.ts';
import '../ticker/index.ts';
import { borrowFeed } from '../ticker/shared-feeds.ts';

export type { JackpotTickerElement, TickerLabels };

const FeedContext = createContext<Feed | null | undefined>(undefined);

export interface PotstreamProps {
  /** Address of the service. */
  readonly src: string;
  /** "operator_id/brand_id" */
  readonly brand: string;
  readonly currency?: string;
  /** Gives a ticket for each connection; without it the feed is the public one. */
  readonly ticket?: () => Promise<string>;
  readonly children?: ReactNode;
}

/** One feed for everything below it. */
export function Potstream({ src, brand, currency, ticket, children }: PotstreamProps): ReactElement {
  const [feed, setFeed] = useState<Feed | null>(null);
  // Usually a new function with each rendering: that is no reason to connect anew.
  const newestTicket = useRef(ticket);
  newestTicket.current = ticket;
  const hasTicket = ticket !== undefined;
  useEffect(() => {
    const borrowed = borrowFeed({
      url: new URL(src, document.baseURI).href,
      brand,
      ...(currency === undefined ? {} : { currency }),
      ...(hasTicket ? { ticket: async () => (await newestTicket.current?.()) ?? '' } : {}),
    });
    setFeed(borrowed.feed);
    return () => {
      setFeed(null);
      borrowed.release();
    };
  }, [src, brand, currency, hasTicket]);
  return createElement(FeedContext.Provider, { value: feed }, children);
}

/** The feed of the `<Potstream>` around the component; null until the page is mounted. */
export function useFeed(): Feed | null {
  const feed = useContext(FeedContext);
  if (feed === undefined) throw new Error('There is no <Potstream> around this component.');
  return feed;
}

export interface Jackpot {
  /** Newest authoritative values; amounts are decimal strings. null: none has come yet. */
  readonly jackpot: JackpotUpdate['data'] | null;
  readonly state: FeedState;
  /** The newest win of it since the component was mounted. */
  readonly win: WinEvent | RaffleWinEvent | null;
}

const nothing: Jackpot = { jackpot: null, state: 'connecting', win: null };

/** The jackpot of a source, live; or of an instance: `useJackpot({ instance })`. */
export function useJackpot(wanted: string | { readonly instance: string }): Jackpot {
  const feed = useFeed();
  const [live, setLive] = useState(nothing);
  const source = typeof wanted === 'string' ? wanted : null;
  const instance = typeof wanted === 'string' ? null : wanted.instance;
  useEffect(() => {
    setLive(nothing);
    if (feed === null) return;
    const choice = new Choice({ source, instance });
    const see = (update: JackpotUpdate) => {
      if (choice.take(update)) setLive((before) => ({ ...before, jackpot: update.data }));
    };
    const won = (win: WinEvent | RaffleWinEvent) => {
      if (win.instance_id === choice.update?.data.id) setLive((before) => ({ ...before, win }));
    };
    const listening = [
      feed.on('state', (state) => setLive((before) => ({ ...before, state }))),
      feed.on('update', see),
      feed.on('win', won),
      feed.on('raffle', won),
    ];
    setLive((before) => ({ ...before, state: feed.state }));
    for (const update of feed.jackpots.values()) see(update);
    return () => {
      for (const stop of listening) stop();
    };
  }, [feed, source, instance]);
  return live;
}

export interface JackpotTickerProps {
  readonly source?: string;
  readonly instance?: string;
  readonly pots?: string;
  readonly label?: string;
  readonly locale?: string;
  readonly mustDrop?: string;
  readonly labels?: Partial<TickerLabels>;
  readonly className?: string;
  /** Its `preventDefault()` leaves the celebration to you. */
  readonly onWin?: (event: CustomEvent<WinEvent | RaffleWinEvent>) => void;
}

/** `<jackpot-ticker>` on the feed of the `<Potstream>` around it. */
export function JackpotTicker({
  className,
  mustDrop,
  labels,
  onWin,
  ...attributes
}: JackpotTickerProps): ReactElement {
  const feed = useFeed();
  const element = useRef<JackpotTickerElement>(null);
  const newestOnWin = useRef(onWin);
  newestOnWin.current = onWin;
  useEffect(() => {
    if (element.current !== null) element.current.feed = feed;
  }, [feed]);
  const words = JSON.stringify(labels ?? {});
  useEffect(() => {
    if (element.current !== null) element.current.labels = JSON.parse(words) as Partial<TickerLabels>;
  }, [words]);
  useEffect(() => {
    const ticker = element.current;
    const tell = (event: Event) => newestOnWin.current?.(event as CustomEvent<WinEvent | RaffleWinEvent>);
    ticker?.addEventListener('potstream-win', tell);
    return () => ticker?.removeEventListener('potstream-win', tell);
  }, []);
  return createElement('jackpot-ticker', {
    ...attributes,
    ...(className === undefined ? {} : { class: className }),
    ...(mustDrop === undefined ? {} : { 'must-drop': mustDrop }),
    ref: element,
  });
}
