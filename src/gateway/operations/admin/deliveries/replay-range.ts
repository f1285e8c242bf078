import { ownersOf } from '../../../../access/authorize.ts';
import { replayRange, replayShape } from '../../../../contracts/delivery.ts';
import { sha256 } from '../../../../lib/sha256.ts';
import { uuidText } from '../../../../lib/uuid.ts';
import { beginReplay } from '../../../deliveries/replays.ts';
import { PublicError } from '../../../errors.ts';
import { keyOfHeader } from '../../../idempotency-key.ts';
import { defineOperation } from '../../../operation.ts';

/**
 * Sends the callbacks of a time range again, delivered ones too, and tries dead deliveries of that time again. It goes on in
 * the background. A repeat with the same `Idempotency-Key` is 204.
 */
export const replayRangeOfDeliveries = defineOperation({
  id: 'deliveries.replay-range',
  name: 'Replay deliveries',
  method: 'POST',
  path: '/config/deliveries/replay',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { body: replayRange },
  output: replayShape,
  status: 202,
  headers: ['Idempotency-Key'],
  refusals: [409],
  async handle({ principal, body, headers }, context) {
    const { from, to } = body;
    if (from > to) throw new PublicError('invalid_request');
    const key = keyOfHeader(headers);
    const owners = [...ownersOf(principal)];
    const idOf = (text: string) => uuidText(sha256(`replay ${text}\0${key}`, 16));
    const id = key === null ? uuidText(context.random.bytes(16)) : idOf(owners.toSorted().join(' '));
    const former = key === null ? null : idOf(principal.subject);
    const replay = await beginReplay(context, { id, fromMs: from, toMs: to, owners }, former);
    if (replay === null) return { status: 204 };
    return { status: 202, body: replay };
  },
});
