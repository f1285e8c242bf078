import type { ErrorCode } from '../../contracts/errors/codes.ts';
import type { TicketContent } from '../../contracts/feeds/tickets.ts';
import { currencyFault } from '../../directory/shown-money.ts';
import type { Connection } from '../connections/connection.ts';
import { type Credential, playerOf } from '../connections/credentials.ts';
import { playersScope, serviceScope } from '../scope/scope.ts';
import type { FeedPorts, Identified, Refused } from './feed.ts';

export type Identification = ({ readonly kind: 'admitted' } & Identified) | Refused;

/** Whose a player's token is. `currency` null: the client named none. */
export async function identifyPlayer(
  { readModel, credentials }: Pick<FeedPorts, 'readModel' | 'credentials'>,
  asked: {
    readonly brand: string;
    readonly currency: string | null;
    readonly token: string;
    readonly address: string;
  },
): Promise<Identification> {
  const { brand, currency, token, address } = asked;
  // A brand that is unknown or has no wallet has no player tokens.
  if (readModel.brand(brand)?.wallet !== true) return refusedWith('feed_token_invalid');
  if (currency === null) return refusedWith('invalid_parameter');
  const fault = currencyFault(readModel, brand, currency);
  if (fault !== null) return refusedWith(fault);
  const verdict = await credentials.player(brand, currency, token, { kind: 'frontend', address });
  switch (verdict.kind) {
    case 'refused':
      return refusedWith('feed_token_invalid');
    case 'unknown':
      return refusedWith('wallet_unavailable');
    case 'busy':
      return refusedWith('overloaded');
    case 'limited':
      return { ...refusedWith('too_many_attempts'), retryAfterSeconds: verdict.retryAfterSeconds };
    case 'verified': {
      const scope = playersScope(readModel, brand, currency);
      return scope.enabled()
        ? { kind: 'admitted', credential: verdict.credential, scope }
        : refusedWith('owner_disabled');
    }
  }
}

/** Whose a ticket of the brand is. It is used from now on, whatever becomes of the socket. */
export async function identifyTicket(
  ports: FeedPorts,
  { brand, ticket, address }: { readonly brand: string; readonly ticket: string; readonly address: string },
): Promise<Identification> {
  const redeemed = await ports.tickets.redeem(ticket, address);
  if (redeemed.kind === 'limited')
    return { ...refusedWith('too_many_attempts'), retryAfterSeconds: redeemed.retryAfterSeconds };
  if (redeemed.kind === 'unknown') return refusedWith('overloaded');
  if (redeemed.kind === 'refused' || redeemed.content.brand !== brand)
    return refusedWith('feed_token_invalid');
  const found = await holderOf(ports, redeemed.content, address);
  const { instances } = redeemed.content;
  return found.kind === 'admitted' && instances !== null
    ? { ...found, instances: new Set(instances) }
    : found;
}

async function holderOf(
  ports: FeedPorts,
  { brand, currency, holder }: TicketContent,
  address: string,
): Promise<Identification> {
  if (holder.kind === 'player') {
    const { token, player } = holder;
    const found = await identifyPlayer(ports, { brand, currency, token, address });
    const isOther = found.kind === 'admitted' && playerOf(found.credential)?.player !== player;
    return isOther ? refusedWith('feed_token_invalid') : found;
  }
  const { readModel, credentials } = ports;
  const credential = credentials.onWordOf({ brand, ...holder });
  if (credential === null || readModel.brand(brand) === undefined) return refusedWith('feed_token_invalid');
  const fault = currencyFault(readModel, brand, currency);
  if (fault !== null) return refusedWith(fault);
  const scope = playersScope(readModel, brand, currency);
  return scope.enabled() ? { kind: 'admitted', credential, scope } : refusedWith('owner_disabled');
}

/** Whose a service's token is. */
export async function identifyService(ports: FeedPorts, token: string): Promise<Identification> {
  const identified = await serviceOf(ports, token);
  if (identified === null) return refusedWith('feed_token_invalid');
  return identified.scope.enabled() ? { kind: 'admitted', ...identified } : refusedWith('owner_disabled');
}

/** RefreshTokenRequest: the same owner shows a newer token. One that does not hold ends the connection. */
export function renewToken(ports: FeedPorts, connection: Connection, token: string): void {
  closeOnError(ports, connection, renew(ports, connection, token));
}

async function renew(ports: FeedPorts, connection: Connection, token: string): Promise<void> {
  const { credential } = connection;
  // Only a token can be replaced by one.
  if (credential === null || connection.verifying || !hasToken(credential))
    return ports.close(connection, 'bad_message');
  connection.verifying = true;
  const renewed = await reidentify(ports, credential, token, connection.address);
  connection.verifying = false;
  if (connection.socket === null || connection.closing !== null) return;
  // A wallet that does not answer takes nothing away from a token that still counts.
  if (renewed === 'unknown') return;
  if (renewed === null) return ports.close(connection, 'unauthenticated');
  ports.sockets.renew(connection, renewed.credential, renewed.scope);
}

/** These say nothing about the token. */
const undecided: ReadonlySet<ErrorCode> = new Set(['wallet_unavailable', 'overloaded', 'too_many_attempts']);

type TokenCredential = Extract<Credential, { kind: 'service' | 'player' }>;

function hasToken(credential: Credential): credential is TokenCredential {
  return credential.kind === 'service' || credential.kind === 'player';
}

async function reidentify(
  ports: FeedPorts,
  credential: TokenCredential,
  token: string,
  address: string,
): Promise<Identified | null | 'unknown'> {
  if (credential.kind === 'service') {
    const found = await serviceOf(ports, token);
    const isSame =
      found?.credential.kind === 'service' &&
      found.credential.principal.operator === credential.principal.operator;
    return isSame ? found : null;
  }
  const { brand, currency, player } = credential;
  const found = await identifyPlayer(ports, { brand, currency, token, address });
  if (found.kind === 'refused') return undecided.has(found.code) ? 'unknown' : null;
  return found.credential.kind === 'player' && found.credential.player === player ? found : null;
}

/** null: the token does not hold. */
async function serviceOf({ credentials, readModel }: FeedPorts, token: string): Promise<Identified | null> {
  const credential = await credentials.service(token);
  return credential === null ? null : { credential, scope: serviceScope(readModel, credential.principal) };
}

/** An error of what one connection asked for ends that connection, and no other. */
export function closeOnError(ports: FeedPorts, connection: Connection, work: Promise<void>): void {
  work.catch((error: unknown) => {
    ports.alarm('A connection met a bug.', error);
    ports.close(connection, 'overloaded');
  });
}

export function refusedWith(code: ErrorCode): Refused {
  return { kind: 'refused', code };
}
