import type { Clock } from '../../ports.ts';

/** Refused tokens that one address may show to a brand within the window. */
export const maxRefusalsOfAddress = 30;
export const refusalWindowMs = 10_000;
/** How long an address counts as proven after it showed a valid token. */
const provenForMs = 600_000;
/** How often a proven address over the limit may ask: a guesser at the same address locks no player out. */
const provenAskEveryMs = 100;
/** Counted and proven addresses of one brand, and brands. The oldest go first. */
const maxAddressesOfBrand = 10_000;
const maxBrands = 1_024;
const msPerSecond = 1_000;

interface Window {
  readonly startMs: number;
  refusals: number;
  nextProvenMs: number;
}

interface Addresses {
  readonly windows: Map<string, Window>;
  readonly provenAtMs: Map<string, number>;
}

/** Counts accepted and refused player tokens by client address, for each brand separately. */
export class AddressReputation {
  readonly #clock: Clock;
  readonly #brands = new Map<string, Addresses>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until the address may ask about an unknown token; 0: now. */
  blockedSeconds(brand: string, address: string): number {
    const window = this.#brands.get(brand)?.windows.get(address);
    const nowMs = this.#clock.elapsedMs();
    if (window === undefined || window.refusals < maxRefusalsOfAddress) return 0;
    const leftMs = window.startMs + refusalWindowMs - nowMs;
    if (leftMs <= 0) return 0;
    if (!this.isProven(brand, address)) return Math.ceil(leftMs / msPerSecond);
    if (nowMs < window.nextProvenMs) return 1;
    window.nextProvenMs = nowMs + provenAskEveryMs;
    return 0;
  }

  isProven(brand: string, address: string): boolean {
    const atMs = this.#brands.get(brand)?.provenAtMs.get(address);
    return atMs !== undefined && this.#clock.elapsedMs() - atMs < provenForMs;
  }

  accepted(brand: string, address: string): void {
    retainNewest(this.#of(brand).provenAtMs, address, this.#clock.elapsedMs());
  }

  refused(brand: string, address: string): void {
    const { windows } = this.#of(brand);
    const nowMs = this.#clock.elapsedMs();
    const window = windows.get(address);
    if (window !== undefined && nowMs - window.startMs < refusalWindowMs) window.refusals += 1;
    else retainNewest(windows, address, { startMs: nowMs, refusals: 1, nextProvenMs: 0 });
  }

  #of(brand: string): Addresses {
    const present = this.#brands.get(brand);
    if (present !== undefined) return present;
    const addresses = { windows: new Map(), provenAtMs: new Map() };
    this.#brands.set(brand, addresses);
    if (this.#brands.size > maxBrands) this.#brands.delete(this.#brands.keys().next().value as string);
    return addresses;
  }
}

function retainNewest<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > maxAddressesOfBrand) map.delete(map.keys().next().value as string);
}
