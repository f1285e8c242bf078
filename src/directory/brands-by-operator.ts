import type { BrandEntry } from '../contracts/directory/directory.ts';
import { operatorOf } from '../contracts/fields/identifiers.ts';

/** The brands of each operator in the order of their paths. */
export class BrandsByOperator {
  readonly #brands = new Map<string, BrandEntry[]>();

  of(operator: string): readonly BrandEntry[] {
    return this.#brands.get(operator) ?? [];
  }

  set(brand: BrandEntry): void {
    const operator = operatorOf(brand.path);
    const brands = this.#brands.get(operator) ?? [];
    const index = indexOf(brands, brand.path);
    const replaced = brands[index]?.path === brand.path ? 1 : 0;
    brands.splice(index, replaced, brand);
    this.#brands.set(operator, brands);
  }

  delete(path: string): void {
    const operator = operatorOf(path);
    const brands = this.#brands.get(operator) ?? [];
    const index = indexOf(brands, path);
    if (brands[index]?.path === path) brands.splice(index, 1);
    if (brands.length === 0) this.#brands.delete(operator);
  }
}

/** Where the brand is, or would be. */
function indexOf(brands: readonly BrandEntry[], path: string): number {
  let low = 0;
  let high = brands.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (brands[middle]!.path < path) low = middle + 1;
    else high = middle;
  }
  return low;
}
