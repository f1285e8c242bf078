import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import type { AdjustPot, TriggerPot } from '../../../../../messages/instance-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { formInLane } from '../../../../lanes/idempotency-lookup.ts';
import type { LaneAnswer, RecordedCommand } from '../../../../lanes/lane-client.ts';
import type { ApprovedRequest, GatewayContext } from '../../../operation/operation.ts';

/**
 * The key as the lane keeps it (docs/rules/contributions.md "Duplicates"): of the jackpot's owner, or of the
 * approval, with a character that no header has. Spaces keep it apart from keys of contributions.
 * @throws PublicError
 */
export async function keyInLane(
  context: GatewayContext,
  { lane, description: { owner } }: KnownInstance,
  key: string | null,
  user: string,
  approved: ApprovedRequest | null,
): Promise<Uint8Array | null> {
  const text = key ?? (approved === null ? null : `\0approval ${approved.id}`);
  if (text === null) return null;
  return formInLane(context, lane, {
    key: sha256(`admin ${owner}\0${text}`, 16),
    former: sha256(`admin ${operatorOf(owner)} ${user}\0${text}`, 16),
  });
}

/** The first use of the key, if it was the same change; null if this is not a repeat. */
export async function repeatOf(
  { lanes }: GatewayContext,
  answer: LaneAnswer,
  command: AdjustPot | TriggerPot,
): Promise<RecordedCommand | null> {
  const { outcome, lane } = answer;
  if (outcome.kind !== 'Duplicate') return null;
  const first = await lanes.readBack(lane, outcome.sequence, outcome.index);
  if (!isSame(first.command, command)) throw new PublicError('idempotency_key_reused');
  return first;
}

function isSame(first: RecordedCommand['command'], repeat: AdjustPot | TriggerPot): boolean {
  if (first.kind === 'TriggerPot' && repeat.kind === 'TriggerPot') {
    return (
      first.instance === repeat.instance &&
      first.pot === repeat.pot &&
      first.brand === repeat.brand &&
      first.player === repeat.player &&
      first.source === repeat.source
    );
  }
  if (first.kind !== 'AdjustPot' || repeat.kind !== 'AdjustPot') return false;
  return (
    first.instance === repeat.instance &&
    first.pot === repeat.pot &&
    first.account === repeat.account &&
    first.targetAtoms === repeat.targetAtoms &&
    first.reason === repeat.reason
  );
}
