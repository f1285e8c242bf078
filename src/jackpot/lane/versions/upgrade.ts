import type { UpgradeTo } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { type EngineVersions, handlersOf } from './versions.ts';

/**
 * One version up; a lane that has the version already keeps its own. Every build refuses the same versions, so that a
 * damaged number stops nobody (docs/decisions/0360).
 * @throws UnsupportedEngineVersion before anything changes
 */
export function upgradeTo(state: LaneState, command: UpgradeTo, versions: EngineVersions): CommandOutcome {
  const { version } = command;
  const next = state.engineVersion + 1;
  if (!Number.isSafeInteger(version) || version < 0)
    return refused('invalid_parameter', 'a version is a count');
  if (version > next) return refused('invalid_parameter', 'an upgrade leads to the next version');
  if (version === next) {
    handlersOf(versions, next);
    const { keysAreOfBrands } = state.rules;
    state.engineVersion = next;
    if (state.rules.keysAreOfBrands && !keysAreOfBrands) state.keysOfBrandsSinceMs = state.nowMs;
  }
  return { kind: 'Done', instance: '', version: state.engineVersion };
}
