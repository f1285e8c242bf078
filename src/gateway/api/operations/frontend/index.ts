import type { Operation } from '../../operation/operation.ts';
import { findJackpotOperation } from './find-jackpot.ts';
import { readPublicRatesOperation } from './read-public-rates.ts';
import { readTickerOperation } from './read-ticker.ts';

/** What players' frontends may ask without a credential. */
export const frontend: readonly Operation[] = [
  readPublicRatesOperation,
  findJackpotOperation,
  readTickerOperation,
];
