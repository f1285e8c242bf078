import { createClient } from '@redis/client';
import { type Contribution, sharesPercent, type Taken } from './contribution.ts';
import type { Store } from './store.ts';

/** Redis reads 16 KiB of a connection at a time, and syncs once for all that it has read. */
const connections = 4;
const keptSeconds = 86_400;

/**
 * Keys: of the contribution, of the pots, of the players. Amounts stay text, so that none passes through a
 * float.
 */
const script = `
  local first = redis.call('GET', KEYS[1])
  if first then return first end
  redis.call('HINCRBY', KEYS[2], 'mini', ARGV[1])
  redis.call('HINCRBY', KEYS[2], 'major', ARGV[2])
  redis.call('HINCRBY', KEYS[2], 'grand', ARGV[3])
  redis.call('HINCRBY', KEYS[2], 'house', ARGV[4])
  redis.call('HINCRBY', KEYS[3], ARGV[5], ARGV[6])
  redis.call('SET', KEYS[1], ARGV[7], 'EX', ${keptSeconds})
  return false`;

/** A script a contribution, pipelined: all that a turn of the event loop brings goes out together. */
export async function openRedisScript(port: number): Promise<Store> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(port)));
  const hash = await (clients[0] as Connected).scriptLoad(script);
  let next = 0;
  return {
    contribute(contribution, done) {
      next = (next + 1) % connections;
      const taken = { potsMicros: contribution.potsMicros, takenAtMs: Date.now() };
      (clients[next] as Connected).sendCommand<string | null>(commandOf(hash, contribution, taken)).then(
        (first) => done(null, first === null ? taken : takenOf(first)),
        (error: Error) => done(error, null),
      );
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function connect(port: number) {
  const client = createClient({ socket: { host: '127.0.0.1', port } });
  client.on('error', (error: Error) => process.stderr.write(`${error.message}\n`));
  await client.connect();
  return client;
}

function commandOf(hash: string, contribution: Contribution, { potsMicros, takenAtMs }: Taken): string[] {
  const { key, instance, player, wagerMicros } = contribution;
  const mini = Math.floor((potsMicros * sharesPercent.mini) / 100);
  const major = Math.floor((potsMicros * sharesPercent.major) / 100);
  const grand = Math.floor((potsMicros * sharesPercent.grand) / 100);
  const house = potsMicros - mini - major - grand;
  return [
    ...['EVALSHA', hash, '3', `key:${key}`, `pots:${instance}`, `players:${instance}`],
    ...[String(mini), String(major), String(grand), String(house), player, String(wagerMicros)],
    `${potsMicros} ${takenAtMs}`,
  ];
}

function takenOf(text: string): Taken {
  const [potsMicros, takenAtMs] = text.split(' ').map(Number) as [number, number];
  return { potsMicros, takenAtMs };
}
