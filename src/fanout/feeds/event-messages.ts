import { parseClientMessage } from '../../contracts/feeds/feed.ts';
import type { CloseReason } from '../connections/close-codes.ts';
import type { Connection } from '../connections/connection.ts';
import { interestOf } from '../scope/interest.ts';
import { closeOnError } from './close-on-error.ts';
import type { FeedPorts } from './feed.ts';
import { renewToken } from './renew.ts';

/** What a client of O21 and O22 may say. */
export function handleEventMessage(
  ports: FeedPorts,
  connection: Connection,
  text: string,
): CloseReason | null {
  const message = parseClientMessage(text);
  if (message === null) return 'bad_message';
  if ('SubscribeRequest' in message) {
    const interest = interestOf(message.SubscribeRequest.events);
    if (interest === null) return 'bad_message';
    ports.hub.subscribe(connection, interest);
  } else if ('UnsubscribeRequest' in message) ports.hub.unsubscribe(connection);
  else closeOnError(ports, connection, renewToken(ports, connection, message.RefreshTokenRequest.token));
  return null;
}
