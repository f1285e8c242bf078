import * as z from 'zod';
import { formatAmount } from '../../lib/money.ts';
import { amountField, readAmount } from '../fields/amount.ts';
import { foreignIdField } from '../fields/identifier-fields.ts';

/**
 * Core NATS request `wallet.authenticate` (docs/rules/wallets.md "Authentication"): JSON. The token travels
 * here and nowhere else: it is in no stream, snapshot or log line.
 */
export interface PlayerTokenQuestion {
  /** Brand path. */
  readonly brand: string;
  readonly token: string;
  readonly currency: string;
  /** The caller does not know the session's currency: an answer about any session of the token will do. */
  readonly anyCurrency?: boolean;
  /** Source of the bets to come. */
  readonly source: string | null;
  readonly caller: TokenCaller;
  /** The wallet is asked, whatever is remembered of the token. */
  readonly anew?: true | undefined;
}

/** Who shows the token, or shows it again. */
export type TokenCaller =
  /** A service that has said who it is: it has a room of its own before the wallet. */
  | { readonly kind: 'service' }
  /** A feed's socket that is open already. */
  | { readonly kind: 'open_socket' }
  /** Anybody at that address, as limits count it. */
  | { readonly kind: 'frontend'; readonly address: string };

/** What travels to the wallet role. */
export interface PlayerTokenRequest extends PlayerTokenQuestion {
  /** The frontend's address has shown a good token lately. */
  readonly proven: boolean;
  /** Who asks has held the token for good. */
  readonly acceptedBefore: boolean;
  /** `traceparent` of a sampled request. */
  readonly trace?: string | undefined;
}

/** Whose the token is, as the wallet says (W1). */
export interface PlayerIdentity {
  /** The operator's id of the player. */
  readonly player: string;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly currency: string;
  /** These three outrank what a request says; null: the wallet does not say. */
  readonly country: string | null;
  readonly segments: readonly string[] | null;
  readonly maxBetAtoms: bigint | null;
}

/** Whether the wallet says so of a brand path, which names the operator, too. */
export function isOfBrand(identity: PlayerIdentity, brand: string): boolean {
  return identity.brand === brand && brand.startsWith(`${identity.operator}:`);
}

export type PlayerAuthentication =
  /** `ageMs`: how long ago the wallet said so. */
  | { readonly kind: 'authenticated'; readonly identity: PlayerIdentity; readonly ageMs: number }
  /** The wallet knows that the token is none. */
  | { readonly kind: 'refused' }
  /** The wallet does not answer, or not in a way that can be trusted. */
  | { readonly kind: 'unknown' }
  /** The wallet was not asked: too many of those who are not known yet wait for it. */
  | { readonly kind: 'busy' };

/** How long the wallet's yes to a token counts (docs/rules/wallets.md "Authentication"). */
export const playerTokenCacheMs = 60_000;

const question = z.strictObject({
  brand: z.string(),
  token: z.string().min(1),
  currency: z.string(),
  any_currency: z.boolean(),
  source: z.string().nullable(),
  asker: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('service') }),
    z.strictObject({ kind: z.literal('open_socket') }),
    z.strictObject({ kind: z.literal('frontend'), address: z.string() }),
  ]),
  proven: z.boolean(),
  accepted_before: z.boolean(),
  anew: z.literal(true).optional(),
  trace: z.string().max(64).optional(),
});

const answer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('authenticated'),
    age_ms: z.number().min(0),
    player: foreignIdField,
    operator: z.string(),
    brand: z.string(),
    currency: z.string(),
    country: z.string().nullable(),
    segments: z.array(z.string()).nullable(),
    max_bet: amountField.nullable(),
  }),
  z.strictObject({ kind: z.literal('refused') }),
  z.strictObject({ kind: z.literal('unknown') }),
  z.strictObject({ kind: z.literal('busy') }),
]);

/** The bytes of a question to the wallet role. */
export function encodePlayerTokenRequest(asked: PlayerTokenRequest): Uint8Array {
  const {
    anyCurrency: any_currency = false,
    acceptedBefore: accepted_before,
    caller: asker,
    ...rest
  } = asked;
  return Buffer.from(JSON.stringify({ ...rest, asker, any_currency, accepted_before }), 'utf8');
}

/** null: the message is none. */
export function decodePlayerTokenRequest(bytes: Uint8Array): PlayerTokenRequest | null {
  const parsed = question.safeParse(readJson(bytes));
  if (!parsed.success) return null;
  const { any_currency: anyCurrency, accepted_before: acceptedBefore, asker: caller, ...rest } = parsed.data;
  return { ...rest, caller, anyCurrency, acceptedBefore };
}

/** The bytes of its answer. */
export function encodePlayerAuthentication(authentication: PlayerAuthentication): Uint8Array {
  return Buffer.from(
    JSON.stringify(authentication.kind === 'authenticated' ? flat(authentication) : authentication),
    'utf8',
  );
}

/** What does not read is worth as much as silence. */
export function decodePlayerAuthentication(bytes: Uint8Array): PlayerAuthentication {
  const parsed = answer.safeParse(readJson(bytes));
  if (!parsed.success) return { kind: 'unknown' };
  const authentication = parsed.data;
  if (authentication.kind !== 'authenticated') return authentication;
  const { age_ms, max_bet, kind, ...identity } = authentication;
  const maxBet = max_bet === null ? null : readAmount(max_bet);
  if (maxBet !== null && !maxBet.ok) return { kind: 'unknown' };
  return { kind, ageMs: age_ms, identity: { ...identity, maxBetAtoms: maxBet?.atoms ?? null } };
}

/** `wallet.revoked`: the wallet has taken a token back; processes that hold an answer about it drop it. */
export interface RevokedPlayerToken {
  readonly brand: string;
  readonly token: string;
}

const revoked = z.strictObject({ brand: z.string(), token: z.string() });

/** The bytes of `wallet.revoked`. */
export function encodeRevokedPlayerToken({ brand, token }: RevokedPlayerToken): Uint8Array {
  return Buffer.from(JSON.stringify({ brand, token }), 'utf8');
}

/** null: the message is none. */
export function decodeRevokedPlayerToken(bytes: Uint8Array): RevokedPlayerToken | null {
  const parsed = revoked.safeParse(readJson(bytes));
  return parsed.success ? parsed.data : null;
}

function flat({ identity, ageMs }: Extract<PlayerAuthentication, { kind: 'authenticated' }>) {
  const { maxBetAtoms, ...rest } = identity;
  const max_bet = maxBetAtoms === null ? null : formatAmount(maxBetAtoms);
  return { kind: 'authenticated', age_ms: ageMs, ...rest, max_bet };
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
