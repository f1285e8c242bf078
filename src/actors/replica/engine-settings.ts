import type { EngineSettings } from '../../messages/lane-commands.ts';

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
