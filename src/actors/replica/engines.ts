import { createLane, restoreLane } from '../../jackpot/lane/lane.ts';
import type { Hashing } from '../../lib/hashing.ts';
import type { EngineSettings } from '../../messages/lane-commands.ts';
import type { Engines } from '../ports/actor-ports.ts';

/** The engines of this program. `settings`: those before the first claim of a lane. */
export function enginesOf(hashing: Hashing, settings: EngineSettings): Engines {
  return {
    create: () => createLane(hashing, settings),
    restore: (chunks) => restoreLane(chunks, hashing, settings),
  };
}

const defaultEpochSeconds = 86_400;

/** The settings of `config.ts` that the engine has before the first claim of its lane. */
interface EngineChoices {
  readonly epochSeconds: number | null;
  readonly epochSequences: number;
  readonly maximumRateAgeSeconds: number | null;
  readonly maxPlayersPerOperator: number;
}

/** The engine's settings; a claim puts its owner's settings in their place. */
export function engineSettings(choices: EngineChoices): EngineSettings {
  const { epochSeconds, epochSequences, maximumRateAgeSeconds, maxPlayersPerOperator } = choices;
  return {
    epochMs: (epochSeconds ?? defaultEpochSeconds) * 1000,
    epochSequences,
    maximumPlayersPerOperator: maxPlayersPerOperator,
    ...(maximumRateAgeSeconds === null ? {} : { maximumRateAgeMs: maximumRateAgeSeconds * 1000 }),
  };
}
