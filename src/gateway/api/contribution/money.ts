import type { ErrorCode } from '../../../contracts/errors/codes.ts';
import { readAmount } from '../../../contracts/fields/amount.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { ContributionRequest } from './request.ts';

export type ContributionMoney =
  | { readonly ok: true; readonly baseWagerAtoms: bigint; readonly bonus: Contribute['bonus'] }
  | { readonly ok: false; readonly code: ErrorCode };

/** The amounts of a request, in atoms. */
export function readMoney(request: ContributionRequest): ContributionMoney {
  const wager = readAmount(request.baseWager);
  if (!wager.ok) return wager;
  if (request.bonus === null) return { ok: true, baseWagerAtoms: wager.atoms, bonus: null };
  const bonus = readAmount(request.bonus.amount);
  if (!bonus.ok) return bonus;
  return {
    ok: true,
    baseWagerAtoms: wager.atoms,
    bonus: { id: request.bonus.id, amountAtoms: bonus.atoms, currency: request.bonus.currency },
  };
}
