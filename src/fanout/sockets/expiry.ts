import { authenticationMs, closingMs, firstSubscriptionMs, lifetimeMs } from '../base/limits.ts';
import type { CloseReason } from '../connections/close-codes.ts';
import type { Closer } from '../connections/closing.ts';
import type { Connection } from '../connections/connection.ts';
import type { Credential, FeedCredentials } from '../connections/credentials.ts';
import type { Sockets } from './sockets.ts';

interface ExpiryPorts {
  readonly sockets: Sockets;
  readonly closer: Closer;
  readonly credentials: FeedCredentials;
  nowMs(): number;
  elapsedMs(): number;
}

/** Closes expired connections: one pass over all connections a second instead of a timer for each. */
export async function closeExpired(ports: ExpiryPorts): Promise<void> {
  const { sockets, closer, credentials, nowMs, elapsedMs } = ports;
  credentials.recheckPlayers();
  const revoked = await credentials.revoked();
  for (const connection of [...sockets.connections]) {
    if (connection.closing !== null) {
      if (elapsedMs() - connection.closing.sinceMs >= closingMs) connection.socket?.close();
      else closer.pump(connection);
      continue;
    }
    const reason = dueReason(connection, revoked, { nowMs: nowMs(), elapsedMs: elapsedMs() });
    if (reason !== null) closer.close(connection, reason);
    else sockets.pump(connection);
  }
}

function dueReason(
  connection: Connection,
  revoked: ReadonlySet<Credential>,
  { nowMs, elapsedMs }: { readonly nowMs: number; readonly elapsedMs: number },
): CloseReason | null {
  const { credential, scope, openedMs } = connection;
  if (credential === null || scope === null)
    // An answer of the wallet that is on its way is waited for.
    return elapsedMs - openedMs >= authenticationMs && !connection.verifying ? 'timeout' : null;
  if (hasEnded(credential, nowMs) || revoked.has(credential)) return 'unauthenticated';
  if (!scope.enabled()) return 'forbidden';
  if (!connection.subscribedOnce && elapsedMs - openedMs >= firstSubscriptionMs) return 'timeout';
  if (elapsedMs - openedMs >= lifetimeMs) return 'lifetime_over';
  return null;
}

function hasEnded(credential: Credential, nowMs: number): boolean {
  return credential.kind === 'service' ? credential.principal.expiresAtMs <= nowMs : credential.revoked;
}
