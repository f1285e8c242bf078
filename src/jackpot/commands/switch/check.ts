import { formatAmount, lesserOf } from '../../../lib/money.ts';
import { readWide } from '../../../lib/wide.ts';
import type { SwitchModel } from '../../../messages/instance-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { fullAtOnce } from '../../rules/configuration/limits.ts';
import { unsettled } from '../../rules/statuses/liabilities.ts';
import { isRunning, isSwitching } from '../../rules/switches/successor.ts';
import { readTransfers, type Transfer } from '../../rules/transfers/transfer.ts';
import { moveEverything } from '../../rules/transfers/transfers.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { currentAt, potAt, totalContributionsAt } from '../../state/money/accounts.ts';
import { findBreach } from '../../state/money/ledger.ts';

/** The balances of both instances after a switch. */
export interface SwitchPlan {
  readonly kind: 'SwitchPlan';
  readonly transfers: readonly Transfer[];
  readonly source: Float64Array;
  readonly target: Float64Array;
}

type SwitchMoment = 'preview' | 'begin' | 'end';

/** Plans a switch, or says why it must not be (docs/rules/model-switches.md "Refusals"). */
export function planSwitch(
  state: LaneState,
  source: Instance,
  target: Instance,
  { rules, override }: Pick<SwitchModel, 'rules' | 'override'>,
  moment: SwitchMoment,
): SwitchPlan | Refusal {
  const unfit =
    pairRefusal(source, target) ??
    stateRefusal(state, source, target, moment) ??
    (state.rules.switchesWhileRunning
      ? successionRefusal(state, target)
      : settlementRefusal(state, source, target, moment));
  if (unfit !== null) return unfit;
  const { transfers, faults } = readTransfers(source, target, rules);
  if (faults.length > 0) return refused('transfer_rules_invalid', faults.join('; '));
  const balances = { source: source.balances.slice(), target: target.balances.slice() };
  const uncut = { source: source.balances.slice(), target: target.balances.slice() };
  moveEverything(balances.source, balances.target, withCaps(target), transfers);
  moveEverything(uncut.source, uncut.target, [], transfers);
  const worse = override ? [] : worseningsOf(source, target, transfers, uncut.target);
  if (worse.length > 0)
    return refused('config_invalid', `${worse.join('; ')}; override says that this is wanted`);
  const breach =
    findBreach(balances.source, source.pots.length) ?? findBreach(balances.target, target.pots.length);
  if (breach !== null) return refused('amount_out_of_range', breach);
  return { kind: 'SwitchPlan', transfers, ...balances };
}

function pairRefusal(source: Instance, target: Instance): Refusal | null {
  if (source === target) return refused('invalid_transition', 'an instance cannot be switched to itself');
  if (source.facts.group !== target.facts.group) return refused('group_mismatch');
  if (source.configuration.currency !== target.configuration.currency) return refused('currency_mismatch');
  return source.raffle === null && target.raffle === null
    ? null
    : refused('config_invalid', 'only instances of type Jackpot can be switched');
}

function stateRefusal(
  state: LaneState,
  source: Instance,
  target: Instance,
  moment: SwitchMoment,
): Refusal | null {
  // At its end it is the switch that would be in the way.
  if (moment !== 'end' && (isSwitching(state, source) || isSwitching(state, target)))
    return refused('switch_in_progress');
  if (!isRunning(source)) {
    return refused('invalid_transition', `an instance cannot go from ${source.status} to Switched`);
  }
  if (source.suspended) return refused('instance_suspended', `the instance is suspended: ${source.reason}`);
  if (!isFresh(target) || target.switchedFrom !== '') {
    return refused(
      'invalid_transition',
      'the target must be Pending, without contributions, and of no other switch',
    );
  }
  return null;
}

/** The target goes on at once, so it must be one that can. */
function successionRefusal({ nowMs }: LaneState, target: Instance): Refusal | null {
  const { endMs } = target.facts;
  if (endMs !== null && nowMs >= endMs) return refused('invalid_transition', 'the target has ended already');
  return target.pots.some((pot) => pot.effective.enabled)
    ? null
    : refused('invalid_transition', 'no pot of the target is enabled');
}

/** In the first version of the engine nothing may be under way; a preview does not wait for that. */
function settlementRefusal(
  state: LaneState,
  source: Instance,
  target: Instance,
  moment: SwitchMoment,
): Refusal | null {
  const open = moment === 'preview' ? null : (unsettled(state, source) ?? unsettled(state, target));
  return open === null ? null : refused('invalid_transition', open);
}

function isFresh({ status, balances }: Instance): boolean {
  return status === 'Pending' && balances[totalContributionsAt] === 0;
}

function withCaps(target: Instance): readonly (bigint | null)[] {
  return target.pots.map((pot) => pot.effective.capAtoms);
}

/** Effects that need an override. `moved`: the target's balances before they are cut to a cap. */
function worseningsOf(
  source: Instance,
  target: Instance,
  transfers: readonly Transfer[],
  moved: Float64Array,
): readonly string[] {
  const odds = transfers.flatMap((transfer) => {
    const from = source.pots[transfer.source]!.effective;
    return transfer.targets
      .filter((each) => each.fraction.scaled > 0n)
      .flatMap((each) => worseOdds(from, target.pots[each.pot]!.effective));
  });
  const full = target.pots.flatMap(({ index, effective }) =>
    fullAtOnce(effective, readWide(moved, potAt(index) + currentAt)),
  );
  return [...odds, ...full];
}

/** Pots whose hits do not depend on contributions alone are not compared. */
function worseOdds(from: PotConfiguration, to: PotConfiguration): readonly string[] {
  const before = minCycle(from);
  const after = minCycle(to);
  if (before === null || after === null || after <= before) return [];
  return [
    `${to.id} would be hit once in ${formatAmount(after)} contributed, ${from.id} is hit once in ${formatAmount(before)}`,
  ];
}

/** The least Σ of contributions at which one of the pot's triggers is expected to hit. */
function minCycle(pot: PotConfiguration): bigint | null {
  const rates = pot.triggers.flatMap(({ expectedCycleAtoms }) => expectedCycleAtoms ?? []);
  return rates.length === 0 ? null : rates.reduce(lesserOf);
}
