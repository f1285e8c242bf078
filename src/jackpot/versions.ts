import { applyWaiting, settleDebit } from './debit/settle.ts';
import { handleContribution } from './debit/take.ts';
import { execute } from './execute.ts';
import { endMessages } from './status/end-message.ts';
import { tick } from './status/tick.ts';

/**
 * The handlers of one version of the engine. A change of one outcome byte for a logged command is another version: a copy
 * of the table with other handlers, while those of earlier versions stay for the logs that were written under them.
 */
export interface EngineVersion {
  readonly contribute: typeof handleContribution;
  readonly settleDebit: typeof settleDebit;
  readonly applyWaiting: typeof applyWaiting;
  readonly tick: typeof tick;
  /** All other commands. */
  readonly execute: typeof execute;
  readonly endMessages: typeof endMessages;
}

/** The versions that a build runs, by number. A lane begins in the first one, and `UpgradeTo` leads to the next. */
export type EngineVersions = ReadonlyMap<number, EngineVersion>;

/** The versions of an `EngineVersions`, which has no gaps. */
export interface EngineRange {
  readonly oldest: number;
  readonly newest: number;
}

/** Those of this build. */
export const engineVersions: EngineVersions = new Map([
  [1, { contribute: handleContribution, settleDebit, applyWaiting, tick, execute, endMessages }],
]);

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
