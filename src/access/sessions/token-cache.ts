import type { Clock } from '../../ports.ts';

interface Cacheable {
  /** The account. */
  readonly subject: string;
  readonly expiresAtMs: number;
}

/** Cached tokens; the oldest goes first. */
const maxCachedTokens = 20_000;

/** Principals of verified tokens until these expire. A changed account loses its own tokens alone. */
export class TokenCache<P extends Cacheable> {
  readonly #clock: Clock;
  readonly #known = new Map<string, P>();
  readonly #tokensOf = new Map<string, Set<string>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(token: string): P | undefined {
    const principal = this.#known.get(token);
    if (principal === undefined || principal.expiresAtMs > this.#clock.nowMs()) return principal;
    this.#forget(token);
    return undefined;
  }

  set(token: string, principal: P): void {
    if (this.#known.size >= maxCachedTokens) this.#forget(this.#known.keys().next().value as string);
    this.#known.set(token, principal);
    const tokens = this.#tokensOf.get(principal.subject) ?? new Set();
    this.#tokensOf.set(principal.subject, tokens.add(token));
  }

  /** The account has changed. */
  forgetOf(subject: string): void {
    for (const token of this.#tokensOf.get(subject) ?? []) this.#known.delete(token);
    this.#tokensOf.delete(subject);
  }

  clear(): void {
    this.#known.clear();
    this.#tokensOf.clear();
  }

  #forget(token: string): void {
    const subject = this.#known.get(token)?.subject;
    this.#known.delete(token);
    if (subject === undefined) return;
    const tokens = this.#tokensOf.get(subject);
    tokens?.delete(token);
    if (tokens?.size === 0) this.#tokensOf.delete(subject);
  }
}
