import type { AdjustPot, TriggerPot } from '../../../contracts/log/commands.ts';
import { sha256 } from '../../../lib/sha256.ts';
import { PublicError } from '../../errors.ts';
import type { LaneAnswer, RecordedCommand } from '../../lane-client.ts';
import type { GatewayContext } from '../../operation.ts';

/**
 * The key that `Idempotency-Key` names, as the lane keeps it; null where the header is absent. Administrators' keys are kept apart from
 * operators' by the space, which no operator id holds.
 */
export function administratorsKey(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  user: string,
): Uint8Array | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u.test(key))
    throw new PublicError('invalid_request', 'The header Idempotency-Key is not valid.');
  return sha256(`admin ${user}\0${key}`, 16);
}

/** What the key was first used for, where it was the same change; null where the answer is no repeat. */
export async function repeatOf(
  { lanes }: Pick<GatewayContext, 'lanes'>,
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
