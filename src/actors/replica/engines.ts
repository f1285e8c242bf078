import { createLane, restoreLane } from '../../jackpot/lane/lane.ts';
import type { Hashing } from '../../jackpot/state/hashing/hashing.ts';
import type { EngineSettings } from '../../messages/lane-commands.ts';
import type { Engines } from '../ports/actor-ports.ts';

/** The engines of this program. `settings`: those before the first claim of a lane. */
export function enginesOf(hashing: Hashing, settings: EngineSettings): Engines {
  return {
    create: () => createLane(hashing, settings),
    restore: (chunks) => restoreLane(chunks, hashing, settings),
  };
}
