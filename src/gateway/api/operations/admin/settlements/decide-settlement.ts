import * as z from 'zod';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import {
  type SettlementView,
  settlementDecision,
  settlementShape,
  settlementView,
  transactionIdField,
} from '../../../../../contracts/payments/settlement.ts';
import { type FourEyesRule, isAboveLimit } from '../../../../../directory/four-eyes/rule.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import type {
  CancelDebit,
  ReleaseCredit,
  ResolveCredit,
  RetryCredit,
} from '../../../../../messages/settlement-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import type { Reply } from '../../../../base/reply.ts';
import { formInLane, type KeyForms, lookUpIdempotencyKey } from '../../../../lanes/idempotency-lookup.ts';
import { type AdministratorsRequest, proposedChange } from '../../../approvals/propose.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import { defineChange, type GatewayContext, type OperationRequest } from '../../../operation/operation.ts';
import { requireReason } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireAllowed } from '../shared/owner-access.ts';
import { type FoundSettlement, findSettlement, missingSettlement } from './find.ts';

type Decision = ReleaseCredit | RetryCredit | ResolveCredit | CancelDebit;

/** Pays a win that was above the brand's verification limit. */
export const releaseSettlementOperation = deciding('release', 'Release a withheld win', 'ReleaseCredit');
/** Asks the wallet again for a payment that it refused, or whose outcome is not known. */
export const retrySettlementOperation = deciding('retry', 'Retry a payment', 'RetryCredit');
/**
 * Ends a payment that was settled with the wallet's operator in another way. A debit is cancelled: the player
 * has certainly not paid, or has it back.
 */
export const resolveSettlementOperation = deciding('resolve', 'Resolve a payment', 'ResolveCredit');

/**
 * Needs the right to move money for the player's brand and the instance's owner. A repeated `Idempotency-Key`
 * is 204. An amount above the limit needs approval. Unknown and foreign ids are `route_not_found`.
 */
function deciding(verb: 'release' | 'retry' | 'resolve', name: string, kind: Decision['kind']) {
  return defineChange('move_money', {
    id: `settlements.${verb}`,
    name,
    route: `POST /config/settlements/{id}/${verb}`,
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
      // Settled meanwhile.
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

/** For the audit trail; none where the id is unknown or foreign. */
async function ownersOfSettlement(
  { params, principal }: OperationRequest,
  context: GatewayContext,
): Promise<readonly string[]> {
  const { id } = params as { readonly id: string };
  const found = await findSettlement(context, principal as never, id).catch(() => null);
  if (found === null) return [];
  return operatorOf(found.brand) === operatorOf(found.owner) ? [found.brand] : [found.brand, found.owner];
}

/**
 * Whether a decision with its idempotency key, in one of its forms, was made before, in one of these lanes.
 * @throws PublicError idempotency_key_reused where that was another decision
 */
async function isRepeat(
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

/**
 * Proposes a decision about an amount above the limit of the jackpot's owner or of the brand's operator
 * (docs/rules/approvals.md "Changes"). null: no approval is needed.
 */
function proposedDecision(
  context: GatewayContext,
  request: AdministratorsRequest,
  found: FoundSettlement,
): Promise<Reply | null> {
  const isNeeded = (rule: FourEyesRule): boolean => isAbove(context, found, rule);
  return proposedChange(context, request, [found.owner, found.brand], { isNeeded });
}

/** Limits are in the jackpot's currency; a debit in another one cannot be compared, so it counts as above. */
function isAbove(
  { directory }: GatewayContext,
  { record, instance }: FoundSettlement,
  rule: FourEyesRule,
): boolean {
  const { amountAtoms, currency } = record.kind === 'debit' ? record.debit : record.credit;
  return currency !== directory.known(instance)?.configuration.currency || isAboveLimit(amountAtoms, rule);
}
