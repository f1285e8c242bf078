import type { ErrorCode } from '../../contracts/errors/codes.ts';
import type { Connection } from '../connections/connection.ts';
import type { Credential } from '../connections/credentials.ts';
import type { FeedPorts, Identified } from './feed.ts';
import { identifyPlayer, identifyService } from './identify.ts';

/** RefreshTokenRequest: the same owner shows a newer token. Whatever does not hold ends the connection. */
export async function renewToken(ports: FeedPorts, connection: Connection, token: string): Promise<void> {
  const { credential } = connection;
  if (credential === null || connection.verifying) return ports.close(connection, 'bad_message');
  connection.verifying = true;
  const renewed = await reidentify(ports, credential, token, connection.address);
  connection.verifying = false;
  if (connection.socket === null || connection.closing !== null) return;
  // A wallet that does not answer takes nothing away from a token that still counts.
  if (renewed === 'unknown') return;
  if (renewed === null) return ports.close(connection, 'unauthenticated');
  ports.sockets.renew(connection, renewed.credential, renewed.scope);
}

/** Nothing was said of the token. */
const undecided: ReadonlySet<ErrorCode> = new Set(['wallet_unavailable', 'overloaded', 'too_many_attempts']);

async function reidentify(
  ports: FeedPorts,
  credential: Credential,
  token: string,
  address: string,
): Promise<Identified | null | 'unknown'> {
  if (credential.kind === 'service') {
    const found = await identifyService(ports, token);
    const isSame =
      found?.credential.kind === 'service' &&
      found.credential.principal.operator === credential.principal.operator;
    return isSame ? found : null;
  }
  const { brand, currency, player } = credential;
  const found = await identifyPlayer(ports, { brand, currency, token, address });
  if (found.kind === 'refused') return undecided.has(found.code) ? 'unknown' : null;
  return found.credential.kind === 'player' && found.credential.player === player ? found : null;
}
