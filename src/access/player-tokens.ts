import {
  decodePlayerAuthentication,
  decodeRevokedPlayerToken,
  encodePlayerTokenQuestion,
  type PlayerAuthentication,
  type PlayerIdentity,
  type PlayerTokenQuestion,
} from '../contracts/wallet.ts';
import type { Bus, Clock } from '../lib/ports.ts';
import type { BrandWallets } from './brand-wallets.ts';
import { PlayerTokenCache } from './player-token-cache.ts';

/**
 * Players' tokens, checked by the wallet of their brand (W1, through the wallet role). What a wallet has vouched for
 * counts for 60 s, until the wallet takes it back or the brand gets another wallet.
 */
export interface PlayerTokens {
  /** What is known without asking; undefined: ask. */
  known(question: PlayerTokenQuestion): PlayerIdentity | undefined;
  /** Silence is an answer, too: unknown. A brand without a wallet has no player tokens: they are refused. */
  authenticate(question: PlayerTokenQuestion): Promise<PlayerAuthentication>;
  stop(): void;
}

export interface PlayerTokensPorts {
  readonly bus: Pick<Bus, 'request' | 'subscribe'>;
  readonly clock: Clock;
  readonly wallets: Pick<BrandWallets, 'find'>;
  readonly subjects: { readonly authenticate: string; readonly revoked: string };
}

/** Longer than the wallet role's three tries. */
const answerTimeoutMs = 7_000;
/** Questions that wait at once; further ones are told that nobody knows. */
const mostAsked = 4_096;
const unknown: PlayerAuthentication = { kind: 'unknown' };

export function openPlayerTokens(ports: PlayerTokensPorts): PlayerTokens {
  const { bus, clock, wallets, subjects } = ports;
  const cache = new PlayerTokenCache();
  const asked = new Map<string, Promise<PlayerAuthentication>>();
  const revocations = bus.subscribe(subjects.revoked, ({ bytes }) => {
    const revoked = decodeRevokedPlayerToken(bytes);
    if (revoked !== null) cache.drop(revoked.brand, revoked.token);
  });

  async function ask(question: PlayerTokenQuestion): Promise<PlayerAuthentication> {
    const wallet = wallets.find(question.brand);
    const request = encodePlayerTokenQuestion(question);
    let told: PlayerAuthentication;
    try {
      told = decodePlayerAuthentication(await bus.request(subjects.authenticate, request, answerTimeoutMs));
    } catch {
      return unknown;
    }
    if (told.kind === 'refused') cache.drop(question.brand, question.token);
    if (told.kind === 'authenticated' && wallet !== undefined) {
      const saidMs = clock.nowMs() - told.ageMs;
      cache.keep(wallet, question.token, question.currency, { identity: told.identity, saidMs });
    }
    return told;
  }

  function known({ brand, token, currency, anyCurrency }: PlayerTokenQuestion) {
    const wallet = wallets.find(brand);
    const wanted = anyCurrency === true ? null : currency;
    return wallet === undefined ? undefined : cache.find(wallet, token, wanted, clock.nowMs());
  }

  return {
    known: (question) => known(question)?.identity,
    async authenticate(question) {
      if (wallets.find(question.brand) === undefined) return { kind: 'refused' };
      const held = known(question);
      if (held !== undefined) {
        return { kind: 'authenticated', identity: held.identity, ageMs: clock.nowMs() - held.saidMs };
      }
      const key = `${question.brand} ${question.currency} ${question.token}`;
      const waiting = asked.get(key);
      if (waiting !== undefined) return waiting;
      if (asked.size >= mostAsked) return unknown;
      const answer = ask(question).finally(() => asked.delete(key));
      asked.set(key, answer);
      return answer;
    },
    stop: () => revocations.stop(),
  };
}
