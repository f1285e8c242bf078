import type { Connection } from '../connections/connection.ts';
import type { FeedPorts } from './feed.ts';

/** Whatever goes wrong with what one connection asked for ends that connection, and no other. */
export function closeOnError(ports: FeedPorts, connection: Connection, work: Promise<void>): void {
  work.catch((error: unknown) => {
    ports.alarm('A connection met a bug.', error);
    ports.close(connection, 'overloaded');
  });
}
