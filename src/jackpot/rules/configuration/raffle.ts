import type { PotConfiguration } from '../../state/configuration/configuration.ts';
import type { RaffleRules } from '../../state/configuration/raffle-rules.ts';
import { isDocument, Reader } from '../documents/reader.ts';
import { limitsOf } from './limits.ts';
import { readRaffleRules } from './raffle-rules.ts';

/** The rules of a Raffle; null for a Jackpot, which must not have any. */
export function readRaffle(reader: Reader, jackpotType: 'Jackpot' | 'Raffle'): RaffleRules | null {
  const document = reader.raw('raffle_rules');
  if (jackpotType === 'Jackpot') {
    if (document !== undefined) reader.fault('raffle_rules', 'belong to an instance of type Raffle');
    return null;
  }
  if (reader.list('pots').length > 1) reader.fault('pots', 'of a raffle must be one');
  if (document === undefined) reader.fault('raffle_rules', 'are missing');
  const rules = document === undefined ? new Reader({}, '', []) : reader.child('raffle_rules');
  return readRaffleRules(rules, isDocument(document) ? document : {});
}

/** A raffle's pot is never drawn by a contribution nor triggered, whatever its pot_types say. */
export function asRafflePot(pot: PotConfiguration): PotConfiguration {
  const limits = limitsOf({ maxAtoms: pot.maxAtoms, triggers: [] });
  return { ...pot, ...limits, triggers: [], supportsExternalTrigger: false };
}
