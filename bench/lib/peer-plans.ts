import type { LoadPlan } from '../load.ts';
import type { StreamPlan } from '../stream-load.ts';
import type { BenchJackpot } from './jackpot.ts';

/** Contributions come from this many. */
export const players = 100_000;

type Target = Pick<LoadPlan, 'host' | 'port' | 'path' | 'headers'>;

/** Requests of O8, each with a key of its own: Potstream and its peers take the same. */
export function requestsTo(
  host: string,
  { brand, instance, token }: BenchJackpot,
): Omit<Target, 'port'> & {
  readonly body: string;
  readonly players: number;
} {
  const body = {
    token: 'session-of-the-load-generator',
    brand_id: brand,
    player_id: 'player-######',
    player_country: 'DE',
    gameround_id: 'round-@@@@@@@@@@@@',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: 'key-@@@@@@@@@@@@',
    metadata: { table: 'seven', shift: 'night' },
  };
  return {
    host,
    path: `/v1/jackpot/instances/${instance}/contributions`,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    players,
  };
}

/** The same contributions as lines of long requests. */
export function linesTo(
  host: string,
  { brand, instance, token }: BenchJackpot,
): Pick<StreamPlan, 'host' | 'path' | 'headers' | 'line' | 'players'> {
  const line = {
    ref: '@@@@@@@@@@@@',
    target: { type: 'instance', id: instance },
    source: { type: 'gameround', id: 'round-@@@@@@@@@@@@' },
    operator_id: 'bench',
    player: { id: 'player-######', token: 'session', country: 'DE', brand_id: brand },
    base_wager: { currency: 'EUR', value: 1 },
    metadata: { table: 'seven', shift: 'night' },
    options: { idempotency_key: 'key-@@@@@@@@@@@@' },
  };
  return {
    host,
    path: '/v2/jackpot/contributions/stream',
    headers: { Authorization: `Bearer ${token}` },
    line: `${JSON.stringify(line)}\n`,
    players,
  };
}
