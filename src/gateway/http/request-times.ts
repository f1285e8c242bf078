import type { ServerResponse } from 'node:http';
import { type RequestKind, requestDurations } from '../base/request-durations.ts';

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
