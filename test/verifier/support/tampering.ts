import type { Instance } from '../../../src/jackpot/state/instance/instance.ts';
import type { LaneState } from '../../../src/jackpot/state/lane/lane-state.ts';
import type { TestLane } from '../../jackpot/support/lane.ts';

/**
 * The strongest forger: an owner whose engine begins an epoch with other numbers than its history gives, and goes on from
 * there without a fault, so that every figure behind fits the false ones. Call it before the epoch begins.
 */
export function tamperWhenBegins(
  lane: TestLane,
  id: string,
  epoch: number,
  tamper: (instance: Instance) => void,
): void {
  const { state } = lane.engine as unknown as { readonly state: LaneState };
  const instance = state.instances.get(id)!;
  const { seeds } = instance.epochs;
  const get = seeds.get.bind(seeds);
  // An epoch begins with a look at its seed, just before its header is written; others only ask whether it is there.
  let isDone = false;
  seeds.get = (number) => {
    const seed = get(number);
    const begins = new Error('').stack?.includes('beginEpoch') === true;
    if (number === epoch && begins && !isDone) {
      isDone = true;
      tamper(instance);
    }
    return seed;
  };
}
