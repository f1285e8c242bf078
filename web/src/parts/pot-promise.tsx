import { parseAtoms } from '../money/decimal.ts';
import { formatMoney } from '../money/format.ts';
import type { SessionJackpot, SessionPot } from '../session/shapes.ts';

interface Properties {
  readonly jackpot: SessionJackpot;
  readonly pot: SessionPot | undefined;
}

/** What a pot's rules promise, in one line under its value. */
export function PotPromise({ jackpot, pot }: Properties) {
  if (pot === undefined) return null;
  if (pot.must_hit_by !== null) {
    const most = parseAtoms(pot.must_hit_by);
    if (most === null) return null;
    return <span class="pot-promise">Must hit by {formatMoney(most, jackpot.currency)}</span>;
  }
  if (pot.awarded_by_operator) return <span class="pot-promise">Awarded by the operator</span>;
  return null;
}
