import type { Command } from '../../messages/commands.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import { batchLimits } from './limits.ts';

const contributionBytes = 160;
const walletBytes = 600;
/** Up to 20 linked instances each answer, award tickets and wait for a debit: about ten such commands fill a batch. */
const linkedBytes = 6_144;

/**
 * About how large a command is in its batch, not below it by much: strings count two bytes a character where they may be
 * foreign. A command that is no contribution fills a batch by itself, because its outcome record may be large.
 */
export function commandSizeBytes(command: Command): number {
  return command.kind === 'Contribute' ? contributionSizeBytes(command) : batchLimits.bytes;
}

function contributionSizeBytes(command: Contribute): number {
  let size = contributionBytes + 2 * (command.player.length + command.gameround.length);
  if (command.target.type === 'source') size += 2 * command.target.id.length;
  for (const segment of command.segments) size += 2 + 2 * segment.length;
  // Its debit, and later the credit of a win, say most of it again in outcome records.
  if (command.wallet) size += walletBytes + 2 * (command.player.length + command.gameround.length);
  if (command.linked) size += linkedBytes;
  if (command.bonus !== null) size += 32 + 2 * command.bonus.id.length;
  if (command.callback !== null) size += command.callback.webHook.length;
  if (command.origin !== null) size += 16 + 2 * Object.values(command.origin).join('').length;
  if (command.metadata !== null) size += 2 * command.metadata.length;
  if (command.eventMetadata !== null) size += 2 * command.eventMetadata.length;
  return size;
}
