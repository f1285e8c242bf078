import type { Members } from '../lib/unknown-json.ts';
import { potTypes } from './kinds/pot-types.ts';

/** A pot's triggers, as they are shown, with what they mean for a player: [{<kind>: parameters, rule}]. */
export function oddsOf(types: readonly Members[]): Members[] {
  return types.flatMap((type) =>
    Object.entries(potTypes)
      .filter(([kind]) => Object.hasOwn(type, kind))
      .map(([kind, { odds, rule }]) => {
        const shown = type[kind] as Members;
        return { [kind]: { ...shown, ...odds?.of(shown) }, rule };
      }),
  );
}

/** Of a raffle, where nothing is drawn per contribution. */
export const raffleRule =
  'At the end of a round tickets are drawn without replacement, each ticket of the round with the same chance; a player with several tickets may win several times.';
