import * as z from 'zod';
import { foreignIdField } from '../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../contracts/fields/identifiers.ts';
import type { PlayerIdentity, PlayerTokenRequest } from '../../contracts/payments/player-authentication.ts';
import { maxAmountAtoms, parseAmount } from '../../lib/money.ts';
import { sampledParent } from '../../lib/tracing.ts';
import type { UnknownReason } from '../client/answer.ts';
import type { BrandClient } from '../client/brand-client.ts';
import { callerOfRequest } from '../client/policies.ts';
import { playerShape, sessionShape } from './documented-answers.ts';

type AuthenticatedPlayer =
  | { readonly kind: 'authenticated'; readonly identity: PlayerIdentity }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

const segmentsLimit = 256;

/** What the service uses of it. */
const usableShape = playerShape.extend({
  id: foreignIdField,
  currency: z.string().min(1).max(16),
  country: z.string().max(64).nullish(),
  segments: z.array(foreignIdField).max(segmentsLimit).nullish(),
});

/**
 * W1: POST /authenticate. An answer with a detail that cannot be used is unknown, but not repeated and no
 * failure of the wallet: other players do not notice.
 */
export async function authenticatePlayer(
  client: BrandClient,
  request: PlayerTokenRequest,
): Promise<AuthenticatedPlayer> {
  const { brand, token, currency, source } = request;
  const body = {
    operator_id: operatorOf(brand),
    brand_id: brand,
    player_token: token,
    source_id: source,
    currency,
  };
  const call = {
    name: 'W1',
    path: '/authenticate',
    isAnswer: (body: unknown) => sessionShape.safeParse(body).success,
    body: Buffer.from(JSON.stringify(body), 'utf8'),
    trace: sampledParent(request.trace),
  } as const;
  const answer = await client.call(call, callerOfRequest(request));
  if (answer.kind !== 'accepted') return answer.kind === 'refused' ? { kind: 'refused' } : answer;
  const identity = identityOf(answer.body);
  return identity === null ? { kind: 'unknown', reason: 'garbage' } : { kind: 'authenticated', identity };
}

function identityOf(body: unknown): PlayerIdentity | null {
  const parsed = usableShape.safeParse(body);
  if (!parsed.success) return null;
  const { id, operator_id, brand_id, currency, country, segments, max_bet } = parsed.data;
  const maxBetAtoms = readMaxBet(max_bet ?? '');
  if (maxBetAtoms === 'garbage') return null;
  return {
    player: id,
    operator: operator_id,
    brand: brand_id.includes(':') ? brand_id : `${operator_id}:${brand_id}`,
    currency,
    country: country === undefined || country === '' ? null : country,
    segments: segments ?? null,
    maxBetAtoms,
  };
}

/** null: there is none. One above the largest amount limits nothing that an amount has left. */
function readMaxBet(value: number | string): bigint | null | 'garbage' {
  if (value === '') return null;
  const read = parseAmount(value);
  if (!read.ok) return read.fault === 'range' ? maxAmountAtoms : 'garbage';
  return read.atoms < 0n ? 'garbage' : read.atoms;
}
