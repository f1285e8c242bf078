import { compareFractions, floorMultiply } from '../../../lib/fraction.ts';
import { addWide, readWide, writeWide } from '../../../lib/wide.ts';
import {
  carryAt,
  currentAt,
  diversionAt,
  houseAt,
  overflowAt,
  potAt,
  seedAt,
  seedDeficitAt,
  surplusAt,
  transferAt,
} from '../../state/money/accounts.ts';
import { post } from '../../state/money/ledger.ts';
import type { Transfer } from './transfer.ts';

const accounts = [currentAt, seedAt, surplusAt, overflowAt, carryAt] as const;

/**
 * Moves balances between two instances (docs/rules/model-switches.md "What moves"): each account of a pot by its rule,
 * floored, the rest to the largest fraction; house, diversion and the seed deficit whole. The excess over a pot's cap
 * then goes to its overflow (without caps it stays).
 */
export function moveEverything(
  source: Float64Array,
  target: Float64Array,
  capsAtoms: readonly (bigint | null)[],
  transfers: readonly Transfer[],
): void {
  for (const { source: pot, targets } of transfers) {
    for (const account of accounts) {
      const atoms = readWide(source, potAt(pot) + account);
      const parts = partsOf(atoms, targets);
      targets.forEach((to, index) => {
        transferAtoms(source, potAt(pot) + account, target, potAt(to.pot) + account, parts[index]!);
      });
    }
  }
  moveWhole(source, target);
  capsAtoms.forEach((capAtoms, pot) => {
    spillAbove(target, potAt(pot), capAtoms);
  });
}

/** House, diversion, and what the operator has fronted at reseeds. */
export function moveWhole(source: Float64Array, target: Float64Array): void {
  for (const account of [houseAt, diversionAt]) {
    transferAtoms(source, account, target, account, readWide(source, account));
  }
  addWide(target, seedDeficitAt, readWide(source, seedDeficitAt));
  writeWide(source, seedDeficitAt, 0n);
}

/** Both sides book against their own account `transfer`. */
export function transferAtoms(
  source: Float64Array,
  from: number,
  target: Float64Array,
  to: number,
  atoms: bigint,
): void {
  post(source, from, transferAt, atoms);
  post(target, transferAt, to, atoms);
}

function spillAbove(balances: Float64Array, at: number, capAtoms: bigint | null): void {
  const above = capAtoms === null ? 0n : readWide(balances, at + currentAt) - capAtoms;
  if (above > 0n) post(balances, at + currentAt, at + overflowAt, above);
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
