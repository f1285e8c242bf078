import { randomUUID } from 'node:crypto';
import { crash } from '../../src/lib/crash.ts';
import { type Answer, type Api, DemoRefused } from './api.ts';
import { type DemoPlayer, demoOperator, demoPlayers, demoRates } from './fixtures.ts';

export interface TrafficOptions {
  readonly api: Api;
  /** A token of the service user; `refused` is the one that was not accepted any more. */
  readonly serviceToken: (refused?: string) => Promise<string>;
  readonly playerToken: (player: string) => string;
  /** The instance that direct contributions go to. */
  readonly instance: string;
  /** The instance whose contributions the players pay. */
  readonly playerPaidInstance: string;
  /** Sources that take contributions of every player, the busier ones more than once. */
  readonly sources: readonly string[];
  readonly perSecond: number;
  readonly stopped: AbortSignal;
  readonly answered: (status: number) => void;
}

/** Contributions that wait for an answer or for their next try. At this number no new one is made. */
export const maxPending = 64;
/** Wagers in euro cents; small ones are likelier. */
export const wagersCents = [100, 100, 200, 200, 500, 500, 1000, 2000, 5000];

/** Shares of all contributions: to the instance, past its source; paid by players; by version 2. */
export const directShare = 0.2;
export const playerPaidShare = 0.05;
const version2Share = 0.2;

/**
 * Contributions of random players at random moments, until stopped; the promise settles when none is pending.
 */
export async function sendTraffic(options: TrafficOptions): Promise<void> {
  const pending = new Set<Promise<void>>();
  while (!options.stopped.aborted) {
    if (pending.size < maxPending) {
      const one = contribute(options)
        .catch((error: unknown) => {
          if (!options.stopped.aborted && !(error instanceof DemoRefused)) crash(error);
        })
        .finally(() => pending.delete(one));
      pending.add(one);
    }
    await pause(options);
  }
  await Promise.all(pending);
}

/** The gaps of a Poisson process: what players who know nothing of each other look like. */
function pause({ perSecond, stopped }: TrafficOptions): Promise<void> {
  const gapMs = Math.min(5000, (-Math.log(1 - Math.random()) / perSecond) * 1000);
  return new Promise((resolve) => {
    const timer = setTimeout(done, gapMs);
    stopped.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      stopped.removeEventListener('abort', done);
      resolve();
    }
  });
}

async function contribute(options: TrafficOptions): Promise<void> {
  const { path, body } = contributionOf(options, pick(demoPlayers));
  let token = await options.serviceToken();
  let answer: Answer = await options.api.call('POST', path, body, token);
  if (answer.status === 401) {
    token = await options.serviceToken(token);
    answer = await options.api.call('POST', path, body, token);
  }
  options.answered(answer.status);
}

/** One of the three ways to contribute: by source (O9), to an instance (O8), version 2 (O16). */
function contributionOf(options: TrafficOptions, player: DemoPlayer): { path: string; body: unknown } {
  const wager = wagerIn(player.currency);
  const key = `demo-${randomUUID()}`;
  const round = `round-${randomUUID()}`;
  const source = pick(options.sources);
  const way = Math.random();
  if (way >= 1 - version2Share) {
    return {
      path: '/v2/jackpot/contributions',
      body: {
        target: { id: source, type: 'source' },
        source: { id: round, type: 'gameround' },
        operator_id: demoOperator,
        player: {
          id: player.player,
          token: options.playerToken(player.player),
          country: player.country,
          brand_id: player.brand,
        },
        base_wager: { currency: player.currency, value: wager },
        options: { idempotency_key: key, allow_linked_contributions: true },
      },
    };
  }
  const instance = instanceOf(options, way);
  const path =
    instance === null
      ? `/v1/jackpot/sources/${source}/contributions`
      : `/v1/jackpot/instances/${instance}/contributions`;
  return {
    path,
    body: {
      token: options.playerToken(player.player),
      brand_id: player.brand,
      player_id: player.player,
      player_country: player.country,
      gameround_id: round,
      base_wager: wager,
      currency: player.currency,
      idempotency_key: key,
    },
  };
}

function instanceOf(options: TrafficOptions, way: number): string | null {
  if (way < directShare) return options.instance;
  return way < directShare + playerPaidShare ? options.playerPaidInstance : null;
}

/** A wager in the player's currency, as a decimal string with at most two decimals. */
function wagerIn(currency: string): string {
  const cents = Math.max(1, Math.round(pick(wagersCents) * Number(demoRates[currency] ?? '1')));
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
