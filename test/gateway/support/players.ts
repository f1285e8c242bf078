import type { PlayerTokenAnswer, PlayerTokens } from '../../../src/access/players/player-tokens.ts';
import type {
  PlayerAuthentication,
  PlayerIdentity,
  PlayerTokenQuestion,
} from '../../../src/contracts/payments/player-authentication.ts';

export interface TestPlayers extends PlayerTokens {
  /** What the wallets say; by default that nobody knows. */
  answer: (question: PlayerTokenQuestion) => PlayerTokenAnswer;
  /** Questions that nobody had an answer to in memory. */
  readonly asked: PlayerTokenQuestion[];
  /** Players whose sessions were to be authenticated again, behind their brands. */
  readonly again: string[];
  /** Forgets every answer. */
  forget(): void;
}

/** Players' tokens without a wallet behind them: what is authenticated is known from then on. */
export function testPlayers(): TestPlayers {
  const known = new Map<string, PlayerIdentity>();
  const asked: PlayerTokenQuestion[] = [];
  const keyOf = ({ brand, token, currency }: PlayerTokenQuestion) => `${brand} ${token} ${currency}`;
  const again: string[] = [];
  const players: TestPlayers = {
    asked,
    again,
    answer: () => ({ kind: 'unknown' }),
    forget: () => known.clear(),
    known: (question) => known.get(keyOf(question)),
    async authenticate(question) {
      asked.push(question);
      const answer = players.answer(question);
      if (answer.kind === 'authenticated') known.set(keyOf(question), answer.identity);
      return answer;
    },
    authenticateAgain: async (brand, player) => {
      again.push(`${brand} ${player}`);
      return false;
    },
    stop() {},
  };
  return players;
}

/** An identity as a wallet would authenticate it. */
export function authenticated(changes: Partial<PlayerIdentity> = {}): PlayerAuthentication {
  const identity = {
    player: 'ada',
    operator: 'acme',
    brand: 'acme:main',
    currency: 'EUR',
    country: null,
    segments: null,
    maxBetAtoms: null,
    ...changes,
  };
  return { kind: 'authenticated', identity, ageMs: 0 };
}
