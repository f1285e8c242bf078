import { assert } from '../../../lib/assert.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type {
  CreditSettled,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from '../../../messages/settlement-commands.ts';
import { batchSizeIn, type CreditRecord, type CreditState } from '../../../messages/settlements.ts';
import { laneDone } from '../../rules/statuses/change.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { fxAt, playerAt, winLiabilityAt } from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';

/** Credits that one command settles at most. */
const maxSettledAtOnce = 200;

/** Where each answer of the wallet leads; a credit that a person holds only accepts that it was made. */
const moves: Readonly<
  Record<CreditSettled['result'], { readonly from: readonly CreditState[]; readonly to: CreditState }>
> = {
  accepted: { from: ['pending', 'unknown', 'dead'], to: 'settled' },
  refused: { from: ['pending', 'unknown'], to: 'dead' },
  unknown: { from: ['pending'], to: 'unknown' },
  exhausted: { from: ['pending', 'unknown'], to: 'dead' },
};

/** The answer of the wallet. Unknown ids and repeats change nothing: each credit is settled once. */
export function settleCredits(state: LaneState, command: CreditSettled): CommandOutcome {
  if (command.transactionIds.length > maxSettledAtOnce) {
    return refused('invalid_parameter', `at most ${maxSettledAtOnce} credits are settled at once`);
  }
  const { from, to } = moves[command.result];
  for (const transactionId of command.transactionIds) {
    const credit = state.credits.get(transactionId);
    if (credit === null) continue;
    if (from.includes(credit.state) || leavesBatch(credit, command))
      changeCredit(state, credit, to, command.reason);
  }
  return laneDone;
}

/** The result of its batch was unknown; now the record itself has failed, and never is in the batch again. */
function leavesBatch({ state, reason }: CreditRecord, command: CreditSettled): boolean {
  if (state !== 'unknown' || command.result !== 'unknown') return false;
  return batchSizeIn(reason) !== null && batchSizeIn(command.reason) === null;
}

type Decision = ReleaseCredit | RetryCredit | ResolveCredit;

interface Rule {
  readonly from: ReadonlySet<CreditState>;
  to(credit: CreditRecord): CreditState;
}

/** A person's decisions about a credit (docs/rules/settlements.md "Credits"). None voids one. */
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

/** Shown as withheld (docs/rules/wins-and-reseeding.md "Withheld wins"). */
const withheldStates: ReadonlySet<CreditState> = new Set(['withheld', 'unknown', 'dead']);

/** Moves a credit to a state: the winner's record follows, the money leaves where it is settled. */
function changeCredit(state: LaneState, credit: CreditRecord, next: CreditState, reason: string): void {
  const instance = state.instances.get(credit.instance);
  assert(instance !== undefined, 'a credit belongs to an instance');
  state.touch(instance);
  const changed: CreditRecord = { ...credit, state: next, reason, changedMs: state.nowMs };
  if (next === 'settled') settle(state, instance, changed);
  else state.credits.set(changed);
  if (changed.kind === 'close') {
    if (next === 'pending') state.addWork({ kind: 'CreditDue', credit: changed });
    return;
  }
  instance.winners.mark(
    changed.pot,
    changed.brand,
    changed.player,
    changed.sequence,
    changed.kind,
    withheldStates.has(next),
  );
  if (next === 'pending') state.addWork({ kind: 'CreditDue', credit: changed });
  state.announce({ kind: 'PayoutChanged', credit: changed });
}

/** The credit leaves; account `fx` takes what the player's floor and the way back leave. */
function settle(state: LaneState, instance: Instance, credit: CreditRecord): void {
  post(instance.balances, winLiabilityAt, playerAt, credit.backAtoms);
  post(instance.balances, winLiabilityAt, fxAt, credit.amountAtoms - credit.backAtoms);
  state.credits.delete(credit.transactionId);
}
