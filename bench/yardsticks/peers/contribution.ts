/** A contribution as the services of this folder read it. Money is whole millionths of its currency. */
export interface Contribution {
  readonly key: string;
  readonly instance: string;
  readonly player: string;
  readonly gameround: string;
  readonly currency: string;
  readonly wagerMicros: number;
  /** 1 % of the wager, rounded down: what goes to the pots. */
  readonly potsMicros: number;
  readonly metadata: unknown;
}

/** What a store keeps of one that it has taken, and gives again where its key is repeated. */
export interface Taken {
  readonly potsMicros: number;
  readonly takenAtMs: number;
}

/** Every contribution goes to these by percent, each rounded down; the house pot gets what is left. */
export const sharesPercent = { mini: 30, major: 30, grand: 35 } as const;

const microsPerUnit = 1_000_000;
const potsDivisor = 100;
const maxFieldLength = 255;

/** What is wrong with a request; its message is for the caller. */
export class Refusal extends Error {}

interface BodyOfO8 {
  readonly player_id: unknown;
  readonly player_country: unknown;
  readonly gameround_id?: unknown;
  readonly base_wager: unknown;
  readonly currency: unknown;
  readonly idempotency_key: unknown;
  readonly brand_id: unknown;
  readonly token: unknown;
  readonly metadata?: unknown;
}

/** Reads the body of O8. @throws Refusal, SyntaxError */
export function readContribution(instance: string, text: string): Contribution {
  const body = JSON.parse(text) as BodyOfO8;
  if (typeof body !== 'object' || body === null) throw new Refusal('the body is no object');
  requireText(body.token, 'token');
  requireText(body.brand_id, 'brand_id');
  requireText(body.player_country, 'player_country');
  return contributionOf(
    instance,
    body.idempotency_key,
    body.player_id,
    body.gameround_id,
    body.currency,
    body.base_wager,
    body.metadata,
  );
}

interface LineOfStream {
  readonly ref: unknown;
  readonly target: { readonly type: unknown; readonly id: unknown };
  readonly source: { readonly id: unknown };
  readonly player: Readonly<Record<'id' | 'token' | 'country' | 'brand_id', unknown>>;
  readonly base_wager: { readonly currency: unknown; readonly value: unknown };
  readonly metadata?: unknown;
  readonly options: { readonly idempotency_key: unknown };
}

/** Reads a line of the contribution stream. @throws Refusal, SyntaxError */
export function readLine(line: string): { readonly ref: unknown; readonly contribution: Contribution } {
  const { ref, target, source, player, base_wager, metadata, options } = JSON.parse(line) as LineOfStream;
  if (!target || !source || !player || !base_wager || !options) throw new Refusal('a member is missing');
  if (target.type !== 'instance') throw new Refusal('target.type is not instance');
  requireText(player.token, 'player.token');
  requireText(player.brand_id, 'player.brand_id');
  requireText(player.country, 'player.country');
  const contribution = contributionOf(
    requireText(target.id, 'target.id'),
    options.idempotency_key,
    player.id,
    source.id,
    base_wager.currency,
    base_wager.value,
    metadata,
  );
  return { ref, contribution };
}

/** The result of O8 and of a line. */
export function resultOf(
  { instance, gameround, currency, metadata }: Contribution,
  { potsMicros, takenAtMs }: Taken,
): object {
  return {
    instance_id: instance,
    timestamp: takenAtMs,
    gameround_id: gameround,
    win_amount: 0,
    win_pot_id: null,
    tickets_awarded: 0,
    win_withheld: false,
    contribution_currency: currency,
    contribution_amount: potsMicros / microsPerUnit,
    bonus_amount_used: 0,
    metadata,
  };
}

function contributionOf(
  instance: string,
  key: unknown,
  player: unknown,
  gameround: unknown,
  currency: unknown,
  wager: unknown,
  metadata: unknown,
): Contribution {
  const wagerMicros = readMicros(wager);
  return {
    key: requireText(key, 'idempotency_key'),
    instance,
    player: requireText(player, 'player_id'),
    gameround: gameround === undefined ? '' : requireText(gameround, 'gameround_id'),
    currency: requireText(currency, 'currency'),
    wagerMicros,
    potsMicros: Math.floor(wagerMicros / potsDivisor),
    metadata,
  };
}

function readMicros(value: unknown): number {
  const micros = Math.round(Number(value) * microsPerUnit);
  if (!Number.isSafeInteger(micros) || micros <= 0) throw new Refusal('base_wager is no amount');
  return micros;
}

function requireText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxFieldLength) return value;
  throw new Refusal(`${name} is missing or too long`);
}
