import type { LoggedCommand } from '../../../messages/commands.ts';
import type { Tick, UpgradeTo } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { unknownCommand } from '../../../messages/refusals.ts';
import type { DebitSettled } from '../../../messages/settlement-commands.ts';
import { adjustPot } from '../../commands/administration/adjust-pot.ts';
import { bind, setBindingPriorities, setSegment, unbind } from '../../commands/administration/bind.ts';
import { createInstance, setDetails, setLinks } from '../../commands/administration/create-instance.ts';
import { acceptQuarantine, own, setBrand, setRates } from '../../commands/administration/lane-facts.ts';
import { setBrandAllowed, setParameters } from '../../commands/administration/set-parameters.ts';
import { triggerPot } from '../../commands/administration/trigger-pot.ts';
import { continueWork } from '../../commands/continue/continue.ts';
import { decideCredit, settleCredits } from '../../commands/credit/credit.ts';
import { cancelDebit } from '../../commands/debit/settle.ts';
import { openEpoch, revealEpoch } from '../../commands/epochs/epochs.ts';
import { settleFlush } from '../../commands/flush/flush.ts';
import { bulkOptIn } from '../../commands/opt-in/bulk.ts';
import { optIn } from '../../commands/opt-in/opt-in.ts';
import { setStatus } from '../../commands/status/set-status.ts';
import { cancelSwitch, switchModel } from '../../commands/switch/switch-model.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/** Commands that draw: what they draw for is resolved message by message (lane/message/plan.ts). */
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
      return acceptQuarantine();
    case 'Unreadable':
    case 'NotOfThisChannel':
      return unknownCommand;
  }
}
