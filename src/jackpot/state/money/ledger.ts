import { maxAmountAtoms } from '../../../lib/money.ts';
import { addWide, half, readWide } from '../../../lib/wide.ts';
import {
  diversionAt,
  diversionPendingAt,
  firstPotAt,
  instanceAccounts,
  potAccounts,
  potAt,
} from './accounts.ts';

const maxHigh = Number(maxAmountAtoms >> 32n);
/** Outside accounts are exact to 2^84; a sum beyond is not money any more. */
const maxOutside = 2 ** 52;

/** Posts one double entry: `atoms` leave `from` and reach `to`. */
export function post(balances: Float64Array, from: number, to: number, atoms: bigint): void {
  if (atoms === 0n) return;
  addWide(balances, from, -atoms);
  addWide(balances, to, atoms);
}

/**
 * Accounts that do not sum to zero, or an inside account below zero or too large; null: nothing is broken.
 */
export function findBreach(balances: Float64Array, pots: number): string | null {
  let high = 0;
  let low = 0;
  for (const [name, at, inside] of instanceAccounts) {
    high += balances[at]!;
    low += balances[at + 1]!;
    const fault = inside ? insideFault(balances, at) : outsideFault(balances, at);
    if (fault !== null) return `account ${name} ${fault}`;
  }
  for (let pot = 0; pot < pots; pot++) {
    for (const [name, offset] of potAccounts) {
      const at = potAt(pot) + offset;
      high += balances[at]!;
      low += balances[at + 1]!;
      const fault = insideFault(balances, at);
      if (fault !== null) return `account ${name} of pot ${pot} ${fault}`;
    }
  }
  return high * half + low === 0 && low % half === 0 ? null : 'accounts do not sum to zero';
}

/** Whether there is no room. A diversion that fails comes back to its pool: the two have the room of one. */
export function isOverfull(balances: Float64Array, pots: number): boolean {
  const isOver = (at: number) => balances[at]! >= maxHigh && readWide(balances, at) > maxAmountAtoms;
  if (readWide(balances, diversionAt) + readWide(balances, diversionPendingAt) > maxAmountAtoms) return true;
  if (instanceAccounts.some(([, at, inside]) => inside && isOver(at))) return true;
  for (let pot = 0; pot < pots; pot++) {
    if (potAccounts.some(([, offset]) => isOver(potAt(pot) + offset))) return true;
  }
  return false;
}

/** Whether an amount with this high half may lead any inside account past the largest balance. */
export function nearLimit(balances: Float64Array, pots: number, high: number): boolean {
  const room = maxHigh - high - 2;
  if (balances[0]! > room || balances[diversionAt]! + balances[diversionPendingAt]! > room) return true;
  for (let at = firstPotAt; at < potAt(pots); at += potAt(1) - firstPotAt) {
    if (balances[at]! > room || balances[at + 2]! > room || balances[at + 6]! > room) return true;
  }
  return false;
}

export function accountsOf(
  balances: Float64Array,
  pots: readonly string[],
): readonly (readonly [name: string, atoms: bigint])[] {
  const own = instanceAccounts.map(([name, at]) => [name, readWide(balances, at)] as const);
  const ofPots = pots.flatMap((pot, index) =>
    potAccounts.map(([name, at]) => [`${pot}.${name}`, readWide(balances, potAt(index) + at)] as const),
  );
  return [...own, ...ofPots];
}

function insideFault(balances: Float64Array, at: number): string | null {
  if (balances[at]! < 0) return 'is below zero';
  if (balances[at]! < maxHigh) return null;
  return readWide(balances, at) > maxAmountAtoms ? 'is beyond the largest balance' : null;
}

function outsideFault(balances: Float64Array, at: number): string | null {
  return Math.abs(balances[at]!) < maxOutside ? null : 'is beyond what can be counted';
}
