import { maskPlayer } from '../../contracts/jackpots/winner.ts';
import { JsonText } from '../../lib/json.ts';
import type { WinShare } from '../../messages/events.ts';
import type { Shown } from '../shown-money.ts';
import type { FeedEventMaker } from './feed-event.ts';
import type { Viewer } from './viewer.ts';

/** WinEvent: for services amounts in the jackpot's currency, for players in theirs. */
export const wonEvent: FeedEventMaker<'Won'> = (event) => ({
  type: 'WinEvent',
  instance: event.instance,
  counter: event.counter,
  audience: { kind: 'everyone', named: [event.winner, ...event.community] },
  content(_known, viewer) {
    const player = playerOf(event.winner, viewer);
    const won = shareOf(event.winner, event.currency, viewer);
    const shown = (atoms: bigint): bigint => viewer.money.show(atoms, event.currency).atoms;
    const data = {
      win_pot_id: event.pot,
      win_amount: won.atoms,
      currency: won.currency,
      player_id: player,
      community_winners: communityOf(event.community, event.currency, viewer),
      instance_count: event.instanceCount,
      seed: shown(event.seedAtoms),
      seed_deficit: shown(event.seedDeficitAtoms),
      rate_version: event.rateVersion,
      win_withheld: event.withheld,
      external: event.external,
      event_metadata: event.eventMetadata === null ? null : new JsonText(event.eventMetadata),
    };
    return { owner: event.winner.brand, player, data };
  },
  isWin: true,
  publicData(viewer, brand) {
    if (event.winner.brand !== brand) return null;
    const won = shareOf(event.winner, event.currency, viewer);
    return {
      win_pot_id: event.pot,
      win_amount: won.atoms,
      currency: won.currency,
      player_id: maskPlayer(event.winner.player),
      community_winners: communityOf(event.community, event.currency, viewer),
    };
  },
});

function communityOf(shares: readonly WinShare[], currency: string, viewer: Viewer) {
  return shares.map((share) => {
    const shown = shareOf(share, currency, viewer);
    return { player_id: playerOf(share, viewer), win_amount: shown.atoms, currency: shown.currency };
  });
}

/** An amount paid in the currency that the viewer sees is shown as it is: its own rates made it. */
function shareOf(share: WinShare, currency: string, viewer: Viewer): Shown {
  const shown = viewer.money.show(share.amountAtoms, currency);
  return shown.currency === share.paidCurrency && shown.currency !== currency
    ? { atoms: share.paidAtoms, currency: shown.currency }
    : shown;
}

function playerOf(share: WinShare, viewer: Viewer): string {
  return viewer.showsPlayer(share.brand, share.player) ? share.player : maskPlayer(share.player);
}
