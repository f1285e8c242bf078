import { writeJson } from '../../lib/json.ts';
import type { LaneEvent } from '../../messages/events.ts';
import { type FeedEvent, type FeedEventMaker, jackpotEnvelope } from './feed-event.ts';
import { optInChangedEvent } from './opt-in-changed.ts';
import { payoutChangedEvent } from './payout-changed.ts';
import { raffleWonEvent } from './raffle-won.ts';
import { statusChangedEvent } from './status-changed.ts';
import { ticketsAwardedEvent } from './tickets-awarded.ts';
import { wonEvent } from './won.ts';

/** One line for each kind of lane event; null: it is no feed event, but moves lookups or live values. */
const makers: { readonly [K in LaneEvent['kind']]: FeedEventMaker<K> | null } = {
  Won: wonEvent,
  StatusChanged: statusChangedEvent,
  OptInChanged: optInChangedEvent,
  TicketsAwarded: ticketsAwardedEvent,
  RaffleWon: raffleWonEvent,
  PayoutChanged: payoutChangedEvent,
  InstanceChanged: null,
  BindingsChanged: null,
  EpochStarted: null,
  EpochEnded: null,
  EpochRevealed: null,
};

export function feedEventOf(event: LaneEvent, timestampMs: number): FeedEvent | null {
  const make = makers[event.kind] as FeedEventMaker<LaneEvent['kind']> | null | undefined;
  // A kind that this version does not know is for newer versions.
  const made = make?.(event) ?? null;
  if (made === null) return null;
  const { content, publicData, ...rest } = made;
  return {
    ...rest,
    timestampMs,
    encode(known, viewer) {
      const { publicOf } = viewer;
      const said =
        publicOf === undefined
          ? content(known, viewer)
          : { owner: publicOf, data: publicData?.(viewer, publicOf) ?? null };
      if (publicOf !== undefined && said.data === null) return null;
      return jackpotEnvelope(rest.type, rest.instance, { ...said, data: writeJson(said.data) }, timestampMs);
    },
  };
}
