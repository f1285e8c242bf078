import type { ErrorCode } from '../../contracts/errors/codes.ts';
import { parseStatusMessage, type StatusMessage } from '../../contracts/feeds/feed.ts';
import type { CloseReason, Connection } from '../connections/connection.ts';
import { feedBrandPath } from './event-feeds.ts';
import type { Feed, FeedPorts } from './feed.ts';
import {
  closeOnError,
  type Identification,
  identifyPlayer,
  identifyService,
  refusedWith,
  renewToken,
} from './identify.ts';

type Authentication = Extract<StatusMessage, { AuthenticateRequest: unknown }>['AuthenticateRequest'];

/** O4, the jackpot status feed: the client says who it is in its first message, then it only listens. */
export const statusFeed: Feed = {
  id: 'O4',
  paths: ['/v1/jackpot/status'],
  listens: 'status',
  checksOrigin: true,
  admit: async () => ({ kind: 'to_authenticate' }),
  message(ports, connection, text) {
    const message = parseStatusMessage(text);
    if (message === null) return 'bad_message';
    if ('RefreshTokenRequest' in message) {
      renewToken(ports, connection, message.RefreshTokenRequest.token);
      return null;
    }
    if (connection.credential !== null || connection.verifying) return 'bad_message';
    closeOnError(ports, connection, authenticate(ports, connection, message.AuthenticateRequest));
    return null;
  },
};

async function authenticate(ports: FeedPorts, connection: Connection, asked: Authentication): Promise<void> {
  connection.verifying = true;
  const found = await identify(ports, asked, connection.address);
  connection.verifying = false;
  if (connection.socket === null || connection.closing !== null) return;
  if (found.kind === 'refused') return ports.close(connection, reasonOf(found.code));
  if (!ports.sockets.players.admits(found.credential)) return ports.close(connection, 'overloaded');
  connection.subscribedOnce = true;
  ports.sockets.enter(connection, found.credential, found.scope);
}

async function identify(ports: FeedPorts, asked: Authentication, address: string): Promise<Identification> {
  const { token, operator_id, brand_id, currency } = asked;
  const named = [operator_id, brand_id, currency].filter((one) => one !== null && one !== undefined);
  if (named.length === 0) return identifyService(ports, token);
  const [operator = '', brand = '', shownIn = ''] = named;
  if (named.length < 3) return refusedWith('invalid_request');
  const path = feedBrandPath(operator, brand);
  if (path === null) return refusedWith('feed_token_invalid');
  return identifyPlayer(ports, { brand: path, currency: shownIn, token, address });
}

/** The refusal of an upgrade, as a close. */
function reasonOf(code: ErrorCode): CloseReason {
  if (code === 'feed_token_invalid') return 'unauthenticated';
  if (code === 'owner_disabled') return 'forbidden';
  if (code === 'too_many_attempts') return 'flood';
  return code === 'wallet_unavailable' || code === 'overloaded' ? 'overloaded' : 'bad_message';
}
