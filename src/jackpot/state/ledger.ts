import { MAX_AMOUNT_ATOMS } from '../../lib/money.ts';
import { addWide, HALF, readWide } from '../../lib/wide.ts';
import { DIVERSION, DIVERSION_PENDING, instanceAccounts, POTS, potAccounts, potAt } from './accounts.ts';

const HIGHEST = Number(MAX_AMOUNT_ATOMS >> 32n);
/** Outside accounts are exact to 2^84; a sum beyond is not money any more. */
const HIGHEST_OUTSIDE = 2 ** 52;

/** Posts one double entry: `atoms` leave `from` and reach `to`. */
export function post(words: Float64Array, from: number, to: number, atoms: bigint): void {
  if (atoms === 0n) return;
  addWide(words, from, -atoms);
  addWide(words, to, atoms);
}

/** Σ of all accounts = 0, no inside account below zero or above the largest amount; null, or what is broken. */
export function findBreach(words: Float64Array, pots: number): string | null {
  let high = 0;
  let low = 0;
  for (const [name, at, inside] of instanceAccounts) {
    high += words[at]!;
    low += words[at + 1]!;
    const fault = inside ? insideFault(words, at) : outsideFault(words, at);
    if (fault !== null) return `account ${name} ${fault}`;
  }
  for (let pot = 0; pot < pots; pot++) {
    for (const [name, offset] of potAccounts) {
      const at = potAt(pot) + offset;
      high += words[at]!;
      low += words[at + 1]!;
      const fault = insideFault(words, at);
      if (fault !== null) return `account ${name} of pot ${pot} ${fault}`;
    }
  }
  return high * HALF + low === 0 && low % HALF === 0 ? null : 'accounts do not sum to zero';
}

/**
 * Whether an inside account holds more than the largest balance: nothing is broken, there is no room. A diversion that fails
 * comes back to its pool, so the two have the room of one.
 */
export function isOverfull(words: Float64Array, pots: number): boolean {
  const isOver = (at: number) => words[at]! >= HIGHEST && readWide(words, at) > MAX_AMOUNT_ATOMS;
  if (readWide(words, DIVERSION) + readWide(words, DIVERSION_PENDING) > MAX_AMOUNT_ATOMS) return true;
  if (instanceAccounts.some(([, at, inside]) => inside && isOver(at))) return true;
  for (let pot = 0; pot < pots; pot++) {
    if (potAccounts.some(([, offset]) => isOver(potAt(pot) + offset))) return true;
  }
  return false;
}

/** Whether an amount with this high half may lead any inside account past the largest balance. */
export function nearLimit(words: Float64Array, pots: number, high: number): boolean {
  const room = HIGHEST - high - 2;
  if (words[0]! > room || words[DIVERSION]! + words[DIVERSION_PENDING]! > room) return true;
  for (let at = POTS; at < potAt(pots); at += potAt(1) - POTS) {
    if (words[at]! > room || words[at + 2]! > room || words[at + 6]! > room) return true;
  }
  return false;
}

export function accountsOf(
  words: Float64Array,
  pots: readonly string[],
): readonly (readonly [name: string, atoms: bigint])[] {
  const own = instanceAccounts.map(([name, at]) => [name, readWide(words, at)] as const);
  const ofPots = pots.flatMap((pot, index) =>
    potAccounts.map(([name, at]) => [`${pot}.${name}`, readWide(words, potAt(index) + at)] as const),
  );
  return [...own, ...ofPots];
}

function insideFault(words: Float64Array, at: number): string | null {
  if (words[at]! < 0) return 'is below zero';
  if (words[at]! < HIGHEST) return null;
  return readWide(words, at) > MAX_AMOUNT_ATOMS ? 'is beyond the largest balance' : null;
}

function outsideFault(words: Float64Array, at: number): string | null {
  return Math.abs(words[at]!) < HIGHEST_OUTSIDE ? null : 'is beyond what can be counted';
}
