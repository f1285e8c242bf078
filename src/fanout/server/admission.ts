import { randomUUID } from 'node:crypto';
import { type ErrorCode, errorStatus } from '../../contracts/errors/codes.ts';
import type { AllowedOrigins } from '../../network/allowed-origins.ts';
import { pendingAdmissions } from '../base/limits.ts';
import type { FanoutMetrics } from '../base/metrics.ts';
import type { HttpAnswer } from '../engines/engine.ts';
import type { Admission, Feed, FeedPorts, UpgradeInput } from '../feeds/feed.ts';

export interface AdmissionPorts extends FeedPorts {
  readonly metrics: FanoutMetrics;
  readonly origins: Pick<AllowedOrigins, 'allows'>;
  elapsedMs(): number;
  /** Null when feeds can be served; otherwise what new sockets are told. */
  unready(): ErrorCode | null;
  readonly socketsLimit: number;
  /** Those among them whose client has not said who it is. */
  readonly unidentifiedLimit: number;
  /** Upgrades that wait for their token; counted here. */
  readonly admissions: { pending: number };
}

interface AdmissionInput extends UpgradeInput {
  /** Empty where the client sends none. */
  readonly origin: string;
  readonly host: string;
  /** The client's, as it is counted. */
  readonly address: string;
}

/** Whether an upgrade may go on. Every exception is a bug. */
export async function admissionOf(
  feed: Feed,
  ports: AdmissionPorts,
  input: AdmissionInput,
): Promise<Admission> {
  const { admissions } = ports;
  const early = earlyRefusal(feed, ports, input);
  if (early !== null) return refused(early);
  admissions.pending += 1;
  try {
    const admission = await feed.admit(ports, input);
    if (admission.kind === 'refused') return admission;
    // Others may have come while the token was looked at.
    if (isFull(ports) && !takesPlace(feed, ports)) return refused('overloaded');
    if (admission.kind === 'to_authenticate' && !mayAddUnidentified(ports, input.address))
      return refused('overloaded');
    if (admission.kind === 'admitted' && !ports.sockets.players.admits(admission.credential))
      return refused('too_many_connections');
    return admission;
  } finally {
    admissions.pending -= 1;
  }
}

function earlyRefusal(
  feed: Feed,
  ports: AdmissionPorts,
  { origin, host, parameters }: AdmissionInput,
): ErrorCode | null {
  const unready = ports.unready();
  if (unready !== null) return unready;
  const hasRoom = !isFull(ports) || (feed.isPublic !== true && ports.sockets.public.dispensable() !== null);
  if (!hasRoom || ports.admissions.pending >= pendingAdmissions) return 'overloaded';
  // Only browsers send an origin.
  if (!feed.checksOrigin || origin === '' || isOwnOrigin(origin, host)) return null;
  const [operator] = parameters;
  return ports.origins.allows(origin, operator === undefined ? null : [operator]) ? null : 'origin_forbidden';
}

/** Whether the page is the service's own; other pages need a cross-origin rule (docs/decisions/0230). */
function isOwnOrigin(origin: string, host: string): boolean {
  return host !== '' && (origin === `https://${host}` || origin === `http://${host}`);
}

function isFull({ sockets, socketsLimit }: AdmissionPorts): boolean {
  return sockets.connections.size >= socketsLimit;
}

/** A socket with a credential takes the place of a public one. */
function takesPlace(feed: Feed, { sockets, close }: AdmissionPorts): boolean {
  const dispensable = feed.isPublic === true ? null : sockets.public.dispensable();
  if (dispensable === null) return false;
  close(dispensable, 'overloaded');
  return true;
}

/** One address cannot hold all places: it gives one up to another address. */
function mayAddUnidentified({ sockets, unidentifiedLimit, close }: AdmissionPorts, address: string): boolean {
  const { unidentified } = sockets;
  if (unidentified.size < unidentifiedLimit) return true;
  const dispensable = unidentified.dispensableFor(address);
  if (dispensable === null) return false;
  unidentified.delete(dispensable);
  close(dispensable, 'overloaded');
  return true;
}

function refused(code: ErrorCode): Admission {
  return { kind: 'refused', code };
}

const messages: Partial<Record<ErrorCode, string>> = {
  feed_token_invalid: 'The token of the feed is missing or not valid.',
  owner_disabled: 'The operator or brand is disabled.',
  invalid_parameter: 'The query input currency is missing or not valid.',
  brand_not_found: 'There is no public feed of this brand.',
  rate_limited: 'Too many public feeds were opened.',
  currency_unknown: 'There is no such currency.',
  currency_not_supported: 'Values cannot be shown in this currency.',
  origin_forbidden: 'Pages of this origin may not open the feed.',
  too_many_attempts: 'Too many tokens of this address were not valid.',
  too_many_connections: 'Too many feed connections of this player or address are open.',
  wallet_unavailable: 'The wallet of the brand does not answer.',
  overloaded: 'Too many feed connections are open.',
  storage_unavailable: 'The feed is not ready yet.',
  shutting_down: 'The service is shutting down.',
  route_not_found: 'There is no such route.',
  upgrade_required: 'This route is a websocket of version 13.',
  malformed_http: 'The handshake is not valid (RFC 6455, 4.2.1).',
  internal_error: 'Something went wrong.',
};

/** The answer to an HTTP request of the feeds' port that is refused (docs/rules/http.md "Errors"). */
export function refusal(code: ErrorCode, retryAfterSeconds = 1): HttpAnswer {
  const status = errorStatus[code];
  const headers: [name: string, value: string][] = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Cache-Control', 'no-store'],
    ['X-Request-Id', randomUUID()],
  ];
  if (status === 429 || status === 503) headers.push(['Retry-After', String(retryAfterSeconds)]);
  if (status === 426) headers.push(['Upgrade', 'websocket'], ['Sec-WebSocket-Version', '13']);
  const body = JSON.stringify({ status_code: status, code, message: messages[code] ?? code });
  return { status, reason: reasonPhrases[status] ?? 'Error', headers, body };
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  422: 'Unprocessable Content',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};
