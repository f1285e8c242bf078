import type { CloseReason } from './close-codes.ts';
import type { Connection, Credential } from './connection.ts';
import type { Credentials } from './credentials.ts';
import type { Hub } from './hub.ts';
import { closingMs, firstSubscriptionMs, lifetimeMs } from './limits.ts';

/** Ends what has had its time: one pass over all connections a second, instead of timers of their own. */
export async function sweep(hub: Hub, credentials: Credentials, nowMs: () => number): Promise<void> {
  const revoked = await credentials.revoked();
  hub.expireHistory();
  for (const connection of [...hub.connections]) {
    if (connection.closing !== null) {
      if (nowMs() - connection.closing.sinceMs >= closingMs) connection.socket?.close();
      else hub.pump(connection);
      continue;
    }
    const reason = dueReason(connection, revoked, nowMs());
    if (reason !== null) hub.close(connection, reason);
    else if (connection.catchUp !== null) hub.pump(connection);
  }
}

function dueReason(
  connection: Connection,
  revoked: ReadonlySet<Credential>,
  nowMs: number,
): CloseReason | null {
  const { credential, openedMs } = connection;
  if (credential.principal.expiresAtMs <= nowMs || revoked.has(credential)) return 'unauthenticated';
  if (!connection.scope.enabled()) return 'forbidden';
  if (!connection.subscribedOnce && nowMs - openedMs >= firstSubscriptionMs) return 'timeout';
  if (nowMs - openedMs >= lifetimeMs) return 'lifetime_over';
  return null;
}
