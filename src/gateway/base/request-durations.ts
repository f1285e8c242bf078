import { Durations } from '../../lib/durations.ts';

/** What a caller waits for: one of a closed list, because each is a series of metrics. */
export type RequestKind = 'contribution' | 'lookup' | 'administration' | 'other';

const boundsSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** From a request's head to its answer, in this process. */
export const requestDurations: Readonly<Record<RequestKind, Durations>> = {
  contribution: new Durations(boundsSeconds),
  lookup: new Durations(boundsSeconds),
  administration: new Durations(boundsSeconds),
  other: new Durations(boundsSeconds),
};
