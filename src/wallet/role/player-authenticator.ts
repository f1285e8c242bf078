import { PlayerTokenCache } from '../../access/players/player-token-cache.ts';
import type {
  PlayerAuthentication,
  PlayerTokenRequest,
  RevokedPlayerToken,
} from '../../contracts/payments/player-authentication.ts';
import type { Clock } from '../../ports.ts';
import { authenticatePlayer } from '../calls/authenticate-player.ts';
import type { BrandClients } from '../client/brand-clients.ts';

interface PlayerAuthenticatorPorts {
  readonly clients: BrandClients;
  readonly clock: Clock;
  /** A wallet no longer knows a token that was valid: caches of its answer drop it. */
  readonly revoked: (token: RevokedPlayerToken) => void;
}

/** Answers `wallet.authenticate`: from memory for 60 s, else by W1; equal questions at once are one call. */
export class PlayerAuthenticator {
  readonly #ports: PlayerAuthenticatorPorts;
  readonly #cache = new PlayerTokenCache();
  readonly #asked = new Map<string, Promise<PlayerAuthentication>>();

  constructor(ports: PlayerAuthenticatorPorts) {
    this.#ports = ports;
  }

  async authenticate(question: PlayerTokenRequest): Promise<PlayerAuthentication> {
    const { clients, clock } = this.#ports;
    const { brand, token, currency, anyCurrency, anew } = question;
    const client = clients.of(brand);
    // Who asks knows of a wallet: its settings are on their way here.
    if (client === undefined) return { kind: 'unknown' };
    const nowMs = clock.elapsedMs();
    const cached = this.#cache.find(client.settings, token, anyCurrency === true ? null : currency, nowMs);
    if (cached !== undefined && anew !== true) {
      return {
        kind: 'authenticated',
        identity: cached.identity,
        ageMs: Math.max(0, nowMs - cached.answeredMs),
      };
    }
    const { caller } = question;
    const room = caller.kind === 'frontend' ? `frontend ${caller.address}` : caller.kind;
    const key = `${brand} ${room} ${currency} ${token}`;
    const waiting = this.#asked.get(key);
    if (waiting !== undefined) return waiting;
    const answer = this.#ask(question).finally(() => this.#asked.delete(key));
    this.#asked.set(key, answer);
    return answer;
  }

  async #ask(question: PlayerTokenRequest): Promise<PlayerAuthentication> {
    const { clients, clock, revoked } = this.#ports;
    const { brand, token, currency } = question;
    const client = clients.of(brand);
    if (client === undefined) return { kind: 'unknown' };
    // As old as the question: the token may have been taken back while the answer was on its way.
    const answeredMs = clock.elapsedMs();
    const answer = await authenticatePlayer(client, question);
    switch (answer.kind) {
      case 'authenticated':
        this.#cache.put(client.settings, token, currency, { identity: answer.identity, answeredMs });
        return { ...answer, ageMs: Math.max(0, clock.elapsedMs() - answeredMs) };
      case 'refused':
        if (this.#cache.drop(brand, token) || question.acceptedBefore) revoked({ brand, token });
        return { kind: 'refused' };
      case 'unknown':
        return { kind: answer.reason === 'too_many_calls' ? 'busy' : 'unknown' };
    }
  }
}
