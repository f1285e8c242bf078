import { highOf, lowOf } from '../../lib/wide.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import type { Instance } from '../state/instance.ts';
import type { OpenDebit } from '../state/open-debits.ts';
import type { Applicable } from './apply.ts';
import { qualifiedPots } from './qualify.ts';
import { split } from './split.ts';

/**
 * The price is the one that the player was asked for; how it parts is a question of the moment. The money is there, so
 * what no pot would be asked for any more goes to the pots that are open, else to all: it is the players', not the house's.
 */
export function settledQuote(instance: Instance, command: Contribute, debit: OpenDebit): Applicable {
  const { contributionAtoms, playerAtoms, wagerAtoms } = debit;
  const { configuration, enabledMask } = instance;
  const pots = instance.pots.map((pot) => pot.effective);
  const qualified = qualifiedPots(instance, contributionAtoms, wagerAtoms);
  const wanted = configuration.rules.qualifiedContributionOnly ? qualified : enabledMask;
  const fed = wanted || enabledMask || 2 ** pots.length - 1;
  const operatorAtoms = contributionAtoms - playerAtoms;
  return {
    wagerAtoms,
    qualified,
    split: split(contributionAtoms, configuration.house, pots, fed),
    price: {
      kind: 'Price',
      exchange: { from: command.currency, to: configuration.currency, table: debit.table, exponent: 0 },
      debitAtoms: debit.amountAtoms,
      requestAtoms: debit.requestAtoms,
      bonusAtoms: debit.bonusAtoms,
      contributionAtoms,
      playerAtoms,
      contributionHigh: highOf(contributionAtoms),
      contributionLow: lowOf(contributionAtoms),
      playerHigh: highOf(playerAtoms),
      playerLow: lowOf(playerAtoms),
      operatorHigh: highOf(operatorAtoms),
      operatorLow: lowOf(operatorAtoms),
    },
  };
}
