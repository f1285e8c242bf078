import { clientMessageBytes } from '../../contracts/feeds/feed.ts';
import type { CloseReason } from '../connections/close-codes.ts';
import type { Connection } from '../connections/connection.ts';
import type { Feed, FeedPorts } from '../feeds/feed.ts';

/** Takes in one message of a client. null: accepted; otherwise why the socket must be closed. */
export function handleClientMessage(
  ports: FeedPorts,
  feed: Pick<Feed, 'message'>,
  connection: Connection,
  frame: { readonly bytes: Buffer; readonly isBinary: boolean },
  nowMs: number,
): CloseReason | null {
  if (connection.closing !== null) return null;
  if (!connection.admitMessage(nowMs)) return 'flood';
  if (frame.bytes.byteLength > clientMessageBytes) return 'too_big';
  if (frame.isBinary) return 'bad_message';
  return feed.message(ports, connection, frame.bytes.toString('utf8'));
}
