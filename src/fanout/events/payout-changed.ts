import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { writeJson } from '../../lib/json.ts';
import type { CreditRecord } from '../../messages/settlements.ts';
import { envelopeOf } from './envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/**
 * PayoutEvent: the state of the money of a win. CommunityPayoutErrorEvent: a community share that could not be paid.
 */
export const payoutChangedEvent: FeedEventMaker<'PayoutChanged'> = ({ credit }, timestampMs) => {
  // The zero credit that closes a game round is nobody's win.
  if (credit.kind === 'close') return null;
  const type = isCommunityError(credit) ? 'CommunityPayoutErrorEvent' : 'PayoutEvent';
  return {
    type,
    instance: credit.instance,
    counter: null,
    timestampMs,
    audience: { kind: 'services', brand: credit.brand },
    encode: () =>
      envelopeOf({
        source: 'jackpot',
        event_type: type,
        operator_id: operatorOf(credit.brand),
        brand_id: credit.brand,
        player_id: credit.player,
        instance_id: credit.instance,
        timestamp: timestampMs,
        data: writeJson(payoutView(credit)),
      }),
  };
};

function isCommunityError({ kind, state }: CreditRecord): boolean {
  return kind === 'community' && (state === 'dead' || state === 'unknown');
}

function payoutView(credit: CreditRecord) {
  return {
    transaction_id: credit.transactionId,
    batch_id: credit.batchId === '' ? null : credit.batchId,
    kind: credit.kind,
    state: credit.state,
    reason: credit.reason === '' ? null : credit.reason,
    win_pot_id: credit.pot,
    instance_count: credit.instanceCount,
    player_id: credit.player,
    win_amount: credit.amountAtoms,
    currency: credit.currency,
    paid_amount: credit.paidAtoms,
    paid_currency: credit.paidCurrency,
    rate_version: credit.rateVersion,
  };
}
