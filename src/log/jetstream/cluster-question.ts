import { apiSubject, tableStream } from '../base/names.ts';
import { type ClusterState, isOfMajority } from './cluster-state.ts';
import type { ServerError } from './server-errors.ts';

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
