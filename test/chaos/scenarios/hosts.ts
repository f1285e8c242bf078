import type { World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';

interface Hosts {
  readonly owner: string;
  readonly standby: string;
}

/** The lane's owner and standby: at moments, as behind a lost heartbeat, nobody is known as one of them. */
export async function hostsOf({ watch }: World): Promise<Hosts> {
  let hosts: Hosts = { owner: '', standby: '' };
  await until('the lane has an owner and a standby', async () => {
    const shard = await watch.shard();
    hosts = { owner: shard.owner ?? '', standby: shard.standby ?? '' };
    return (hosts.owner !== '' && hosts.standby !== '') || JSON.stringify(shard);
  });
  return hosts;
}

export async function ownerOf(world: World): Promise<string> {
  return (await hostsOf(world)).owner;
}

export async function standbyOf(world: World): Promise<string> {
  return (await hostsOf(world)).standby;
}
