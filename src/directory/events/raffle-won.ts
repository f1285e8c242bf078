import { maskPlayer } from '../../contracts/jackpots/winner.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** RaffleWinEvent: prizes of a round in the order of the draw; a large round takes several events. */
export const raffleWonEvent: FeedEventMaker<'RaffleWon'> = (event) => ({
  type: 'RaffleWinEvent',
  instance: event.instance,
  counter: event.counter,
  audience: { kind: 'everyone', named: event.winners },
  content(known, viewer) {
    const shown = (atoms: bigint): bigint => viewer.money.show(atoms, event.currency).atoms;
    const data = {
      win_pot_id: event.pot,
      instance_count: event.instanceCount,
      round: event.round,
      tickets: event.tickets,
      currency: viewer.money.show(0n, event.currency).currency,
      winners: event.winners.map((prize) => ({
        player_id: viewer.showsPlayer(prize.brand, prize.player) ? prize.player : maskPlayer(prize.player),
        brand_id: prize.brand,
        tier: prize.tier,
        ticket: prize.ticket,
        win_amount: shown(prize.amountAtoms),
        win_withheld: prize.withheld,
      })),
      seed: shown(event.seedAtoms),
      seed_deficit: shown(event.seedDeficitAtoms),
    };
    return { owner: known.description.owner, data };
  },
  isWin: true,
  publicData({ money }, brand) {
    const own = event.winners.filter((prize) => prize.brand === brand);
    if (own.length === 0) return null;
    return {
      win_pot_id: event.pot,
      currency: money.show(0n, event.currency).currency,
      winners: own.map(({ player, amountAtoms }) => ({
        player_id: maskPlayer(player),
        win_amount: money.show(amountAtoms, event.currency).atoms,
      })),
    };
  },
});
