import type { PotType } from './pot-type.ts';

/** Never drawn: an administrator's trigger (A30) pays the pot. */
export const external: PotType = {
  read() {
    return {
      kind: 'External',
      external: true,
      expectedCycleAtoms: null,
      bounds: null,
      windows: null,
      odds: () => false,
    };
  },
};
