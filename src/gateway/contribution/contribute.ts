import { hash } from 'node:crypto';
import type { ServicePrincipal } from '../../access/principal.ts';
import { isCountry } from '../../contracts/contribution.ts';
import type { Contribute } from '../../contracts/log/commands.ts';
import { PublicError } from '../errors.ts';
import type { LaneAnswer } from '../lane-client.ts';
import type { GatewayContext, Reply } from '../operation.ts';
import { scopedBrand } from './brand-scope.ts';
import { metadataText } from './metadata.ts';
import { readMoney } from './money.ts';
import { repeatedReply } from './repeated.ts';
import { contributionReply } from './reply.ts';
import type { ContributionRequest } from './request.ts';
import { targetLane } from './target-lane.ts';

/** O16 answers with an array of results, O8 and O9 with the one. */
export type ResultShape = 'one' | 'list';

/**
 * One contribution from request to answer. The checks keep the order of http.md: syntax, scope, existence, state,
 * money, dependency; what only the engine knows it refuses itself, with the codes of the same list. Throws at once where
 * nothing has to be waited for: a contribution costs as few promises as it can.
 */
export function contribute(
  request: ContributionRequest,
  principal: ServicePrincipal,
  context: GatewayContext,
  shape: ResultShape,
): Promise<Reply> {
  const metadata = metadataText(request.metadata);
  const eventMetadata = metadataText(request.eventMetadata);
  const { directory, lanes } = context;
  const brand = scopedBrand(directory, principal, request.brand);
  const target = targetLane(directory, lanes, request.target, brand.path);
  const money = readMoney(request);
  const countryIsFine = isCountry(request.country);
  if (!money.ok || !countryIsFine || request.callback !== null) {
    // The engine would say so first, had it been asked.
    if (target.instance !== null && target.instance.status !== 'Active') {
      throw new PublicError('instance_not_active');
    }
    if (!countryIsFine) throw new PublicError('country_invalid');
    if (!money.ok) throw new PublicError(money.code);
    // No origin for callbacks is registered for any operator.
    throw new PublicError('callback_address_not_allowed');
  }
  const command: Contribute = {
    kind: 'Contribute',
    contributionId: newContributionId(context),
    target: request.target,
    operator: principal.operator,
    brand: brand.path,
    player: request.player,
    country: request.country,
    segments: request.segments,
    baseWagerAtoms: money.baseWagerAtoms,
    currency: request.currency,
    gameround: request.gameround ?? '',
    idempotencyKey:
      request.idempotencyKey === null ? null : idempotencyHash(principal.operator, request.idempotencyKey),
    linked: request.linked,
    wallet: brand.entry.wallet,
    maxBetAtoms: null,
    bonus: money.bonus,
    vertical: request.vertical,
    callback: null,
    metadata: null,
    eventMetadata,
  };
  return lanes
    .send(target.lane, command)
    .then((answer) => replyOf(answer, command, metadata, context, shape));
}

function replyOf(
  answer: LaneAnswer,
  command: Contribute,
  metadata: string | null,
  context: GatewayContext,
  shape: ResultShape,
): Reply | Promise<Reply> {
  const { outcome } = answer;
  switch (outcome.kind) {
    case 'Contributed':
      return contributionReply(
        outcome.results,
        command,
        answer.timestampMs,
        metadata,
        shape,
        context.directory,
      );
    case 'Duplicate':
      return repeatedReply(context, answer.lane, outcome.sequence, outcome.index, command);
    case 'Refused':
      throw new PublicError(outcome.code, outcome.message);
    default:
      throw new Error(`A contribution was answered with ${outcome.kind}.`);
  }
}

/** A version 4 UUID, as its bytes. */
function newContributionId(context: GatewayContext): Uint8Array {
  const id = context.random.bytes(16);
  id[6] = (id[6]! & 0x0f) | 0x40;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return id;
}

/** First 16 bytes of SHA-256(operator ‖ 0x00 ‖ key). */
function idempotencyHash(operator: string, key: string): Uint8Array {
  return hash('sha256', `${operator}\0${key}`, 'buffer').subarray(0, 16);
}
