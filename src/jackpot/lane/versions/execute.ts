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

type Executed = Exclude<LoggedCommand, PlannedCommand | UpgradeTo>;

/** What every command but planned ones and upgrades does. */
const handlers: {
  readonly [K in Executed['kind']]: (
    state: LaneState,
    command: Extract<Executed, { readonly kind: K }>,
    index: number,
  ) => CommandOutcome;
} = {
  CreateInstance: createInstance,
  SetStatus: setStatus,
  SetParameters: setParameters,
  SetDetails: setDetails,
  SetLinks: setLinks,
  Bind: bind,
  Unbind: unbind,
  SetBindingPriorities: setBindingPriorities,
  SetSegment: setSegment,
  OptIn: optIn,
  BulkOptIn: bulkOptIn,
  SwitchModel: switchModel,
  CancelSwitch: cancelSwitch,
  Continue: continueWork,
  SetBrandAllowed: setBrandAllowed,
  AdjustPot: adjustPot,
  TriggerPot: triggerPot,
  SetRates: setRates,
  SetBrand: setBrand,
  OpenEpoch: openEpoch,
  RevealEpoch: revealEpoch,
  CreditSettled: settleCredits,
  ReleaseCredit: decideCredit,
  RetryCredit: decideCredit,
  ResolveCredit: decideCredit,
  CancelDebit: cancelDebit,
  FlushSettled: settleFlush,
  Own: own,
  Quarantine: acceptQuarantine,
  Unreadable: () => unknownCommand,
  NotOfThisChannel: () => unknownCommand,
};

/** Total: a command that cannot be used is a refusal. */
export function execute(state: LaneState, command: Executed, index: number): CommandOutcome {
  const handle = handlers[command.kind] as (
    state: LaneState,
    command: Executed,
    index: number,
  ) => CommandOutcome;
  return handle(state, command, index);
}
