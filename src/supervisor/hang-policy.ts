/** When a child counts as hung, and what becomes of it then. */
export type HangPolicy = {
  readonly afterMs: number;
  readonly action: 'replace' | 'report';
};

/**
 * A child that still starts may restore a large state in one go, and one of the lowest priority waits for
 * those of others: its limit is multiplied by this.
 */
const patience = 4;
/** From this part of the limit on a child does not count as ready any more. */
const unreadyFrom = 1 / 3;

export function isHung(silentMs: number, mayWait: boolean, policy: HangPolicy): boolean {
  return silentMs >= policy.afterMs * (mayWait ? patience : 1);
}

export function isSilent(silentMs: number, policy: HangPolicy): boolean {
  return silentMs >= policy.afterMs * unreadyFrom;
}
