import { half } from '../../../../lib/wide.ts';
import { TimeWindows } from '../../../state/configuration/trigger.ts';
import { windowEndAt, windowEvaluatedAt } from '../../../state/money/accounts.ts';
import type { PotType } from './pot-type.ts';

/** num = t − t0, den = end − t0; t0 is the window's start, its last evaluation or the pot's opening. */
export const time: PotType = {
  read(parameters, slot) {
    for (const name of ['start_time', 'end_time'] as const) {
      if (!parameters.has(name)) parameters.fault(name, 'is missing');
    }
    const startMs = parameters.integer('start_time', 0, 0) ?? 0;
    const endMs = parameters.integer('end_time', 0, 0) ?? 0;
    if (parameters.has('start_time') && parameters.has('end_time') && endMs <= startMs) {
      parameters.fault('end_time', 'must be later than start_time');
    }
    const windows = new TimeWindows(startMs, endMs, slot);
    const { at, lengthMs } = windows;
    return {
      kind: 'Time',
      external: false,
      expectedCycleAtoms: null,
      bounds: null,
      windows,
      odds({ balances, openSinceMs, potAt, timestampMs }, odds) {
        const end = balances[potAt + at + windowEndAt]!;
        if (end === 0) return false;
        const evaluatedMs = balances[potAt + at + windowEvaluatedAt]!;
        const from = Math.max(end - lengthMs, evaluatedMs, openSinceMs);
        // To be asked is to be evaluated: the next contribution of this window is measured from here.
        balances[potAt + at + windowEvaluatedAt] = timestampMs;
        const num = timestampMs - from;
        const den = end - from;
        odds.numHigh = Math.floor(num / half);
        odds.numLow = num - odds.numHigh * half;
        odds.denHigh = Math.floor(den / half);
        odds.denLow = den - odds.denHigh * half;
        return true;
      },
    };
  },
};
