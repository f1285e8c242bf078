import type { AdministratorPrincipal } from '../../../access/rights/principal.ts';
import { operatorsOf } from '../../../access/rights/read-scope.ts';

/** Who changes something. */
export type Writer = Pick<AdministratorPrincipal, 'subject' | 'owners'>;

/** Those who share their turns: the administrators of the same operators, or one of the whole system alone. */
export function partyOf({ subject, owners }: Writer): string {
  const operators = operatorsOf(owners);
  return operators.length === 0 ? `user ${subject}` : `operators ${operators.sort().join(' ')}`;
}
