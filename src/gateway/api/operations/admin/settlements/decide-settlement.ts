import * as z from 'zod';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import {
  type SettlementView,
  settlementDecision,
  settlementShape,
  settlementView,
  transactionIdField,
} from '../../../../../contracts/payments/settlement.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import type {
  CancelDebit,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from '../../../../../messages/settlement-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { formInLane, type KeyForms } from '../../../../lanes/idempotency-lookup.ts';
import { defineOperation, type GatewayContext, type OperationRequest } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { type FoundSettlement, findSettlement, missingSettlement } from './find.ts';
import { isRepeat } from './repeat.ts';
import { proposedDecision } from './second-person.ts';

type Decision = ReleaseCredit | RetryCredit | ResolveCredit | CancelDebit;

/** Pays a win that was above the brand's verification limit. */
export const releaseSettlementOperation = deciding('release', 'Release a withheld win', 'ReleaseCredit');
/** Asks the wallet again for a payment that it refused, or whose outcome is not known. */
export const retrySettlementOperation = deciding('retry', 'Retry a payment', 'RetryCredit');
/**
 * Ends a payment that a person has settled with the wallet's operator: the player got it in another way. A debit is
 * cancelled: the player has certainly not paid, or has it back.
 */
export const resolveSettlementOperation = deciding('resolve', 'Resolve a payment', 'ResolveCredit');

/**
 * Needs the right to move money for the brand of the player and for the owner of the instance. Takes `Idempotency-Key` (a
 * repeat is 204). Under the four-eyes rule an amount above the limit needs a second administrator. Unknown and foreign ids are
 * `route_not_found`.
 */
function deciding(verb: 'release' | 'retry' | 'resolve', name: string, kind: Decision['kind']) {
  return defineOperation({
    id: `settlements.${verb}`,
    name,
    method: 'POST',
    path: `/config/settlements/{id}/${verb}`,
    surface: 'admin',
    authentication: { kind: 'administrator', action: 'move_money' },
    refusals: [404],
    input: { params: z.strictObject({ id: transactionIdField }), body: settlementDecision },
    output: settlementShape,
    headers: ['Idempotency-Key'],
    fourEyes: true,
    auditOwners: ownersOfSettlement,
    async handle(request, context) {
      const { principal, params, body, headers, approved } = request;
      const key = keyOfHeader(headers);
      const id = params.id;
      const text = key ?? (approved === null ? null : `\0approval ${approved.id}`);
      const forms = text === null ? null : formsOf(id, principal.subject, text);
      const { reason } = body;
      const command = { kind, transactionId: id, reason, user: principal.subject };
      const found = await findSettlement(context, principal, id);
      if (found === null) {
        // The first try may have settled it.
        if (await isRepeat(context, command, forms)) return { status: 204 };
        throw missingSettlement(context);
      }
      requireAllowed(principal, 'move_money', found.brand, 'route_not_found');
      // The caller sees it in the list, so a missing right to its jackpot is no secret.
      requireAllowed(principal, 'move_money', found.owner, 'forbidden');
      requireReason(reason);
      const { lane } = found;
      if (await isRepeat(context, command, forms, [lane])) return { status: 204 };
      const decision = decisionOf(found, command, context.clock.nowMs());
      const proposed = await proposedDecision(context, request, found);
      if (proposed !== null) return proposed;
      const idempotencyKey = forms === null ? undefined : await formInLane(context, lane, forms);
      const answer = await context.lanes.send(lane, {
        ...decision,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      if (answer.outcome.kind === 'Duplicate') return { status: 204 };
      // Somebody else has settled it meanwhile.
      if (answer.outcome.kind === 'Refused' && answer.outcome.code === 'invalid_parameter')
        throw missingSettlement(context);
      requireSuccess(answer);
      return { status: 200, body: viewAfter(found, decision, answer.timestampMs) };
    },
  });
}

/** What a person may decide about a credit of a state; the lane judges again. */
const decidable: Readonly<Record<string, readonly string[]>> = {
  ReleaseCredit: ['withheld'],
  RetryCredit: ['dead', 'unknown'],
  ResolveCredit: ['withheld', 'dead', 'unknown'],
};

/** Debits are only resolved, behind their deadline. @throws PublicError invalid_transition */
function decisionOf({ record }: FoundSettlement, command: Decision, nowMs: number): Decision {
  const { state } = settlementView(record, nowMs);
  const isDebit = record.kind === 'debit';
  const from = isDebit && command.kind !== 'ResolveCredit' ? [] : (decidable[command.kind] ?? []);
  if (!from.includes(state)) throw new PublicError('invalid_transition', `The payment is ${state}.`);
  return isDebit ? { ...command, kind: 'CancelDebit' } : command;
}

/** As the decision has left it. */
function viewAfter({ record }: FoundSettlement, { kind, reason }: Decision, nowMs: number): SettlementView {
  const view = settlementView(record, nowMs);
  const isBooked = kind === 'ReleaseCredit' && record.kind === 'credit' && !record.credit.wallet;
  const state = isBooked ? 'settled' : stateAfter[kind];
  return { ...view, state, changed_timestamp: nowMs, reason };
}

const stateAfter = {
  ReleaseCredit: 'pending',
  RetryCredit: 'pending',
  ResolveCredit: 'settled',
  CancelDebit: 'cancelled',
} as const;

/** Belongs to the transaction, and so to a brand; the space keeps it apart from other keys. */
function formsOf(transactionId: string, user: string, key: string): KeyForms {
  return {
    key: sha256(`settlement ${transactionId}\0${key}`, 16),
    former: sha256(`settlement ${transactionId} ${user}\0${key}`, 16),
  };
}

/** For the audit trail: those of the jackpot and of the player's brand; nobody's where the id is unknown or foreign. */
async function ownersOfSettlement(
  { params, principal }: OperationRequest,
  context: GatewayContext,
): Promise<readonly string[]> {
  const { id } = params as { readonly id: string };
  const found = await findSettlement(context, principal as never, id).catch(() => null);
  if (found === null) return [];
  return operatorOf(found.brand) === operatorOf(found.owner) ? [found.brand] : [found.brand, found.owner];
}
