import * as z from 'zod';
import { authorize, visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { isWithin, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { cursorQuery } from '../../../../../contracts/fields/lists.ts';
import { type ReplayView, replayRange, replayShape } from '../../../../../contracts/payments/delivery.ts';
import {
  type DeliveryAnswer,
  type DeliveryFilter,
  type DeliveryQuestion,
  type DeliveryRow,
  type ReplayRow,
  replayScope,
  replaysOverlap,
  replaysWaitingOfOperator,
} from '../../../../../contracts/payments/delivery-questions.ts';
import type { FourEyesRule } from '../../../../../directory/four-eyes/rule.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import { uuidText } from '../../../../../lib/uuid.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange, defineRead, type GatewayContext } from '../../../operation/operation.ts';
import { listedItems, listHeaders } from '../../lists.ts';
import { allLanes, isLargeFlush } from './deliveries.ts';
import { firstRows } from './merged-rows.ts';

/** Replays of time ranges and how far they are, in pages. */
export const listReplaysOperation = defineRead('read', {
  id: 'deliveries.list-replays',
  name: 'List replays',
  route: 'GET /config/deliveries/replays',
  input: { query: cursorQuery(['created_timestamp'], {}) },
  output: z.array(replayShape),
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const replays = await replaysOf(context, principal);
    const fields = { created_timestamp: (each: { created_timestamp: number }) => each.created_timestamp };
    const byId = ({ id }: { id: string }) => id;
    const { page, headers } = await listedItems(replays, 'created_timestamp', query, byId, fields);
    return { status: 200, headers, body: page };
  },
});

/**
 * Sends the callbacks of a time range again, or its events (`kind`), delivered ones too, and tries dead
 * deliveries of that time again, in the background. Dead flushes above the limit need approval. A repeat with
 * the same `Idempotency-Key` is 204.
 */
export const replayRangeOfDeliveriesOperation = defineChange('move_money', {
  id: 'deliveries.replay-range',
  name: 'Replay deliveries',
  route: 'POST /config/deliveries/replay',
  input: { body: replayRange },
  output: replayShape,
  status: 202,
  headers: ['Idempotency-Key'],
  refusals: [409],
  fourEyes: true,
  underWay: replayShape,
  async handle(request, context) {
    const { principal, body, headers, approved } = request;
    const { from, to } = body;
    const events = body.kind === 'event';
    if (from > to) throw new PublicError('invalid_request');
    const owners = sharedOwners(principal);
    if (approved === null && !events) {
      const flushes = (await deadFlushes(context, owners)).filter(
        ({ createdMs }) => createdMs >= from && createdMs <= to,
      );
      const isNeeded = (rule: FourEyesRule, owner: string) =>
        flushes.some((each) => isWithin(each.owner, operatorOf(owner)) && isLargeFlush(each, rule));
      const ofFlushes = flushes.map(({ owner }) => owner);
      const proposed = await proposedChange(context, request, ofFlushes, { isNeeded });
      if (proposed !== null) return proposed;
    }
    const key = keyOfHeader(headers) ?? (approved === null ? null : `\0approval ${approved.id}`);
    const idOf = (text: string) => uuidText(sha256(`replay ${text}\0${key}`, 16));
    const id = key === null ? uuidText(context.random.bytes(16)) : idOf(owners.toSorted().join(' '));
    const former = key === null ? null : idOf(principal.subject);
    const range = { id, fromMs: from, toMs: to, owners, ...(events ? { events } : {}) };
    const replay = await beginReplay(context, range, former);
    if (replay === null) return { status: 204 };
    return { status: 202, body: replay };
  },
});

/** Those for whom the caller, and who has approved, may both move money; empty: everybody. */
function sharedOwners(principal: AdministratorPrincipal): string[] {
  const lists = [principal, principal.approver ?? principal].map(visibleOwners);
  if (lists.every((owners) => owners.length === 0)) return [];
  const shared = lists.flat().filter((owner) => authorize(principal, 'move_money', owner) === 'allowed');
  if (shared.length === 0) throw new PublicError('forbidden');
  return [...new Set(shared)];
}

/** All of them: an instance has at most one. */
async function deadFlushes(context: GatewayContext, owners: string[]): Promise<readonly DeliveryRow[]> {
  const filter: DeliveryFilter = {
    states: ['dead'],
    kinds: ['flush'],
    owners,
    owner: '',
    brand: '',
    instance: '',
  };
  const order = { filter, field: 'created_timestamp', direction: 1 } as const;
  return (await firstRows(context, order, Number.MAX_SAFE_INTEGER)).rows;
}

const formerKeysMs = 24 * 3_600_000;

type ReplayRange = Omit<Extract<DeliveryQuestion, { kind: 'replay_range' }>, 'kind'>;

/** The replays that an administrator may see, with the parts of all lanes. @throws PublicError overloaded */
async function replaysOf(context: GatewayContext, principal: AdministratorPrincipal): Promise<ReplayView[]> {
  const answers = await ofAllLanes(context, { kind: 'replays' });
  const byId = new Map<string, ReplayRow[]>();
  for (const part of answers.flatMap(({ replays }) => replays)) {
    if (!isVisible(principal, part)) continue;
    byId.set(part.id, [...(byId.get(part.id) ?? []), part]);
  }
  return [...byId.values()].map(replayView);
}

/**
 * Begins a replay in every lane that does not have it yet. null: all had it. `formerId`: by the key's form of
 * earlier releases. @throws PublicError overloaded, idempotency_key_reused, already_exists, rate_limited
 */
async function beginReplay(
  context: GatewayContext,
  wanted: ReplayRange,
  formerId: string | null,
): Promise<ReplayView | null> {
  const present = (await ofAllLanes(context, { kind: 'replays' })).flatMap(({ replays }) => replays);
  const afterMs = context.clock.nowMs() - formerKeysMs;
  const isFormer = present.some((each) => each.id === formerId && each.createdMs > afterMs);
  const range = isFormer ? { ...wanted, id: formerId as string } : wanted;
  if (present.some(({ id, events }) => id === range.id && events !== range.events))
    throw new PublicError('idempotency_key_reused');
  requireRoom(present, range);
  const answers = await ofAllLanes(context, { kind: 'replay_range', ...range });
  const parts = answers.flatMap(({ replays }) => replays);
  if (parts.some(({ fromMs, toMs }) => fromMs !== range.fromMs || toMs !== range.toMs))
    throw new PublicError('idempotency_key_reused');
  return answers.every(({ isRepeat }) => isRepeat) ? null : replayView(parts);
}

/** @throws PublicError already_exists, rate_limited */
function requireRoom(present: readonly ReplayRow[], range: ReplayRange): void {
  const running = present.filter(({ id, isDone }) => !isDone && id !== range.id);
  const overlapping = running.find((each) => replaysOverlap(each, range));
  if (overlapping !== undefined)
    throw new PublicError('already_exists', `Replay ${overlapping.id} is sending what these times have.`);
  const own = running.filter((each) => replayScope(each) === replayScope(range)).map(({ id }) => id);
  if (new Set(own).size >= replaysWaitingOfOperator)
    throw new PublicError('rate_limited', 'Too many replays wait.', { retryAfterSeconds: 60 });
}

function ofAllLanes(
  context: GatewayContext,
  question: DeliveryQuestion,
): Promise<Extract<DeliveryAnswer, { kind: 'replays' }>[]> {
  return Promise.all(
    allLanes(context).map(async (lane) => {
      const answer = await context.deliveries(lane, question);
      if (answer.kind !== 'replays') throw new PublicError('overloaded');
      return answer;
    }),
  );
}

function isVisible(principal: AdministratorPrincipal, { owners }: ReplayRow): boolean {
  const ofWhom = owners.length === 0 ? [''] : owners;
  return ofWhom.every((owner) => authorize(principal, 'read', owner) === 'allowed');
}

function replayView(parts: readonly ReplayRow[]): ReplayView {
  const { id, fromMs, toMs } = parts[0]!;
  return {
    id,
    from: fromMs,
    to: toMs,
    state: parts.every(({ isDone }) => isDone) ? 'done' : 'running',
    kind: parts[0]?.events === true ? 'event' : 'callback',
    created_timestamp: Math.min(...parts.map(({ createdMs }) => createdMs)),
    deliveries: parts.reduce((sum, { deliveries }) => sum + deliveries, 0),
  };
}
