import type { ServerResponse } from 'node:http';
import { Durations } from '../../lib/durations.ts';
import type { Operation } from '../operation.ts';

/** What a caller waits for: one of a closed list, because each is a series of metrics. */
export type RequestKind = 'contribution' | 'lookup' | 'administration' | 'other';

const boundsSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A contribution is one here whichever front reads it. */
export function requestKindOf({ method, surface }: Operation, isContribution: boolean): RequestKind {
  if (isContribution) return 'contribution';
  if (surface === 'admin') return 'administration';
  return method === 'GET' ? 'lookup' : 'other';
}

/** From a request's head to its answer, in this process. */
export const requestDurations: Readonly<Record<RequestKind, Durations>> = {
  contribution: new Durations(boundsSeconds),
  lookup: new Durations(boundsSeconds),
  administration: new Durations(boundsSeconds),
  other: new Durations(boundsSeconds),
};

interface Timed {
  [kindKey]?: RequestKind;
  [beganKey]?: number;
}

const kindKey = Symbol('kind');
const beganKey = Symbol('began');

/** A request of Node's server begins. */
export function beginRequest(response: ServerResponse): void {
  (response as Timed)[beganKey] = performance.now();
}

/** Its route is known. */
export function nameRequest(response: ServerResponse, kind: RequestKind): void {
  (response as Timed)[kindKey] = kind;
}

/** It is answered. */
export function endRequest(response: ServerResponse): void {
  const { [beganKey]: beganMs, [kindKey]: kind = 'other' } = response as Timed;
  if (beganMs !== undefined) requestDurations[kind].observe((performance.now() - beganMs) / 1000);
}
