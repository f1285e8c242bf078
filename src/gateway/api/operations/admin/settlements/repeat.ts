import type {
  CancelDebit,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from '../../../../../messages/settlement-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { type KeyForms, lookUpIdempotencyKey } from '../../../../lanes/idempotency-lookup.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { servingLanes } from './find.ts';

type Decision = ReleaseCredit | RetryCredit | ResolveCredit | CancelDebit;

/**
 * Whether a decision with its idempotency key, in one of its forms, was made before, in one of these lanes.
 * @throws PublicError idempotency_key_reused where that was another decision
 */
export async function isRepeat(
  context: GatewayContext,
  command: Decision,
  forms: KeyForms | null,
  lanes: readonly number[] = servingLanes(context),
): Promise<boolean> {
  if (forms === null) return false;
  const firsts = await Promise.all(
    lanes.map(async (lane) => {
      const position =
        (await lookUpIdempotencyKey(context, lane, forms.key)) ??
        (await lookUpIdempotencyKey(context, lane, forms.former));
      return position === null ? null : context.lanes.readBack(lane, position.sequence, position.index);
    }),
  );
  const first = firsts.find((each) => each !== null);
  if (first === undefined) return false;
  if (!isSame(first.command as Decision, command)) throw new PublicError('idempotency_key_reused');
  return true;
}

/** A resolved debit is in the log as its cancellation. */
function isSame(first: Decision, repeat: Decision): boolean {
  const kind = first.kind === 'CancelDebit' ? 'ResolveCredit' : first.kind;
  return (
    kind === repeat.kind && first.reason === repeat.reason && first.transactionId === repeat.transactionId
  );
}
