/**
 * Where the numbers of an instance stand in its one Float64Array (lib/wide pairs; counters are single words). One
 * array, so that a command can be undone, checked and copied as a whole.
 */
export const HOUSE = 0;
export const DIVERSION = 2;
export const DIVERSION_PENDING = 4;
export const WIN_LIABILITY = 6;
export const PLAYER = 8;
export const OPERATOR_CAPITAL = 10;
export const OPERATOR_FEE = 12;
export const EXTERNAL = 14;
export const FX = 16;
export const ADJUSTMENT = 18;
export const TRANSFER = 20;
/** accumulated_seed_deficit: a meter, not an account. */
export const SEED_DEFICIT = 22;
export const TOTAL_CONTRIBUTIONS = 24;
export const HOUSE_CONTRIBUTIONS = 25;

export const POTS = 26;
/** Offsets within a pot's words. */
export const CURRENT = 0;
export const SEED = 2;
export const SURPLUS = 4;
export const OVERFLOW = 6;
export const CARRY = 8;
export const CONTRIBUTED = 10;
export const CONTRIBUTED_SEED = 12;
/** V after the pot's last draw in the cycle; its opening value before the first. */
export const LAST_DRAWN = 14;
export const POT_CONTRIBUTIONS = 16;
export const CYCLE_CONTRIBUTIONS = 17;
export const CYCLE = 18;
export const CYCLE_START_MS = 19;
export const INITIAL_COST = 20;
export const ENABLED = 22;
/** The windows of the pot's Time triggers, one slot each. */
export const WINDOWS = 24;
export const MAXIMUM_TIME_TRIGGERS = 4;
/** Words of a slot: end of its window (0: none any more), last contribution evaluated in it, end of the last one it paid. */
export const WINDOW_END = 0;
export const WINDOW_EVALUATED = 1;
export const WINDOW_PAID = 2;
export const WINDOW_WORDS = 3;
export const POT_WORDS = WINDOWS + WINDOW_WORDS * MAXIMUM_TIME_TRIGGERS;

export const instanceAccounts: readonly (readonly [name: string, at: number, inside: boolean])[] = [
  ['house', HOUSE, true],
  ['diversion', DIVERSION, true],
  ['diversion_pending', DIVERSION_PENDING, true],
  ['win_liability', WIN_LIABILITY, true],
  ['player', PLAYER, false],
  ['operator_capital', OPERATOR_CAPITAL, false],
  ['operator_fee', OPERATOR_FEE, false],
  ['external', EXTERNAL, false],
  ['fx', FX, false],
  ['adjustment', ADJUSTMENT, false],
  ['transfer', TRANSFER, false],
];

/** All of them inside. */
export const potAccounts: readonly (readonly [name: string, at: number])[] = [
  ['current', CURRENT],
  ['seed', SEED],
  ['surplus', SURPLUS],
  ['overflow', OVERFLOW],
  ['carry', CARRY],
];

export function potAt(index: number): number {
  return POTS + POT_WORDS * index;
}

export function wordCount(pots: number): number {
  return POTS + POT_WORDS * pots;
}
