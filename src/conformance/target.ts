import * as z from 'zod';
import { minorUnitAtoms, minorUnitExponent } from '../lib/currencies.ts';

/** A player of the wallet who is there for tests, with a session that is valid now. */
export interface TestPlayer {
  readonly id: string;
  readonly token: string;
  readonly currency: string;
  /** The smallest amount of the currency. */
  readonly minorAtoms: bigint;
}

/** The wallet, and what the kit needs to know of it. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string;
  readonly bearerKey: string;
  readonly hmacSecret: string;
  readonly operator: string;
  /** Brand path. */
  readonly brand: string;
  readonly provider: string;
  /** Two players of one currency. */
  readonly main: TestPlayer;
  readonly second: TestPlayer;
  /** Players of other currencies. */
  readonly others: readonly TestPlayer[];
  /** null: none is known. */
  readonly expiredToken: string | null;
  readonly revokedToken: string | null;
  readonly timeoutMs: number;
}

/** The wallet cannot be checked with what is known of it. */
export class TargetError extends Error {
  readonly code = 'target_incomplete';
  readonly retryable = false;
}

const name = z.string().min(1).max(256);

/** Members of the configuration; `credentials.json` of the demo is one, with the keys beside it. */
const shape = z.looseObject({
  url: z.string().optional(),
  wallet_url: z.string().nullish(),
  bearer_key: z.string().min(1),
  hmac_secret: z.string().min(1),
  operator_id: name,
  brand_id: name,
  provider_id: name.default('potstream'),
  players: z.array(z.looseObject({ player_id: name, token: z.string().min(1), currency: name })).max(100),
  expired_token: z.string().min(1).nullish(),
  revoked_token: z.string().min(1).nullish(),
  timeout_ms: z.coerce.number().int().min(1).max(600_000).default(2_000),
});

export type TargetFields = Readonly<Record<string, unknown>>;

/**
 * Puts together what flags, files and the environment say; earlier ones outrank later ones.
 * @throws TargetError
 */
export function readTarget(...sources: readonly TargetFields[]): Target {
  const parsed = shape.safeParse(merged(sources));
  if (!parsed.success) throw new TargetError(`These are missing or not valid: ${namesOf(parsed.error)}.`);
  const { data } = parsed;
  const players = data.players.map(playerOf);
  const [main, second] = pairOf(players);
  return {
    url: urlOf(data.url ?? data.wallet_url ?? ''),
    bearerKey: data.bearer_key,
    hmacSecret: data.hmac_secret,
    operator: data.operator_id,
    brand: data.brand_id.includes(':') ? data.brand_id : `${data.operator_id}:${data.brand_id}`,
    provider: data.provider_id,
    main,
    second,
    others: players.filter(({ currency }) => currency !== main.currency),
    expiredToken: data.expired_token ?? null,
    revokedToken: data.revoked_token ?? null,
    timeoutMs: data.timeout_ms,
  };
}

function merged(sources: readonly TargetFields[]): TargetFields {
  const known = sources.map((source) =>
    Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== null)),
  );
  return Object.assign({}, ...known.reverse());
}

function namesOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ path }) => path.join('.')))].join(', ');
}

function urlOf(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new TargetError('The URL of the wallet is missing or not valid.');
  return text.replace(/\/+$/, '');
}

function playerOf(one: { readonly player_id: string; readonly token: string; readonly currency: string }) {
  const minorAtoms = minorUnitAtoms(minorUnitExponent(one.currency) ?? 2);
  return { id: one.player_id, token: one.token, currency: one.currency, minorAtoms };
}

function pairOf(players: readonly TestPlayer[]): readonly [TestPlayer, TestPlayer] {
  for (const first of players) {
    const second = players.find((one) => one.id !== first.id && one.currency === first.currency);
    if (second !== undefined) return [first, second];
  }
  throw new TargetError('The kit needs two players of the same currency.');
}
