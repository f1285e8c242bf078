import { createLane, createUpgradedLane, type LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { engineRangeOf, engineVersions } from '../../../src/jackpot/lane/versions/versions.ts';
import type { EngineSettings } from '../../../src/messages/lane-commands.ts';
import { testHashing } from './hashing.ts';

/** The version of the engine that this build's lanes come to have. */
export const newestEngine = engineRangeOf(engineVersions).newest;

/** An empty lane whose log was upgraded before anything else. */
export function newLane(settings: EngineSettings): LaneEngine {
  return createUpgradedLane(testHashing, settings);
}

/** An empty lane of the first version of the engine, as every log begins. */
export function firstLane(settings: EngineSettings): LaneEngine {
  return createLane(testHashing, settings);
}
