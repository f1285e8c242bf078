import { parseClientMessage } from '../contracts/feed.ts';
import type { CloseReason } from './close-codes.ts';
import type { Connection } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { Feed, FeedPorts } from './feeds/feed.ts';
import type { Hub } from './hub.ts';
import { interestOf } from './interest.ts';
import { clientMessageBytes } from './limits.ts';

/** Takes in one message of a client. null: accepted; otherwise why the socket must be closed. */
export function takeClientMessage(
  hub: Hub,
  feed: Feed,
  ports: FeedPorts,
  connection: Connection,
  frame: { readonly bytes: ArrayBuffer; readonly isBinary: boolean },
  nowMs: number,
): CloseReason | null {
  if (connection.closing !== null) return null;
  if (!connection.admitMessage(nowMs)) return 'flood';
  if (frame.bytes.byteLength > clientMessageBytes) return 'too_big';
  if (frame.isBinary) return 'bad_message';
  const message = parseClientMessage(Buffer.from(frame.bytes).toString('utf8'));
  if (message === null) return 'bad_message';
  if ('SubscribeRequest' in message) {
    const interest = interestOf(message.SubscribeRequest.events);
    if (interest === null) return 'bad_message';
    hub.subscribe(connection, interest);
  } else if ('UnsubscribeRequest' in message) hub.unsubscribe(connection);
  else void refresh(hub, feed, ports, connection, message.RefreshTokenRequest.token);
  return null;
}

async function refresh(
  hub: Hub,
  feed: Feed,
  ports: FeedPorts,
  connection: Connection,
  token: string,
): Promise<void> {
  const renewed = await feed.refresh(ports, connection.credential, token);
  if (connection.socket === null || connection.closing !== null) return;
  if (renewed === null) return hub.close(connection, 'unauthenticated');
  swapCredential(ports.credentials, connection, renewed.credential);
  hub.changeScope(connection, renewed.scope);
}

function swapCredential(
  credentials: Credentials,
  connection: Connection,
  renewed: Connection['credential'],
): void {
  const held = credentials.acquire(renewed);
  credentials.release(connection.credential);
  connection.credential = held;
}
