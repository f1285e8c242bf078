import { commandStream, outcomeStream } from '../../../src/log/base/names.ts';
import type { World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { streamLeaders } from '../system/nats-servers.ts';

const streams = [commandStream(0), outcomeStream(0)];

/** The server that leads the lane's commands or, by chance, its outcome records. */
export async function leaderOf({ system, random }: World): Promise<string> {
  const stream = random.pick(...streams);
  let leader = '';
  await until(`${stream} has a leader`, async () => {
    leader = (await streamLeaders(system.nats.servers)).get(stream) ?? '';
    return leader !== '';
  });
  return leader;
}

/** The other servers of the cluster. */
export function othersThan({ system }: World, server: string): string[] {
  return system.nats.servers.map(({ unit }) => unit.name).filter((name) => name !== server);
}
