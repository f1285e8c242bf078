import * as z from 'zod';
import type { WinConstraintKind } from '../../messages/kinds.ts';
import { amount } from '../configuration-fields.ts';
import type { Kind } from './kind.ts';

const anAmount: Kind = { input: amount, shape: z.string() };
const aCount: Kind = { input: z.int().min(0), shape: z.int() };

/** A pot's `win_constraints`. */
export const winConstraints: Readonly<Record<WinConstraintKind, Kind>> = {
  AllowedSeedDeficit: anAmount,
  MinPotValue: anAmount,
  MinContributions: aCount,
  MinInterval: aCount,
};
