export { connect } from './feed/connect.ts';
export type {
  CommunityPayoutErrorEvent,
  Feed,
  FeedError,
  FeedEvent,
  FeedEvents,
  FeedOptions,
  FeedState,
  ForeignEvent,
  Gap,
  InstanceStatusEvent,
  JackpotUpdate,
  OptInEvent,
  PayoutEvent,
  RaffleTicketEvent,
  RaffleWinEvent,
  WinEvent,
} from './feed/events.ts';
