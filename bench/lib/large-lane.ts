import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainContribution } from '../../src/actors/replica/plain-contribution.ts';
import { encodeCommandBatch } from '../../src/messages/codec/codec.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import type { Log } from '../../src/ports.ts';
import { systemRandom } from '../../src/wiring.ts';
import type { BenchJackpot } from './jackpot.ts';
import type { RunningSystem } from './system.ts';

export const commandsPerBatch = 256;
const inFlight = 8;
const withinMs = 300_000;
/** As the load generators write them. */
const playerDigits = 6;

export interface LaneContent {
  readonly jackpot: BenchJackpot;
  /** Contributions come from this many, in turn. */
  readonly players: number;
  /** They have no idempotency keys, which take memory too. */
  readonly isKeyless?: boolean;
}

/**
 * Puts contributions into a lane's log as a gateway does, `count` from number `from` on, and waits until they
 * have their outcomes.
 */
export async function publishContributions(
  { log, producer }: { readonly log: Log; readonly producer: Log },
  lane: number,
  content: LaneContent,
  from: number,
  count: number,
): Promise<number> {
  let next = from;
  let last = 0;
  const end = from + count;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < end) {
        const first = next;
        next += commandsPerBatch;
        const size = Math.min(commandsPerBatch, end - first);
        const commands = Array.from({ length: size }, (_, at) => contributionOf(content, first + at));
        const stored = await producer.append(lane, 'batch', bytesOf(commands), {
          messageId: `contributions-${first}`,
        });
        if (stored.kind === 'stored') last = Math.max(last, stored.sequence);
      }
    }),
  );
  await until(async () => (await log.lastOutcome(lane)) >= last);
  return end;
}

export function bytesOf(commands: readonly Contribute[]): Uint8Array {
  return encodeCommandBatch({ batchId: systemRandom.bytes(16), gateway: 'bench', commands });
}

/** Number `number`, with a key of its own. */
export function contributionOf(
  { jackpot: { brand, instance }, players, isKeyless = false }: LaneContent,
  number: number,
): Contribute {
  const key = new Uint8Array(16);
  const view = new DataView(key.buffer);
  view.setUint32(0, Math.imul(number, 0x9e3779b1));
  view.setUint32(4, Math.imul(number, 0x85ebca6b));
  view.setUint32(8, number);
  return plainContribution({
    contributionId: key,
    instance,
    operator: 'bench',
    brand,
    player: `player-${String(number % players).padStart(playerDigits, '0')}`,
    country: 'DE',
    baseWagerAtoms: 100_000_000n,
    currency: 'EUR',
    gameround: 'round',
    idempotencyKey: isKeyless ? null : key,
  });
}

/** To nats-server, as one of its roles. */
export function access(system: RunningSystem, role: 'gateway' | 'actors') {
  const { url, passwords } = JSON.parse(readFileSync(join(system.dataDirectory, 'run', 'nats.json'), 'utf8'));
  return { servers: [url], role, user: role, password: passwords[role], replicas: 1 };
}

export async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await pause(20);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
