import { CYCLE_START_MS } from '../../state/accounts.ts';
import type { WinConstraintType } from './constraint.ts';

/** Seconds since the cycle began. */
export const minInterval: WinConstraintType = {
  read(parameters) {
    const leastMs = (parameters.integer('MinInterval', 0, 0) ?? 0) * 1000;
    return {
      kind: 'MinInterval',
      holds: ({ words, potAt, timestampMs }) => timestampMs - words[potAt + CYCLE_START_MS]! >= leastMs,
    };
  },
};
