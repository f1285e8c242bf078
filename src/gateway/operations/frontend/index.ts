import type { Operation } from '../../operation.ts';
import { findJackpot } from './find-jackpot.ts';
import { readPublicRates } from './read-public-rates.ts';
import { readTicker } from './read-ticker.ts';

/** What players' frontends may ask without a credential. */
export const frontend: readonly Operation[] = [readPublicRates, findJackpot, readTicker];
