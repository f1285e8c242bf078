import type { LoadPlan } from '../load.ts';
import type { BenchJackpot } from './jackpot.ts';

/** Contributions come from this many. */
export const players = 100_000;

const uuidOfNumber = '7d0c6a3e-51b2-4f7e-9c1d-@@@@@@@@@@@@';

/**
 * Contributions to an instance as operators send them: of many players, each with a UUID for its key. For
 * `load.ts`.
 */
export function requestPlan(
  { host, port }: { readonly host: string; readonly port: number },
  jackpot: BenchJackpot,
): Omit<LoadPlan, 'connections' | 'durationMs' | 'warmupMs'> {
  return {
    host,
    port,
    ...targetOf(jackpot),
    body: bodyOf(jackpot, uuidOfNumber, 'player-######'),
    players,
    rate: 0,
  };
}

/** The same for `client-load.ts`. */
export function clientBody(jackpot: BenchJackpot): string {
  return bodyOf(jackpot, '%uuid%', 'player-%player%');
}

export function targetOf({ instance, token }: BenchJackpot): Pick<LoadPlan, 'path' | 'headers'> {
  return {
    path: `/v1/jackpot/instances/${instance}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
  };
}

function bodyOf({ brand }: BenchJackpot, key: string, player: string): string {
  return JSON.stringify({
    token: 'session-of-the-load-generator',
    brand_id: brand,
    player_id: player,
    player_country: 'DE',
    gameround_id: `round-${key}`,
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
    metadata: { table: 'seven', shift: 'night' },
  });
}
