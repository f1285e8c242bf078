import { decodeCommandBatch } from '../../messages/codec/codec.ts';
import type { CommandKind, LoggedBatch, LoggedCommand, UnusableCommand } from '../../messages/commands.ts';
import type { CommandChannel, StoredCommand } from '../../ports.ts';

/** Commands that only owners and the roles that move money may write; refused in batches. */
const notInBatches: ReadonlySet<LoggedCommand['kind']> = new Set<CommandKind>([
  'Own',
  'UpgradeTo',
  'Tick',
  'Continue',
  'OpenEpoch',
  'RevealEpoch',
  'SetRates',
  'SetBrand',
  'DebitSettled',
  'CreditSettled',
  'FlushSettled',
  'Quarantine',
]);

const carriedBy: Readonly<Record<CommandChannel, (command: LoggedCommand) => boolean>> = {
  batch: mayBeInBatch,
  own: ({ kind }) => kind === 'Own',
  control: ({ kind }) => kind !== 'Quarantine',
  quarantine: ({ kind }) => kind === 'Quarantine',
};

const notOfThisChannel: UnusableCommand = { kind: 'NotOfThisChannel' };

/**
 * The commands of a stored message, as far as its channel carries them: a gateway can write batches and nothing else, so a
 * batch must not do an owner's work.
 * @throws LogError `corrupt` where its bytes are damaged.
 */
export function readCommands(stored: StoredCommand): LoggedBatch {
  const batch = decodeCommandBatch(stored.bytes);
  const carries = carriedBy[stored.channel];
  if (batch.commands.every(carries)) return batch;
  return {
    ...batch,
    commands: batch.commands.map((command) => (carries(command) ? command : notOfThisChannel)),
  };
}

/** Whether a command may come from a gateway. Without seeds OpenEpoch is an administrator's beacon (docs/decisions/0080). */
export function mayBeInBatch(command: LoggedCommand): boolean {
  return !notInBatches.has(command.kind) || (command.kind === 'OpenEpoch' && command.seeds.length === 0);
}
