import type { CreditRecord } from '../../messages/settlements.ts';
import type { FeedEventMaker } from './feed-event.ts';

/**
 * PayoutEvent: the state of a win's money. CommunityPayoutErrorEvent: a community share that was not paid.
 */
export const payoutChangedEvent: FeedEventMaker<'PayoutChanged'> = ({ credit }) => {
  // The zero credit that closes a game round pays no win.
  if (credit.kind === 'close') return null;
  return {
    type: isCommunityError(credit) ? 'CommunityPayoutErrorEvent' : 'PayoutEvent',
    instance: credit.instance,
    counter: null,
    audience: { kind: 'services', brand: credit.brand },
    content: () => ({ owner: credit.brand, player: credit.player, data: payoutView(credit) }),
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
