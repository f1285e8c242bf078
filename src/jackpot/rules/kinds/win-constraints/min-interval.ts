import { cycleStartMsAt } from '../../../state/money/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** Seconds since the cycle began. */
export const minInterval: WinConstraintType = {
  read(parameters) {
    const minMs = (parameters.integer('MinInterval', 0, 0) ?? 0) * 1000;
    return {
      kind: 'MinInterval',
      holds: ({ balances, potAt, timestampMs }) => timestampMs - balances[potAt + cycleStartMsAt]! >= minMs,
    };
  },
};
