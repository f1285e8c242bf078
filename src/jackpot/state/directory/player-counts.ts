import type { Brand } from './brands.ts';

/** Rows of players that the brands of an operator may fill in a lane, unless an owner says otherwise. */
export const defaultMaxPlayersPerOperator = 10_000_000;

/** How many rows of players each operator's brands have in a lane: one tenant must not take the memory of all. */
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
