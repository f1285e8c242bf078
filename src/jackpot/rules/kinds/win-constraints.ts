import type { Reader } from '../../../lib/document-reader.ts';
import { half, readWide } from '../../../lib/wide.ts';
import type { WinConstraintKind } from '../../../messages/kinds.ts';
import type { WinConstraint } from '../../state/configuration/configuration.ts';
import {
  currentAt,
  cycleContributionsAt,
  cycleStartMsAt,
  houseAt,
  seedAt,
  seedDeficitAt,
  surplusAt,
} from '../../state/money/accounts.ts';

interface WinConstraintType {
  /** `parameters` has the value under the name of the kind. */
  read(parameters: Reader): WinConstraint;
}

/** Each of the few amounts that are added is off by 2^11 atoms at most. */
const estimateLimit = 65_536;

export const winConstraints: Readonly<Record<WinConstraintKind, WinConstraintType>> = {
  /** accumulated_seed_deficit and what a win now would add to it stay within x. */
  AllowedSeedDeficit: {
    read(parameters) {
      const allowedAtoms = parameters.requiredAmount('AllowedSeedDeficit');
      const allowed = Number(allowedAtoms);
      return {
        kind: 'AllowedSeedDeficit',
        holds({ balances, potAt, minReseedAtoms }) {
          const covered =
            estimate(balances, potAt + seedAt) +
            estimate(balances, potAt + surplusAt) +
            estimate(balances, houseAt);
          const missing = Math.max(0, Number(minReseedAtoms) - covered);
          const above = estimate(balances, seedDeficitAt) + missing - allowed;
          // Far from the limit nothing needs exact comparison.
          if (Math.abs(above) > estimateLimit) return above < 0;
          return exactDeficit(balances, potAt, minReseedAtoms) <= allowedAtoms;
        },
      };
    },
  },
  MinPotValue: {
    read(parameters) {
      const minAtoms = parameters.requiredAmount('MinPotValue');
      return {
        kind: 'MinPotValue',
        holds: ({ balances, potAt }) => readWide(balances, potAt + currentAt) >= minAtoms,
      };
    },
  },
  /** Contributions that fed the pot in this cycle, this one included. */
  MinContributions: {
    read(parameters) {
      const min = parameters.integer('MinContributions', 0, 0) ?? 0;
      return {
        kind: 'MinContributions',
        holds: ({ balances, potAt }) => balances[potAt + cycleContributionsAt]! >= min,
      };
    },
  },
  /** Seconds since the cycle began. */
  MinInterval: {
    read(parameters) {
      const minMs = (parameters.integer('MinInterval', 0, 0) ?? 0) * 1000;
      return {
        kind: 'MinInterval',
        holds: ({ balances, potAt, timestampMs }) => timestampMs - balances[potAt + cycleStartMsAt]! >= minMs,
      };
    },
  },
};

function estimate(balances: Float64Array, at: number): number {
  return balances[at]! * half + balances[at + 1]!;
}

function exactDeficit(balances: Float64Array, potAt: number, minReseedAtoms: bigint): bigint {
  const covered =
    readWide(balances, potAt + seedAt) + readWide(balances, potAt + surplusAt) + readWide(balances, houseAt);
  const missing = minReseedAtoms > covered ? minReseedAtoms - covered : 0n;
  return readWide(balances, seedDeficitAt) + missing;
}
