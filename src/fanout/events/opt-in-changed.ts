import { operatorOf } from '../../contracts/fields/identifiers.ts';
import { optInStatusView } from '../../contracts/jackpots/opt-in.ts';
import { writeJson } from '../../lib/json.ts';
import { envelopeOf } from './envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/**
 * OptInEvent: the player's opt-in status, for the player and for services that may name the player. Preferences stay in the
 * currencies that they name; what was contributed is money of the instance.
 */
export const optInChangedEvent: FeedEventMaker<'OptInChanged'> = ({ status }, timestampMs) => ({
  type: 'OptInEvent',
  instance: status.instance,
  counter: null,
  timestampMs,
  audience: { kind: 'player', brand: status.brand, player: status.player },
  encode({ configuration: { currency } }, { money }) {
    const shown = (atoms: bigint): bigint => money.show(atoms, currency).atoms;
    const view = optInStatusView({
      ...status,
      contributionAtoms: shown(status.contributionAtoms),
      pots: status.pots.map(([pot, count, atoms]) => [pot, count, shown(atoms)] as const),
    });
    return envelopeOf({
      source: 'jackpot',
      event_type: 'OptInEvent',
      operator_id: operatorOf(status.brand),
      brand_id: status.brand,
      player_id: status.player,
      instance_id: status.instance,
      timestamp: timestampMs,
      data: writeJson(view),
    });
  },
});
