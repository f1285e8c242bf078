/**
 * The places of an instance's numbers in its one Float64Array (lib/wide pairs; counters are single words).
 * One array, so that a command can be undone, checked and copied as a whole.
 */
export const houseAt = 0;
export const diversionAt = 2;
export const diversionPendingAt = 4;
export const winLiabilityAt = 6;
export const playerAt = 8;
export const operatorCapitalAt = 10;
export const operatorFeeAt = 12;
export const externalAt = 14;
export const fxAt = 16;
export const adjustmentAt = 18;
export const transferAt = 20;
/** accumulated_seed_deficit: a meter, not an account. */
export const seedDeficitAt = 22;
export const totalContributionsAt = 24;
export const houseContributionsAt = 25;

export const firstPotAt = 26;
/** Offsets within a pot's words. */
export const currentAt = 0;
export const seedAt = 2;
export const surplusAt = 4;
export const overflowAt = 6;
export const carryAt = 8;
export const contributedAt = 10;
export const contributedSeedAt = 12;
/** V after the pot's last draw in the cycle; its opening value before the first. */
export const lastDrawnAt = 14;
export const potContributionsAt = 16;
export const cycleContributionsAt = 17;
export const cycleAt = 18;
export const cycleStartMsAt = 19;
export const initialCostAt = 20;
export const enabledAt = 22;
/** The windows of the pot's Time triggers, one slot each. */
export const windowsAt = 24;
export const maxTimeTriggers = 4;
/**
 * Words of a slot: end of its window (0: none left), last contribution evaluated, end of the last paid one.
 */
export const windowEndAt = 0;
export const windowEvaluatedAt = 1;
export const windowPaidAt = 2;
export const windowSlots = 3;
const potSlots = windowsAt + windowSlots * maxTimeTriggers;

export const instanceAccounts: readonly (readonly [name: string, at: number, inside: boolean])[] = [
  ['house', houseAt, true],
  ['diversion', diversionAt, true],
  ['diversion_pending', diversionPendingAt, true],
  ['win_liability', winLiabilityAt, true],
  ['player', playerAt, false],
  ['operator_capital', operatorCapitalAt, false],
  ['operator_fee', operatorFeeAt, false],
  ['external', externalAt, false],
  ['fx', fxAt, false],
  ['adjustment', adjustmentAt, false],
  ['transfer', transferAt, false],
];

export const potAccounts: readonly (readonly [name: string, at: number])[] = [
  ['current', currentAt],
  ['seed', seedAt],
  ['surplus', surplusAt],
  ['overflow', overflowAt],
  ['carry', carryAt],
];

export function potAt(index: number): number {
  return firstPotAt + potSlots * index;
}

export function balanceCount(pots: number): number {
  return firstPotAt + potSlots * pots;
}
