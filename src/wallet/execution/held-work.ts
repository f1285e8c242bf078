import { executionLimits } from './limits.ts';

/** Work of a lane in memory, by id: up to a limit in all, and of one brand as much as is left. */
export class HeldWork<T extends { readonly brand: string }> {
  readonly #jobs = new Map<string, T>();
  readonly #ofBrand = new Map<string, number>();
  #hasRejected = false;

  get size(): number {
    return this.#jobs.size;
  }

  get(id: string): T | undefined {
    return this.#jobs.get(id);
  }

  values(): Iterable<T> {
    return this.#jobs.values();
  }

  get isFull(): boolean {
    return this.#jobs.size >= executionLimits.heldInLane;
  }

  /** False where there is no room: the lane keeps it, and a later sweep finds it. */
  has(brand: string): boolean {
    const free = executionLimits.heldInLane - this.#jobs.size;
    const hasRoom = (this.#ofBrand.get(brand) ?? 0) < free;
    this.#hasRejected ||= !hasRoom;
    return hasRoom;
  }

  add(id: string, item: T): void {
    this.#jobs.set(id, item);
    this.#ofBrand.set(item.brand, (this.#ofBrand.get(item.brand) ?? 0) + 1);
  }

  delete(id: string): void {
    const item = this.#jobs.get(id);
    if (item === undefined) return;
    this.#jobs.delete(id);
    const left = (this.#ofBrand.get(item.brand) ?? 1) - 1;
    if (left === 0) this.#ofBrand.delete(item.brand);
    else this.#ofBrand.set(item.brand, left);
  }

  /** Whether work was rejected since the last question. */
  takeRejected(): boolean {
    const was = this.#hasRejected;
    this.#hasRejected = false;
    return was;
  }
}
