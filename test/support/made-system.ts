import { connectLog } from '../../src/log/jetstream/connect.ts';
import { foundSystem } from '../../src/log/system/system-lanes.ts';
import type { Log } from '../../src/ports.ts';
import { systemRandom } from '../../src/wiring.ts';

/** Makes a new system through a connection that may do everything, as `storage` does. */
export async function makeSystemOn(log: Log, lanes: number): Promise<void> {
  await foundSystem(log, lanes, systemRandom);
  await log.prepare(lanes);
}

/** The same on a server whose user may do everything. */
export async function makeSystem(
  { url, user, password }: { readonly url: string; readonly user: string; readonly password: string },
  lanes: number,
): Promise<void> {
  const log = await connectLog({ servers: [url], user, password, replicas: 1 });
  await makeSystemOn(log, lanes);
  await log.close();
}
