import { writeJson } from '../../lib/json.ts';
import type { CreditRecord, DebitRecord } from '../../messages/settlements.ts';
import type { WalletCall } from '../client/brand-client.ts';
import { balanceShape } from './documented-answers.ts';

/**
 * W3 with a Debit: POST /transactions. The bytes are a function of the record alone in all versions: a repeat
 * with other content would be refused.
 */
export function debitCall(debit: DebitRecord): WalletCall {
  return call(debit.transactionId, {
    player_id: debit.player,
    transaction_id: debit.transactionId,
    transaction_type: 'Debit',
    provider_id: debit.provider,
    amount: debit.amountAtoms,
    jackpot_amount: 0,
    bonus_amount: debit.bonusAtoms,
    source_id: debit.source,
    source_variant: null,
    gameround_id: debit.contributionId,
    gameround_complete: false,
    category: debit.vertical === '' ? null : debit.vertical,
    bonus_id: debit.bonusId === '' || debit.bonusAtoms === 0n ? null : debit.bonusId,
    currency: debit.currency,
    metadata: {
      instance_id: debit.instance,
      gameround_id: debit.gameround === '' ? null : debit.gameround,
      game_code: textOf(debit.origin?.gameCode),
      game_category: textOf(debit.origin?.gameCategory),
      source_type: textOf(debit.origin?.sourceType),
    },
  });
}

/** W3 with a Credit of a win, or of zero that closes a game round. Its bytes follow from the record alone. */
export function creditCall(credit: CreditRecord): WalletCall {
  return call(credit.transactionId, {
    player_id: credit.player,
    transaction_id: credit.transactionId,
    transaction_type: 'Credit',
    provider_id: credit.provider,
    amount: credit.paidAtoms,
    jackpot_amount: credit.paidAtoms,
    bonus_amount: 0,
    source_id: credit.source,
    source_variant: credit.pot === '' ? null : credit.pot,
    gameround_id: credit.contributionId,
    gameround_complete: true,
    category: null,
    currency: credit.paidCurrency,
    metadata: { instance_id: credit.instance, instance_count: credit.instanceCount, kind: credit.kind },
  });
}

function call(transactionId: string, body: Readonly<Record<string, unknown>>): WalletCall {
  return {
    name: 'W3',
    path: '/transactions',
    of: { transactionId, batchId: null, records: 1 },
    isAnswer: (result) => balanceShape.safeParse(result).success,
    body: Buffer.from(writeJson(body), 'utf8'),
  };
}

/** Absent in JSON where there is nothing to say. */
function textOf(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
