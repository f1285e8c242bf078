import type { WinConstraintKind } from '../../../../messages/kinds.ts';
import { allowedSeedDeficit } from './allowed-seed-deficit.ts';
import type { WinConstraintType } from './constraint.ts';
import { minContributions } from './min-contributions.ts';
import { minInterval } from './min-interval.ts';
import { minPotValue } from './min-pot-value.ts';

export const winConstraints: Readonly<Record<WinConstraintKind, WinConstraintType>> = {
  AllowedSeedDeficit: allowedSeedDeficit,
  MinPotValue: minPotValue,
  MinContributions: minContributions,
  MinInterval: minInterval,
};
