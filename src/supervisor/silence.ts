/** How often the parent looks whether its children show signs of life. */
export const lookEveryMs = 500;

/** When a child counts as hung, and what becomes of it then. */
export type HangPolicy = {
  readonly afterMs: number;
  readonly action: 'replace' | 'report';
};

/** A child that still starts may restore a large state in one go: it is given so many times the patience. */
const patienceOfStarts = 4;
/** From this part of the limit on a child does not count as ready any more. */
const unreadyFrom = 1 / 3;

/**
 * For how long a child has shown no sign of life, in looks of its parent and not by a clock: a parent that was stopped
 * itself, or whose machine slept, has not looked meanwhile, and must not take its own absence for its children's.
 */
export class Silence {
  #looks = 0;

  heard(): void {
    this.#looks = 0;
  }

  looked(): void {
    this.#looks += 1;
  }

  get ms(): number {
    return this.#looks * lookEveryMs;
  }
}

export function isHung(silentMs: number, wasReady: boolean, policy: HangPolicy): boolean {
  return silentMs >= policy.afterMs * (wasReady ? 1 : patienceOfStarts);
}

export function isSilent(silentMs: number, policy: HangPolicy): boolean {
  return silentMs >= policy.afterMs * unreadyFrom;
}
