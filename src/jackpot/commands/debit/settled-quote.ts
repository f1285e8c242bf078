import { highOf, lowOf } from '../../../lib/wide.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { qualifiedPots, split } from '../../rules/prices/split.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { Quote, Split } from '../../state/money/quote.ts';
import type { OpenDebit } from '../../state/settlements/open-debits.ts';
import type { Applicable } from '../contribution/apply.ts';

/** The price that was asked, parted by the pots of the moment: the money is the players', not the house's. */
export function settledQuote(instance: Instance, command: Contribute, debit: OpenDebit): Applicable {
  const { contributionAtoms, playerAtoms, wagerAtoms } = debit;
  const { configuration, enabledMask } = instance;
  const kept = keptQuote(instance, command, debit);
  const qualified = kept?.qualified ?? qualifiedPots(instance, contributionAtoms, wagerAtoms);
  const wanted = configuration.rules.qualifiedContributionOnly ? qualified : enabledMask;
  const fed = wanted || enabledMask || 2 ** instance.pots.length - 1;
  const operatorAtoms = contributionAtoms - playerAtoms;
  return {
    wagerAtoms,
    qualified,
    split: kept?.split.mask === fed ? kept.split : splitNow(instance, contributionAtoms, fed),
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

/** The kept quote of the same amounts: how these part depends on nothing else. */
function keptQuote(
  instance: Instance,
  { baseWagerAtoms }: Contribute,
  { contributionAtoms, wagerAtoms }: OpenDebit,
): Quote | null {
  const kept = instance.quotes.get(Number(baseWagerAtoms));
  if (kept === undefined || kept.wagerAtoms !== wagerAtoms) return null;
  return kept.price.contributionAtoms === contributionAtoms ? kept : null;
}

function splitNow(instance: Instance, contributionAtoms: bigint, fed: number): Split {
  const pots = instance.pots.map((pot) => pot.effective);
  return split(contributionAtoms, instance.configuration.house, pots, fed);
}
