import {
  decodePlayerAuthentication,
  decodeRevokedPlayerToken,
  encodePlayerTokenRequest,
  type PlayerAuthentication,
  type PlayerIdentity,
  type PlayerTokenQuestion,
} from '../../contracts/payments/player-authentication.ts';
import { type TraceParent, traceparentOf } from '../../lib/tracing.ts';
import { type Bus, type Clock, LogError } from '../../ports.ts';
import type { KnownWallets } from '../keys/brand-wallets.ts';
import { AddressReputation } from './address-reputation.ts';
import { type KnownWallet, PlayerTokenCache } from './player-token-cache.ts';
import { RefusedTokens } from './refused-tokens.ts';

/** Player tokens, checked by the wallet of their brand (W1) and counted for 60 s unless it revokes them. */
export interface PlayerTokens {
  /** The cached identity; undefined: ask the wallet. */
  known(question: PlayerTokenQuestion): PlayerIdentity | undefined;
  /** Asks the wallet unless the answer is cached, with `anew` always. `refused`: also without a wallet. */
  authenticate(question: PlayerTokenQuestion, trace?: TraceParent): Promise<PlayerTokenAnswer>;
  /**
   * Asks the wallet anew about the player's newest session of the last 60 s, before money of the player
   * moves without a token (docs/rules/wallets.md "Authentication"). false: there is none, or the wallet does
   * not say within 2 s that it still is.
   */
  authenticateAgain(brand: string, player: string): Promise<boolean>;
  stop(): void;
}

export type PlayerTokenAnswer =
  | PlayerAuthentication
  /** The wallet was not asked: too many tokens of this address were refused. */
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number };

interface PlayerTokensPorts {
  readonly bus: Pick<Bus, 'request' | 'subscribe'>;
  readonly clock: Clock;
  readonly wallets: KnownWallets;
  readonly subjects: { readonly authenticate: string; readonly revoked: string };
}

/** Longer than the wallet role's three tries. */
const answerTimeoutMs = 7_000;
const againTimeoutMs = 2_000;
/** Questions that wait for a brand: of services and open sockets, of frontends, of one address. */
const limits = { services: 4_096, frontends: 1_024, ofAddress: 256 } as const;
/** UTF-8 has none: on its way it would become another token. */
const halfCharacter = /\p{Cs}/u;
const unknown: PlayerAuthentication = { kind: 'unknown' };

/** Checks player tokens in the cache or by the wallet role. `busy`: too many questions of the brand wait. */
export function openPlayerTokens(ports: PlayerTokensPorts): PlayerTokens {
  const { bus, clock, wallets, subjects } = ports;
  const cache = new PlayerTokenCache();
  const refusals = new RefusedTokens();
  const reputation = new AddressReputation(clock);
  const asked = new Map<string, Promise<PlayerAuthentication>>();
  const waiting = new Counts();
  const revocations = bus.subscribe(subjects.revoked, ({ bytes }) => {
    const revoked = decodeRevokedPlayerToken(bytes);
    if (revoked !== null) cache.drop(revoked.brand, revoked.token);
  });

  async function ask(
    question: PlayerTokenQuestion,
    wallet: KnownWallet,
    trace: TraceParent | undefined,
    timeoutMs = answerTimeoutMs,
  ): Promise<PlayerAuthentication> {
    const { brand, token, currency, caller } = question;
    const request = encodePlayerTokenRequest({
      ...question,
      proven: caller.kind === 'frontend' && reputation.isProven(brand, caller.address),
      acceptedBefore: caller.kind === 'open_socket' || cache.has(brand, token),
      ...(trace === undefined ? {} : { trace: traceparentOf(trace) }),
    });
    let response: PlayerAuthentication;
    try {
      response = decodePlayerAuthentication(await bus.request(subjects.authenticate, request, timeoutMs));
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return unknown;
    }
    if (response.kind === 'refused') {
      cache.drop(brand, token);
      refusals.put(wallet, question, clock.elapsedMs());
      if (caller.kind === 'frontend') reputation.refused(brand, caller.address);
    }
    if (response.kind === 'authenticated') {
      refusals.drop(question);
      cache.put(wallet, token, currency, {
        identity: response.identity,
        answeredMs: clock.elapsedMs() - response.ageMs,
      });
      if (caller.kind === 'frontend') reputation.accepted(brand, caller.address);
    }
    return response;
  }

  function known({ brand, token, currency, anyCurrency }: PlayerTokenQuestion) {
    const wallet = wallets.find(brand);
    const wanted = anyCurrency === true ? null : currency;
    return wallet === undefined ? undefined : cache.find(wallet, token, wanted, clock.elapsedMs());
  }

  /** The answer without the wallet, if there is one. A service's question always goes to the wallet. */
  function frontendsAnswer(question: PlayerTokenQuestion, wallet: KnownWallet): PlayerTokenAnswer | null {
    const { brand, caller } = question;
    if (caller.kind !== 'frontend') return null;
    if (refusals.holds(wallet, question, clock.elapsedMs())) return { kind: 'refused' };
    const retryAfterSeconds = reputation.blockedSeconds(brand, caller.address);
    return retryAfterSeconds > 0 ? { kind: 'limited', retryAfterSeconds } : null;
  }

  return {
    known: (question) => known(question)?.identity,
    async authenticate(question, trace) {
      const { brand, currency, token, caller } = question;
      const wallet = wallets.find(brand);
      if (wallet === undefined || halfCharacter.test(token)) return { kind: 'refused' };
      const cached = question.anew === true ? undefined : known(question);
      if (cached !== undefined) {
        if (caller.kind === 'frontend') reputation.accepted(brand, caller.address);
        return {
          kind: 'authenticated',
          identity: cached.identity,
          ageMs: clock.elapsedMs() - cached.answeredMs,
        };
      }
      // Each kind of caller waits separately: a service never waits behind a frontend with the same token.
      const room = caller.kind === 'frontend' ? `frontend ${caller.address}` : caller.kind;
      const key = `${brand} ${room} ${currency} ${question.anew === true} ${token}`;
      const underWay = asked.get(key);
      if (underWay !== undefined) return underWay;
      const response = frontendsAnswer(question, wallet);
      if (response !== null) return response;
      const places = placesOf(brand, room, caller.kind === 'frontend');
      if (!waiting.take(places)) return { kind: 'busy' };
      const answer = ask(question, wallet, trace).finally(() => {
        asked.delete(key);
        waiting.leave(places);
      });
      asked.set(key, answer);
      return answer;
    },
    async authenticateAgain(brand, player) {
      const wallet = wallets.find(brand);
      const session = wallet && cache.sessionOf(wallet, player, clock.nowMs());
      if (wallet === undefined || session === undefined) return false;
      const { token, currency } = session;
      const places = placesOf(brand, 'service', false);
      if (!waiting.take(places)) return false;
      const question = {
        brand,
        token,
        currency,
        source: null,
        caller: { kind: 'service' },
        anew: true,
      } as const;
      const answer = ask(question, wallet, undefined, againTimeoutMs);
      const { kind } = await answer.finally(() => waiting.leave(places));
      return kind === 'authenticated';
    },
    stop: () => revocations.stop(),
  };
}

type Places = readonly (readonly [name: string, limit: number])[];

function placesOf(brand: string, room: string, isFrontend: boolean): Places {
  if (!isFrontend) return [[brand, limits.services]];
  return [
    [`${brand} frontends`, limits.frontends],
    [`${brand} ${room}`, limits.ofAddress],
  ];
}

/** The number of waiting questions by name, without zeros. */
class Counts {
  readonly #counts = new Map<string, number>();

  /** Takes a place under every name, or returns false and takes nothing. */
  take(places: Places): boolean {
    if (places.some(([name, limit]) => (this.#counts.get(name) ?? 0) >= limit)) return false;
    for (const [name] of places) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return true;
  }

  leave(places: Places): void {
    for (const [name] of places) {
      const left = (this.#counts.get(name) ?? 0) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    }
  }
}
