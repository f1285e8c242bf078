import type { Json } from '../../../lib/canonical-json.ts';
import { compareFractions, floorMultiply } from '../../../lib/fraction.ts';
import { addWide, readWide, writeWide } from '../../../lib/wide.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import * as accounts from '../../state/money/accounts.ts';
import { accountsOf, post } from '../../state/money/ledger.ts';
import { recordEvent } from '../draws/close.ts';
import type { Transfer } from './transfer.ts';

const movedAccounts = [
  accounts.currentAt,
  accounts.seedAt,
  accounts.surplusAt,
  accounts.overflowAt,
  accounts.carryAt,
] as const;

/** Moves balances between instances (docs/rules/model-switches.md "What moves"). */
export function moveEverything(
  source: Float64Array,
  target: Float64Array,
  capsAtoms: readonly (bigint | null)[],
  transfers: readonly Transfer[],
): void {
  for (const { source: pot, targets } of transfers) {
    for (const account of movedAccounts) {
      const atoms = readWide(source, accounts.potAt(pot) + account);
      const parts = partsOf(atoms, targets);
      targets.forEach((to, index) => {
        transferAtoms(
          source,
          accounts.potAt(pot) + account,
          target,
          accounts.potAt(to.pot) + account,
          parts[index]!,
        );
      });
    }
  }
  moveWhole(source, target);
  capsAtoms.forEach((capAtoms, pot) => {
    spillAbove(target, accounts.potAt(pot), capAtoms);
  });
}

/** House, diversion, and what the operator has fronted at reseeds. */
export function moveWhole(source: Float64Array, target: Float64Array): void {
  for (const account of [accounts.houseAt, accounts.diversionAt]) {
    transferAtoms(source, account, target, account, readWide(source, account));
  }
  addWide(target, accounts.seedDeficitAt, readWide(source, accounts.seedDeficitAt));
  writeWide(source, accounts.seedDeficitAt, 0n);
}

/** Both sides book against their own account `transfer`. */
export function transferAtoms(
  source: Float64Array,
  from: number,
  target: Float64Array,
  to: number,
  atoms: bigint,
): void {
  post(source, from, accounts.transferAt, atoms);
  post(target, accounts.transferAt, to, atoms);
}

function spillAbove(balances: Float64Array, at: number, capAtoms: bigint | null): void {
  const above = capAtoms === null ? 0n : readWide(balances, at + accounts.currentAt) - capAtoms;
  if (above > 0n) post(balances, at + accounts.currentAt, at + accounts.overflowAt, above);
}

/** floor(x·f) each, the rest to the first of the largest fractions. */
function partsOf(atoms: bigint, targets: Transfer['targets']): readonly bigint[] {
  const parts = targets.map(({ fraction }) => floorMultiply(atoms, fraction));
  const largest = targets.reduce(
    (best, each, index) => (compareFractions(each.fraction, targets[best]!.fraction) > 0 ? index : best),
    0,
  );
  const rest = atoms - parts.reduce((sum, each) => sum + each, 0n);
  return parts.map((part, index) => (index === largest ? part + rest : part));
}

/**
 * The record of balances that came from another instance, or went to one or the operator (`other` empty).
 * Before the first draw there is none: the first header shows them.
 */
export function recordTransfer(
  state: LaneState,
  instance: Instance,
  before: Float64Array,
  type: 'switch' | 'completion' | 'receipt',
  other: string,
): void {
  if (instance.epochs.running === null) return;
  recordEvent(state, instance, (seq) => ({
    type,
    seq,
    other: other === '' ? null : other,
    accounts: changesOf(instance, before),
    accumulated_seed_deficit: (
      readWide(instance.balances, accounts.seedDeficitAt) - readWide(before, accounts.seedDeficitAt)
    ).toString(),
  }));
}

/** By how much each account has changed, those that did not left out; a pot's accounts as `pot.account`. */
function changesOf(instance: Instance, before: Float64Array): Json {
  const ids = instance.pots.map((pot) => pot.effective.id);
  const earlier = new Map(accountsOf(before, ids));
  const changes = accountsOf(instance.balances, ids).flatMap(([name, atoms]) => {
    const change = atoms - (earlier.get(name) ?? 0n);
    return change === 0n ? [] : [[name, change.toString()] as const];
  });
  return Object.fromEntries(changes);
}
