import type { UpgradeTo } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { applyWaiting, settleDebit } from '../../commands/debit/settle.ts';
import { handleContribution } from '../../commands/debit/take.ts';
import { tick } from '../../commands/status/tick.ts';
import { laneDone } from '../../rules/statuses/change.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { endMessages } from '../message/end-message.ts';
import { execute } from './execute.ts';

/** A change of one outcome byte of a logged command makes a version; handlers ask `state.rules`. */
export interface EngineVersion {
  readonly contribute: typeof handleContribution;
  readonly settleDebit: typeof settleDebit;
  readonly applyWaiting: typeof applyWaiting;
  readonly tick: typeof tick;
  readonly execute: typeof execute;
  readonly endMessages: typeof endMessages;
}

/** The versions that a build runs. A lane begins in the first one, and `UpgradeTo` leads to the next. */
export type EngineVersions = ReadonlyMap<number, EngineVersion>;

/** The versions of an `EngineVersions`, which has no gaps. */
export interface EngineRange {
  readonly oldest: number;
  readonly newest: number;
}

const handlers: EngineVersion = {
  contribute: handleContribution,
  settleDebit,
  applyWaiting,
  tick,
  execute,
  endMessages,
};

/** They differ in the rules that their handlers ask (state/lane/version-rules.ts). */
export const engineVersions: EngineVersions = new Map([1, 2, 3, 4].map((version) => [version, handlers]));

/** A lane's log or snapshot is of a version that this build does not run. */
export class UnsupportedEngineVersion extends Error {
  readonly code = 'engine_version_unsupported';
  readonly retryable = false;

  constructor(version: number, { oldest, newest }: EngineRange) {
    const runs = oldest === newest ? `${newest}` : `${oldest} to ${newest}`;
    super(`The lane runs version ${version} of the engine. This host runs ${runs}.`);
  }
}

export function engineRangeOf(versions: EngineVersions): EngineRange {
  return { oldest: Math.min(...versions.keys()), newest: Math.max(...versions.keys()) };
}

/** @throws UnsupportedEngineVersion */
export function handlersOf(versions: EngineVersions, version: number): EngineVersion {
  const handlers = versions.get(version);
  if (handlers === undefined) throw new UnsupportedEngineVersion(version, engineRangeOf(versions));
  return handlers;
}

/**
 * One version up, or none. Every build refuses the same versions, so that a damaged number stops no lane
 * (docs/decisions/0360).
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
  return { ...laneDone, version: state.engineVersion };
}
