import { utf8 } from '../../../lib/bytes.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import type { SetBrand } from '../../../messages/lane-commands.ts';

/**
 * The facts of a brand in the lane. `number` is its place in order of appearance, which players' rows hold.
 */
export interface Brand {
  readonly number: number;
  /** As last stored: holders of the brand see what a later command of the message stores. */
  command: SetBrand;
}

export const maxBrands = 65_536;

/** A brand's first salt stays: pseudonyms that were published under it must not change their meaning. */
export class BrandBook {
  readonly #byPath = new Map<string, Brand>();
  readonly #byNumber: Brand[] = [];

  /** False where the lane has as many brands as it can number. */
  set(command: SetBrand): boolean {
    const known = this.#byPath.get(command.brand);
    if (known === undefined && this.#byNumber.length >= maxBrands) return false;
    if (known === undefined) {
      const brand = { number: this.#byNumber.length, command };
      this.#byPath.set(command.brand, brand);
      this.#byNumber.push(brand);
    } else known.command = { ...command, salt: known.command.salt };
    return true;
  }

  get(path: string): Brand | null {
    return this.#byPath.get(path) ?? null;
  }

  byNumber(number: number): Brand {
    return this.#byNumber[number]!;
  }

  commands(): readonly SetBrand[] {
    return this.#byNumber.map((brand) => brand.command);
  }
}

/** First half of HMAC-SHA256(the brand's salt, player id). */
export function pseudonymOf(hashing: Hashing, brand: Brand, player: string): Uint8Array {
  return hashing.hmacSha256(brand.command.salt, utf8(player)).subarray(0, 16);
}

/** Rows of players that the brands of an operator may fill in a lane, unless an owner says otherwise. */
export const defaultMaxPlayersPerOperator = 10_000_000;

/** Rows of players of each operator's brands in a lane: one tenant must not take the memory of all. */
export class PlayerCounts {
  readonly #counts = new Map<string, number>();

  of(brand: Brand): number {
    return this.#counts.get(operatorOf(brand)) ?? 0;
  }

  add(brand: Brand, rows = 1): void {
    this.#counts.set(operatorOf(brand), this.of(brand) + rows);
  }
}

function operatorOf({ command }: Brand): string {
  const end = command.brand.indexOf(':');
  return end < 0 ? command.brand : command.brand.slice(0, end);
}
