import { toHex, utf8 } from '../../lib/bytes.ts';
import { sha256 } from '../../lib/hashes.ts';
import { encodeCommandBatch } from '../../messages/codec/codec.ts';
import type { Log } from '../../ports.ts';
import { maxQuarantinedCommands, Quarantines, readableBatch } from './quarantines.ts';

const batchIdBytes = 16;

export type QuarantineResult =
  /** `sequence`: where the quarantine stands in the lane's log. */
  | { readonly kind: 'written'; readonly sequence: number }
  | { readonly kind: 'no_such_message' }
  /** Its outcome is stored: it happened. */
  | { readonly kind: 'already_emitted' }
  | { readonly kind: 'already_quarantined' };

/**
 * Writes into a lane's log that one of its messages is refused as a whole, unless its outcome was emitted.
 * @throws LogError outages
 */
export async function writeQuarantine(
  log: Log,
  lane: number,
  sequence: number,
  { reason, user }: { readonly reason: string; readonly user: string },
): Promise<QuarantineResult> {
  const stored = await log.readCommand(lane, sequence);
  if (stored === null) return { kind: 'no_such_message' };
  if ((await Quarantines.read(log, lane)).of(stored) !== null) return { kind: 'already_quarantined' };
  if ((await log.lastOutcome(lane)) >= sequence) return { kind: 'already_emitted' };
  const digest = sha256(stored.bytes);
  const found = readableBatch(stored.bytes)?.commands.length ?? 0;
  const commands = found <= maxQuarantinedCommands ? found : 0;
  const batchId = sha256(utf8(`quarantine:${lane}:${sequence}:${toHex(digest)}`)).slice(0, batchIdBytes);
  const bytes = encodeCommandBatch({
    batchId,
    gateway: '',
    commands: [{ kind: 'Quarantine', sequence, sha256: digest, commands, reason, user }],
  });
  const result = await log.append(lane, 'quarantine', bytes, { messageId: toHex(batchId) });
  if (result.kind !== 'stored') throw new Error('A quarantine has no fence.');
  return { kind: 'written', sequence: result.sequence };
}
