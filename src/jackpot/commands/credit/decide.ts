import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { ReleaseCredit, ResolveCredit, RetryCredit } from '../../../messages/settlement-commands.ts';
import type { CreditRecord, CreditState } from '../../../messages/settlements.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { changeCredit } from './change.ts';

type Decision = ReleaseCredit | RetryCredit | ResolveCredit;

interface Rule {
  readonly from: ReadonlySet<CreditState>;
  to(credit: CreditRecord): CreditState;
}

/** The decisions of a person about a credit (docs/rules/settlements.md "Credits"). Nobody may void one. */
const rules: Readonly<Record<Decision['kind'], Rule>> = {
  /** Without a wallet the operator pays by the record: it is booked out. */
  ReleaseCredit: {
    from: new Set<CreditState>(['withheld']),
    to: (credit) => (credit.wallet ? 'pending' : 'settled'),
  },
  RetryCredit: { from: new Set<CreditState>(['dead', 'unknown']), to: () => 'pending' },
  /** The player got it in another way. */
  ResolveCredit: { from: new Set<CreditState>(['withheld', 'unknown', 'dead']), to: () => 'settled' },
};

export function decideCredit(state: LaneState, command: Decision): CommandOutcome {
  const credit = state.credits.get(command.transactionId);
  if (credit === null) return refused('invalid_parameter', 'no such credit is open');
  const { from, to } = rules[command.kind];
  if (!from.has(credit.state)) {
    return refused('invalid_transition', `the credit is ${credit.state}`);
  }
  changeCredit(state, credit, to(credit), command.reason);
  const version = state.instances.get(credit.instance)?.version ?? 0;
  return { kind: 'Done', instance: credit.instance, version };
}
