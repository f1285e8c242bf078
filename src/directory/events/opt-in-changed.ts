import { optInStatusView } from '../../contracts/jackpots/opt-in.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** OptInEvent: the player's opt-in status. Preferences stay in the currencies that they name. */
export const optInChangedEvent: FeedEventMaker<'OptInChanged'> = ({ status }) => ({
  type: 'OptInEvent',
  instance: status.instance,
  counter: null,
  audience: { kind: 'player', brand: status.brand, player: status.player },
  content({ configuration: { currency } }, { money }) {
    const shown = (atoms: bigint): bigint => money.show(atoms, currency).atoms;
    const data = optInStatusView({
      ...status,
      contributionAtoms: shown(status.contributionAtoms),
      pots: status.pots.map(([pot, count, atoms]) => [pot, count, shown(atoms)] as const),
    });
    return { owner: status.brand, player: status.player, data };
  },
});
