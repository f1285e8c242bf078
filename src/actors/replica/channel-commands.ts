import { decodeCommandBatch } from '../../messages/codec/codec.ts';
import { isNotOfCallers } from '../../messages/codec/commands.ts';
import type { CommandKind, LoggedBatch, LoggedCommand, UnusableCommand } from '../../messages/commands.ts';
import type { CommandChannel, StoredCommand } from '../../ports.ts';

/** The roles that move money write these and nothing else (docs/decisions/0259). */
const settlements: ReadonlySet<string> = new Set<CommandKind>([
  'DebitSettled',
  'CreditSettled',
  'FlushSettled',
]);

const carriedBy: Readonly<Record<CommandChannel, (command: LoggedCommand) => boolean>> = {
  batch: mayBeInBatch,
  own: ({ kind }) => kind === 'Own',
  control: ({ kind }) => kind !== 'Quarantine',
  settlement: ({ kind }) => settlements.has(kind),
  quarantine: ({ kind }) => kind === 'Quarantine',
};

const notOfThisChannel: UnusableCommand = { kind: 'NotOfThisChannel' };

/**
 * The commands of a stored message, as far as its channel carries them: a gateway can write batches and
 * nothing else, so a batch must not do an owner's work.
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

/** Whether a gateway may send it. OpenEpoch without seeds is a beacon (docs/decisions/0080). */
export function mayBeInBatch(command: LoggedCommand): boolean {
  if (command.kind === 'OpenEpoch') return command.seeds.length === 0;
  return !isNotOfCallers(command.kind);
}
