import type { CreateInstance, SetDetails, SetLinks } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { sizeRefusal } from '../../rules/configuration/bounds.ts';
import { parseConfiguration } from '../../rules/configuration/parse.ts';
import { announceInstance } from '../../rules/descriptions/describe.ts';
import { changing, done, noteChange } from '../../rules/statuses/change.ts';
import { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { cycleAt, enabledAt, potAt } from '../../state/money/accounts.ts';

export function createInstance(state: LaneState, command: CreateInstance): CommandOutcome {
  const instance = buildInstance(state, command);
  if ('kind' in instance) return instance;
  state.instances.set(instance.id, instance);
  state.noteOwnerTask(instance);
  announceInstance(state, instance);
  return done(instance);
}

/** The instance that a command asks for, not in the lane yet; or why it cannot be. */
export function buildInstance(state: LaneState, command: CreateInstance): Instance | Refusal {
  if (state.instances.has(command.instance)) return refused('already_exists');
  const parsed = parseConfiguration(command.configuration);
  if (!parsed.ok) return refused('config_invalid', parsed.faults.join('; '));
  const { configuration } = parsed;
  const tooLarge = sizeRefusal(state, configuration.document);
  if (tooLarge !== null) return tooLarge;
  if (state.rates.exponentOf(configuration.currency, '') === null) {
    return refused('currency_unknown', 'a currency outside ISO 4217 needs its exponent in the rate table');
  }
  const { timestampStartMs: startMs, timestampEndMs: endMs } = command;
  if (endMs !== null && endMs <= (startMs ?? state.nowMs)) {
    return refused('config_invalid', 'timestamp_end must be later than the start');
  }
  const { instance: id, group, owner, templateOwner, template, gameCode } = command;
  const facts = {
    id,
    group,
    owner,
    templateOwner,
    template,
    gameCode,
    createdMs: state.nowMs,
    startMs,
    endMs,
  };
  const instance = new Instance(facts, configuration, state.hashing);
  instance.name = command.name;
  instance.description = command.description;
  instance.captured = state.generation;
  for (const pot of instance.pots) {
    instance.balances[potAt(pot.index) + cycleAt] = 1;
    instance.balances[potAt(pot.index) + enabledAt] = pot.effective.enabled ? 1 : 0;
  }
  instance.refresh();
  return instance;
}

const maxLinks = 20;

/** Name and description apply at once. */
export const setDetails = changing<SetDetails>((state, instance, command) => {
  state.touch(instance);
  instance.name = command.name ?? instance.name;
  instance.description = command.description ?? instance.description;
  noteChange(state, instance);
  return null;
});

/** Linked instances are of the same group; links are direct only. */
export const setLinks = changing<SetLinks>((state, instance, command) => {
  const links = [...new Set(command.links)].filter((id) => id !== instance.id);
  if (links.length > maxLinks) return refused('config_invalid', `an instance has at most ${maxLinks} links`);
  for (const id of links) {
    const linked = state.instances.get(id);
    if (linked === undefined) return refused('instance_not_found', `the linked instance ${id} is not known`);
    if (linked.facts.group !== instance.facts.group) return refused('group_mismatch');
  }
  state.touch(instance);
  instance.links = links;
  noteChange(state, instance);
  return null;
});
