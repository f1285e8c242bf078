import { members } from '../../src/lib/unknown-json.ts';
import { amountOf, describe, kindOf } from './kit/answers.ts';
import type { Exchange } from './kit/client.ts';
import type { Kit } from './kit/kit.ts';
import type { TestPlayer } from './kit/target.ts';

/** The wallet cannot be checked as it is configured. No money has moved. */
export class PreflightFailed extends Error {
  readonly code = 'preflight_failed';
  readonly retryable = false;
}

/** What a player had before the checks. */
export type Balances = ReadonlyMap<TestPlayer, bigint>;

/**
 * Asks W1 about each configured player, and moves no money. W1 must answer with exactly that player, currency
 * and a balance: otherwise the checks would move the money of another player.
 * @throws PreflightFailed
 */
export async function preflight(kit: Kit): Promise<Balances> {
  const { main, second, others } = kit.target;
  const balances = new Map<TestPlayer, bigint>();
  for (const player of [main, second, ...others]) balances.set(player, await balanceOfPlayer(kit, player));
  return balances;
}

async function balanceOfPlayer(kit: Kit, player: TestPlayer): Promise<bigint> {
  const exchange = await kit.authenticate(player);
  const fault = faultOfAnswer(kit, player, exchange) ?? faultOfIdentity(player, exchange);
  if (fault !== null) throw new PreflightFailed(`${fault}\nNothing was checked, and no money has moved.`);
  return amountOf(exchange, 'balance');
}

/** Why the answer is not one of W1. */
function faultOfAnswer({ target }: Kit, player: TestPlayer, exchange: Exchange): string | null {
  const { status, contentType, location, fault } = exchange;
  const asked = `POST ${new URL(target.url).origin}${exchange.path}`;
  if (fault !== null || status === null) return `${target.url} cannot be reached. ${fault ?? ''}`.trim();
  if (status === 401 || status === 403)
    return `${asked} answered ${status} to a correct request: the keys differ. Compare POTSTREAM_WALLET_BEARER_KEY and POTSTREAM_WALLET_HMAC_SECRET (\`bearer_key\` and \`hmac_secret\` of --config) with those of the wallet. The wallet computes the HMAC with the secret's text (UTF-8) over the raw body. If it means the token of ${player.id}: a bad token is 422, not ${status}.`;
  if (status === 404 || status === 405)
    return `${asked} answered ${status}: check url (the base, without /authenticate), and that the token of ${player.id} is known.`;
  if (status >= 300 && status < 400)
    return `${asked} answered ${status}, a redirect to ${location ?? 'nowhere'}: check url (the base, without /authenticate). Redirects are not followed.`;
  const kind = kindOf(exchange);
  if (kind === 'refused')
    return `${asked} refuses the token of ${player.id}: ${status} ${String(members(JSON.parse(exchange.text)).code)}. Log the player in, and check token, operator_id and brand_id.`;
  return kind === 'accepted'
    ? null
    : `${asked} answered ${status} with ${contentType === '' ? 'no Content-Type' : contentType}, and not as W1: ${describe(exchange)} Check url (the base, without /authenticate).`;
}

/** Why the answer is not about the player whose token it was. */
function faultOfIdentity(player: TestPlayer, exchange: Exchange): string | null {
  const { id, currency } = members(JSON.parse(exchange.text));
  if (id !== player.id)
    return `The token of ${player.id} is not that player's: W1 answered with \`id\` ${JSON.stringify(id)}. Check the tokens in players: two may be swapped.`;
  if (currency !== player.currency)
    return `${player.id} has currency ${player.currency} in the configuration: W1 answered with ${JSON.stringify(currency)}.`;
  return null;
}
