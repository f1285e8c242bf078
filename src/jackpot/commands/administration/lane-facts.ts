import type { EngineSettings, Own, SetBrand, SetRates } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { laneDone } from '../../rules/statuses/change.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

export function setRates(state: LaneState, command: SetRates): CommandOutcome {
  if (!state.rates.set(command)) return refused('rate_invalid');
  for (const instance of state.instances.values()) instance.quotes.clear();
  return { ...laneDone, version: command.version };
}

export function setBrand(state: LaneState, command: SetBrand): CommandOutcome {
  return state.brands.set(command) ? laneDone : refused('overloaded', 'the lane has too many brands');
}

/** The fence is the log's; the engine keeps the number, and does from here on as this owner is set. */
export function own(state: LaneState, command: Own): CommandOutcome {
  if (!isCount(command.term) || (command.settings !== null && !areSettings(command.settings)))
    return refused('invalid_parameter', 'a claim has an epoch and settings that are counts');
  state.ownerTerm = Math.max(state.ownerTerm, command.term);
  if (command.settings !== null) {
    state.settings = command.settings;
    state.moveAllDeadlines();
  }
  return laneDone;
}

/** Its effect is at the message that it names, which was never applied. */
export function acceptQuarantine(): CommandOutcome {
  return laneDone;
}

function areSettings({ epochMs, epochSequences, maximumRateAgeMs }: EngineSettings): boolean {
  return (
    isCount(epochMs) &&
    isCount(epochSequences) &&
    epochMs * epochSequences > 0 &&
    (maximumRateAgeMs === undefined || isCount(maximumRateAgeMs))
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
