import { apiSubject, tableStream } from '../base/names.ts';
import type { ServerError } from './server-errors.ts';

const nanosPerMs = 1_000_000;
/** A leader hears every second of each replica that it reaches. */
const maxSilenceMs = 3_500;

/** What nats-server says of the copies of a stream; absent without a cluster. */
export interface ClusterState {
  readonly leader?: string;
  readonly replicas?: readonly { readonly active: number; readonly offline?: boolean }[];
}

/**
 * Whether a majority of the copies speaks here. A server that is cut off from its cluster answers from its
 * own copy, at first as a leader that hears no other and then without a leader: what it says may be old.
 */
export function isOfMajority({ leader, replicas = [] }: ClusterState = {}): boolean {
  if (replicas.length === 0) return true;
  const observed = replicas.filter(
    ({ active, offline }) => offline !== true && active <= maxSilenceMs * nanosPerMs,
  );
  return leader !== undefined && 2 * (observed.length + 1) > replicas.length + 1;
}

/** Every role may ask for them. Their leaders usually differ: one election is no lost cluster. */
const streams = [tableStream('PLACEMENT'), tableStream('ACCOUNTS')];
const unavailable = 503;

interface Answer {
  readonly cluster?: ClusterState;
  readonly error?: ServerError;
}

/** The `n`th question whether a server has a cluster, as subject. */
export function clusterQuestion(n: number): string {
  return apiSubject(`STREAM.INFO.${streams[n % streams.length]}`);
}

export const clusterQuestions = streams.length;

/** Any answer of a majority will do, also that there is no such stream. */
export function answersForCluster({ cluster, error }: Answer): boolean {
  return error === undefined ? isOfMajority(cluster) : error.code !== unavailable;
}
