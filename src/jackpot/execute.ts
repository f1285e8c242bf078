import type { LoggedCommand } from '../messages/commands.ts';
import type { Tick, UpgradeTo } from '../messages/lane-commands.ts';
import type { CommandOutcome } from '../messages/outcomes.ts';
import type { Contribute } from '../messages/player-commands.ts';
import { unknownCommand } from '../messages/refusals.ts';
import type { DebitSettled } from '../messages/settlement-commands.ts';
import { adjustPot } from './administration/adjust-pot.ts';
import { bind, setBindingPriorities, setSegment, unbind } from './administration/bind.ts';
import { createInstance } from './administration/create-instance.ts';
import { setDetails, setLinks } from './administration/details.ts';
import { own, quarantine, setBrand, setRates } from './administration/lane-facts.ts';
import { setBrandAllowed, setParameters } from './administration/set-parameters.ts';
import { triggerPot } from './administration/trigger-pot.ts';
import { decideCredit } from './credit/decide.ts';
import { settleCredits } from './credit/settle.ts';
import { cancelDebit } from './debit/cancel.ts';
import { settleFlush } from './diversion/flush.ts';
import { openEpoch, revealEpoch } from './draw/epoch-commands.ts';
import { bulkOptIn } from './opt-in/bulk.ts';
import { optIn } from './opt-in/opt-in.ts';
import type { LaneState } from './state/lane-state.ts';
import { setStatus } from './status/set-status.ts';
import { cancelSwitch } from './switch/cancel-switch.ts';
import { switchModel } from './switch/switch-model.ts';
import { continueWork } from './work/continue.ts';

/** Commands that draw: what they draw for is resolved message by message (contribution/plan.ts). */
export type PlannedCommand = Contribute | DebitSettled | Tick;

/** Every command but planned ones and upgrades. Total: one that cannot be used is a refusal. */
export function execute(
  state: LaneState,
  command: Exclude<LoggedCommand, PlannedCommand | UpgradeTo>,
  index: number,
): CommandOutcome {
  switch (command.kind) {
    case 'CreateInstance':
      return createInstance(state, command);
    case 'SetStatus':
      return setStatus(state, command);
    case 'SetParameters':
      return setParameters(state, command);
    case 'SetDetails':
      return setDetails(state, command);
    case 'SetLinks':
      return setLinks(state, command);
    case 'Bind':
      return bind(state, command);
    case 'Unbind':
      return unbind(state, command);
    case 'SetBindingPriorities':
      return setBindingPriorities(state, command);
    case 'SetSegment':
      return setSegment(state, command);
    case 'OptIn':
      return optIn(state, command);
    case 'BulkOptIn':
      return bulkOptIn(state, command);
    case 'SwitchModel':
      return switchModel(state, command);
    case 'CancelSwitch':
      return cancelSwitch(state, command);
    case 'Continue':
      return continueWork(state, command);
    case 'SetBrandAllowed':
      return setBrandAllowed(state, command);
    case 'AdjustPot':
      return adjustPot(state, command);
    case 'TriggerPot':
      return triggerPot(state, command);
    case 'SetRates':
      return setRates(state, command);
    case 'SetBrand':
      return setBrand(state, command);
    case 'OpenEpoch':
      return openEpoch(state, command);
    case 'RevealEpoch':
      return revealEpoch(state, command);
    case 'CreditSettled':
      return settleCredits(state, command);
    case 'ReleaseCredit':
    case 'RetryCredit':
    case 'ResolveCredit':
      return decideCredit(state, command);
    case 'CancelDebit':
      return cancelDebit(state, command, index);
    case 'FlushSettled':
      return settleFlush(state, command);
    case 'Own':
      return own(state, command);
    case 'Quarantine':
      return quarantine();
    case 'Unreadable':
    case 'NotOfThisChannel':
      return unknownCommand;
  }
}
