/** When a client comes back (docs/rules/feeds.md "Coming back"). */
export interface Plan {
  /** What the service demands: nothing shortens it. */
  readonly atLeastMs: number;
  readonly waitMs: number;
}

/** Nobody answered. */
export const noAnswer = 1006;
export const unauthenticated = 4401;
/** The feed is off, for now. */
export const forbidden = 4403;

const firstMs = 1_000;
const mostMs = 30_000;
const floodMs = 10_000;
const offMs = 180_000;
const longestHintMs = 600_000;

/** null: it does not come back by itself. `failures` in a row before this one, `refusals` of the credential among them. */
export function planAfter(
  code: number,
  reason: string,
  { failures, refusals }: { readonly failures: number; readonly refusals: number },
  random = Math.random,
): Plan | null {
  if (code === 1002 || code === 1009 || code === 4400 || (code === unauthenticated && refusals > 0))
    return null;
  const hintMs = Math.min(longestHintMs, Number(/ retry=(\d+)$/.exec(reason)?.[1] ?? 0));
  const isOff = code === forbidden;
  const atLeastMs = Math.max(hintMs, isOff ? offMs : code === 4408 || code === 4429 ? floodMs : 0);
  const isPlanned = code === 1000 || code === unauthenticated;
  const withinMs = isOff ? offMs : isPlanned ? firstMs : Math.min(mostMs, firstMs * 2 ** failures);
  return { atLeastMs, waitMs: atLeastMs + random() * withinMs };
}

/** An HTTP status as a close code. */
export function codeOf(status: unknown): number {
  if (status === 404) return forbidden;
  if (status === 422) return 4400;
  return [400, 401, 403, 408, 429].includes(status as number) ? 4000 + (status as number) : noAnswer;
}
