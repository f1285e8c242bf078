import { allowedSeedDeficit } from './allowed-seed-deficit.ts';
import type { WinConstraintKind, WinConstraintType } from './constraint.ts';
import { minContributions } from './min-contributions.ts';
import { minInterval } from './min-interval.ts';
import { minPotValue } from './min-pot-value.ts';

/** A new kind is one file, one member of WinConstraintKind, and one line here. */
export const winConstraints: Readonly<Record<WinConstraintKind, WinConstraintType>> = {
  AllowedSeedDeficit: allowedSeedDeficit,
  MinPotValue: minPotValue,
  MinContributions: minContributions,
  MinInterval: minInterval,
};
