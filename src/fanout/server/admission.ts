import type { ErrorCode } from '../../contracts/errors/codes.ts';
import type { AllowedOrigins } from '../../network/allowed-origins.ts';
import { pendingAdmissions } from '../base/limits.ts';
import type { FanoutMetrics } from '../base/metrics.ts';
import type { Admission, Feed, FeedPorts, UpgradeInput } from '../feeds/feed.ts';

export interface AdmissionPorts extends FeedPorts {
  readonly metrics: FanoutMetrics;
  readonly origins: Pick<AllowedOrigins, 'allows'>;
  elapsedMs(): number;
  /** Null when feeds can be served; otherwise what new sockets are told. */
  unready(): ErrorCode | null;
  readonly socketsLimit: number;
  /** Of them, those whose client has not said who it is. */
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
    if (isFull(ports)) return refused('overloaded');
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
  if (isFull(ports) || ports.admissions.pending >= pendingAdmissions) return 'overloaded';
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
