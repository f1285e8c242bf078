import * as z from 'zod';
import { minorUnitAtoms, minorUnitExponent } from '../../../src/lib/currencies.ts';
import { items, members } from '../../../src/lib/unknown-json.ts';

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

const player = z.object({ player_id: name, token: z.string().min(1), currency: name });

/** Visible ASCII: it travels in a header. */
const bearerKey = z.string().regex(/^[\x21-\x7e]+$/);

/** Members of the configuration; `credentials.json` of the demo is one, with the keys beside it. */
const shape = z.object({
  url: z.string().optional(),
  wallet_url: z.string().nullish(),
  bearer_key: bearerKey,
  hmac_secret: z.string().regex(/^[^\r\n]+$/),
  operator_id: name,
  brand_id: name,
  provider_id: name.default('potstream'),
  players: z.array(player).max(100),
  expired_token: z.string().min(1).nullish(),
  revoked_token: z.string().min(1).nullish(),
  timeout_ms: z.coerce.number().int().min(1).max(600_000).default(2_000),
});

/** Where the members come from that have no flag, or another one. */
const origins: Readonly<Record<string, string>> = {
  url: 'the first argument, or `url` of --config',
  bearer_key: 'POTSTREAM_WALLET_BEARER_KEY, or `bearer_key` of --config',
  hmac_secret: 'POTSTREAM_WALLET_HMAC_SECRET, or `hmac_secret` of --config',
  operator_id: '--operator, or `operator_id` of --config',
  brand_id: '--brand, or `brand_id` of --config',
  players: '--player, or `players` of --config: each needs player_id, currency and token',
};
const keyNames = ['bearer_key', 'hmac_secret'] as const;

export type TargetFields = Readonly<Record<string, unknown>>;

/**
 * Puts together what flags, files and the environment say; earlier ones outrank later ones.
 * @throws TargetError
 */
export function readTarget(...sources: readonly TargetFields[]): Target {
  const fields = merged(sources);
  ensureNoLineBreaks(fields);
  const parsed = shape.safeParse(fields);
  if (!parsed.success) throw new TargetError(faultsOf(fields, parsed.error));
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

/**
 * The members of a configuration file.
 * @throws TargetError if it has others: a misspelt member would silently count for nothing
 */
export function readTargetFile(path: string, text: string): TargetFields {
  const fields = members(jsonOf(path, text));
  // `credentials.json` of the demo has more members, and `wallet_url` instead of `url`.
  const unknown = 'wallet_url' in fields ? [] : unknownNames(fields, Object.keys(shape.shape));
  for (const [index, one] of items(fields.players ?? []).entries()) {
    const names = unknownNames(members(one), Object.keys(player.shape));
    unknown.push(...names.map((each) => `players.${index}.${each}`));
  }
  if (unknown.length > 0)
    throw new TargetError(`${path} has members that are not known: ${unknown.join(', ')}.`);
  return fields;
}

function faultsOf(fields: TargetFields, error: z.ZodError): string {
  const paths = [...new Set(error.issues.map(({ path }) => path.join('.')))];
  const isMissing = (path: string): boolean => !path.includes('.') && fields[path] === undefined;
  const lines = paths.map((path) => {
    const origin = origins[path.split('.')[0] ?? ''];
    const fault = `${path} is ${isMissing(path) ? 'missing' : 'not valid'}`;
    return origin === undefined ? `${fault}.` : `${fault} (${origin}).`;
  });
  return ['The configuration cannot be used:', ...lines].join('\n  ');
}

function ensureNoLineBreaks(fields: TargetFields): void {
  for (const name of keyNames) {
    const value = fields[name];
    if (typeof value === 'string' && /[\r\n]/.test(value))
      throw new TargetError(
        `${name} has a line break in it, perhaps at its end: remove it (${origins[name]}).`,
      );
  }
}

function urlOf(text: string): string {
  const isUrl = /^https?:\/\//.test(text) && URL.canParse(text);
  if (isUrl && !/[?#]/.test(text)) return text.replace(/\/+$/, '');
  const shown = text === '' ? 'missing' : `not valid: "${text}"`;
  throw new TargetError(
    `The URL of the wallet is ${shown}. It begins with http:// or https:// and has no query (${origins.url}).`,
  );
}

function playerOf(one: { readonly player_id: string; readonly token: string; readonly currency: string }) {
  const minorAtoms = minorUnitAtoms(minorUnitExponent(one.currency) ?? 2);
  return { id: one.player_id, token: one.token, currency: one.currency, minorAtoms };
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TargetError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function unknownNames(fields: TargetFields, known: readonly string[]): string[] {
  return Object.keys(fields).filter((each) => !known.includes(each));
}

function pairOf(players: readonly TestPlayer[]): readonly [TestPlayer, TestPlayer] {
  for (const first of players) {
    const second = players.find((one) => one.id !== first.id && one.currency === first.currency);
    if (second !== undefined) return [first, second];
  }
  throw new TargetError(`The kit needs two players of the same currency (${origins.players}).`);
}
