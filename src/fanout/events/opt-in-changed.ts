import { operatorOf } from '../../contracts/identifiers.ts';
import type { OptInStatusRecord } from '../../contracts/log/outcomes.ts';
import { formatAmount } from '../../lib/money.ts';
import { encodeEvent } from '../envelope.ts';
import type { FeedEventMaker } from './feed-event.ts';

/** OptInEvent: the player's opt-in status, for the player and for services that may name the player. */
export const optInChangedEvent: FeedEventMaker<'OptInChanged'> = ({ status }, timestampMs) => ({
  type: 'OptInEvent',
  instance: status.instance,
  counter: null,
  timestampMs,
  visibleTo: (scope) => scope.showsPlayersOf(status.brand),
  encode: (_known, _scope, privateSequence) =>
    encodeEvent({
      event_type: 'OptInEvent',
      operator_id: operatorOf(status.brand),
      brand_id: status.brand,
      player_id: status.player,
      instance_id: status.instance,
      seq: privateSequence,
      timestamp: timestampMs,
      data: optInStatus(status),
    }),
});

/** Document 1, "Opt-in status". */
function optInStatus(status: OptInStatusRecord) {
  const latest = status.preferences.at(-1);
  return {
    doc_version: 'V1',
    instance_id: status.instance,
    player_id: `${status.brand}:${status.player}`,
    ext_player_id: status.player,
    player_brand_id: status.brand,
    preferred_contribution_value: latest?.[1],
    preferred_contribution_currency: latest?.[0],
    contribution_preferences: Object.fromEntries(
      status.preferences.map(([currency, valueAtoms]) => [currency, formatAmount(valueAtoms)]),
    ),
    contribution_count: status.contributionCount,
    contribution_value: status.contributionAtoms,
    pot_contributions: Object.fromEntries(
      status.pots.map(([pot, count, valueAtoms]) => [
        pot,
        { contribution_count: count, contribution_value: valueAtoms },
      ]),
    ),
    opted_in: status.optedIn,
    last_updated: status.lastUpdatedMs,
  };
}
