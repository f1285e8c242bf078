import type { CommandOutcome, ContributionOutcome, SettledContribution } from '../../../messages/outcomes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { CancelDebit, DebitSettled } from '../../../messages/settlement-commands.ts';
import type { CreditRecord } from '../../../messages/settlements.ts';
import { closingId } from '../../../messages/transaction-ids.ts';
import { laneDone } from '../../rules/statuses/change.ts';
import { successorOf } from '../../rules/switches/successor.ts';
import type { InstanceStatus } from '../../state/instance/instance.ts';
import { keyScopeOf } from '../../state/lane/first-use.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenContribution, OpenDebit, Part } from '../../state/settlements/open-debits.ts';
import { applyContribution } from '../contribution/apply.ts';
import type { Entry, SettlementEntry } from '../contribution/entry.ts';
import { settledQuote } from './settled-quote.ts';
import { contributeToLinks, kept, resultsOf } from './take.ts';

/** Debits that one command applies at most. */
export const maxAppliedAtOnce = 100;

const reaskDelayMs = 60_000;
const applies: ReadonlySet<InstanceStatus> = new Set(['Active', 'Resolving']);
/** The answer of the wallet. Unknown ids and repeats change nothing: each debit is settled once. */
export function settleDebit(
  state: LaneState,
  command: DebitSettled,
  planned: readonly SettlementEntry[],
  index: number,
): CommandOutcome {
  const debit = openDebitOf(state, command);
  if (debit === null) return laneDone;
  if (command.result !== 'debited') {
    const code = command.result === 'refused' ? 'debit_refused' : 'wallet_unavailable';
    return refuseDebit(state, debit, code, index);
  }
  // The player has now paid: obstacles only delay the contribution.
  state.debits.set({ ...debit, debited: true });
  const instance = state.instances.get(debit.instance);
  if (instance !== undefined) state.movedDeadlines.add(instance);
  return outcomeOf([applyDebited(state, command.transactionId, planned, index)]);
}

/** The debit that a report settles; null: an unknown or settled one, or the report has expired. */
export function openDebitOf(state: LaneState, { transactionId, expiresMs }: DebitSettled): OpenDebit | null {
  const debit = state.debits.get(transactionId);
  if (debit === null || debit.debited) return null;
  return expiresMs !== undefined && state.nowMs > expiresMs ? null : debit;
}

/** Ends a debit that the wallet has not made: nothing has changed, and the contribution is refused. */
function refuseDebit(
  state: LaneState,
  debit: OpenDebit,
  code: 'debit_refused' | 'wallet_unavailable',
  index: number,
): CommandOutcome {
  return outcomeOf([finish(state, debit, refused(code), [], index)]);
}

/**
 * Applies debits that waited for their instance, or for a message with room; the owner's Tick asks for it.
 */
export function applyWaiting(
  state: LaneState,
  planned: readonly SettlementEntry[],
  index: number,
): readonly SettledContribution[] {
  return planned
    .map(({ transactionId }) => applyDebited(state, transactionId, planned, index))
    .filter((settled) => settled !== null);
}

/** Whether the instance, or that which goes on for it, takes what was debited for it. */
export function requiresDebits(state: LaneState, instance: string): boolean {
  const found = successorOf(state, instance);
  return found !== undefined && applies.has(found.status) && found.epochs.running !== null;
}

function applyDebited(
  state: LaneState,
  transactionId: string,
  planned: readonly SettlementEntry[],
  index: number,
): SettledContribution | null {
  const debit = state.debits.get(transactionId);
  const entry = planned.find((each) => each.transactionId === transactionId)?.entry;
  if (debit === null || entry === undefined || state.isFull || !requiresDebits(state, debit.instance))
    return null;
  const { command } = contributionOf(state, debit);
  const quote = settledQuote(entry.instance, command, debit);
  const result = applyContribution(state, entry, command, quote, debit);
  if ('kind' in result) {
    // The instance has paused itself: it is asked again, in case a person has resumed it by then.
    state.debits.postpone(debit.instance, state.nowMs + reaskDelayMs);
    return null;
  }
  if (result.win === null) openClosing(state, entry, debit, result.sequence);
  const links =
    entry.links === null ? [] : contributeToLinks(state, entry.links, command, debit.sequence, debit.index);
  return finish(state, debit, result, links, index);
}

/** The debit is over; so is its contribution, where no other part of it waits. */
function finish(
  state: LaneState,
  debit: OpenDebit,
  result: ContributionOutcome | Refusal,
  links: readonly Part[],
  index: number,
): SettledContribution | null {
  state.debits.delete(debit.transactionId);
  const open = contributionOf(state, debit);
  const part: Part = 'kind' in result ? 'refused' : result;
  const parts = [...open.parts.map((each, place) => (place === debit.part ? part : each)), ...links];
  if (parts.includes('waiting')) {
    const isNew = (each: Part): boolean => !open.parts.includes(each);
    state.debits.setContribution({
      ...open,
      parts: parts.map((each) => (isNew(each) ? kept(state, each) : each)),
    });
    return null;
  }
  const { command, sequence, gateway, batchId } = open;
  const key = command.idempotencyKey;
  const isRefused = parts[0] === 'refused';
  state.debits.closeContribution(open, state.messageSequence, index);
  if (key !== null && !isRefused)
    state.keys.add(
      command.operator,
      key,
      keyScopeOf(state, command),
      state.messageSequence,
      index,
      state.nowMs,
    );
  return {
    sequence,
    index: open.index,
    gateway,
    batchId,
    idempotencyKey: key,
    callback: command.callback !== null,
    result: isRefused && 'kind' in result ? result : { kind: 'Contributed', results: resultsOf(parts) },
  };
}

function contributionOf(state: LaneState, debit: OpenDebit): OpenContribution {
  const open = state.debits.contribution(debit.sequence, debit.index);
  if (open === null) throw new Error('a debit belongs to a contribution');
  return open;
}

function outcomeOf(settled: readonly (SettledContribution | null)[]): CommandOutcome {
  const contributions = settled.filter((each) => each !== null);
  return contributions.length === 0 ? laneDone : { kind: 'Settled', contributions };
}

/** A person ends a debit that the wallet does not end (docs/rules/settlements.md "Decisions of people"). */
export function cancelDebit(state: LaneState, command: CancelDebit, index: number): CommandOutcome {
  const debit = state.debits.get(command.transactionId);
  if (debit === null) return refused('invalid_parameter', 'no such debit is open');
  if (debit.debited) return refused('invalid_transition', 'the player has paid');
  if (state.nowMs <= debit.deadlineMs) return refused('invalid_transition', 'the wallet is still asked');
  return refuseDebit(state, debit, 'wallet_unavailable', index);
}

/** With `close_rounds` a credit of zero closes the round of a debit that won nothing. */
function openClosing(state: LaneState, entry: Entry, debit: OpenDebit, sequence: number): void {
  const { command } = entry.brand;
  if (!command.closeRounds || !command.wallet) return;
  const credit: CreditRecord = {
    number: state.nextNumber(),
    transactionId: closingId(debit.contributionId),
    batchId: '',
    kind: 'close',
    state: 'pending',
    instance: entry.instance.id,
    pot: '',
    instanceCount: 0,
    sequence,
    brand: debit.brand,
    player: debit.player,
    amountAtoms: 0n,
    currency: entry.instance.configuration.currency,
    paidAtoms: 0n,
    paidCurrency: debit.currency,
    backAtoms: 0n,
    rateVersion: debit.rateVersion,
    contributionId: debit.contributionId,
    source: debit.source,
    provider: debit.provider,
    wallet: true,
    openedMs: state.nowMs,
    changedMs: state.nowMs,
    reason: '',
  };
  state.credits.set(credit);
  state.addWork({ kind: 'CreditDue', credit });
}
