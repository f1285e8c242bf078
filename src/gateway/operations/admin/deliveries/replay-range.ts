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
    const bytes = key === null ? context.random.bytes(16) : sha256(`replay ${principal.subject}\0${key}`, 16);
    const owners = [...ownersOf(principal)];
    const replay = await beginReplay(context, { id: uuidText(bytes), fromMs: from, toMs: to, owners });
    if (replay === null) return { status: 204 };
    return { status: 202, body: replay };
  },
});
