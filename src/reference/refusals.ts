import { mayEver } from '../access/rights/authorize.ts';
import { administratorRoles } from '../contracts/accounts/users.ts';
import type { Authentication, OperationDescription } from './operation-description.ts';

/**
 * Every status with which an operation refuses: its own, and those of its method, callers and limits. A test
 * reaches each of them (test/reference/statuses.test.ts).
 */
export function refusalsOf(operation: OperationDescription): readonly number[] {
  const { authentication, method, isRepeatable, limits, refusals = [] } = operation;
  // Each of its lines has an error of its own.
  if (limits?.stream === true) return ofStreams;
  const statuses: number[] = [...ofEveryRequest, ...refusals];
  if (authentication.kind !== 'none') statuses.push(401);
  if (lacksARole(authentication) || asksForSecondFactor(operation)) statuses.push(403);
  if (method !== 'GET') statuses.push(...ofBodies);
  if (method !== 'GET' && isRepeatable !== true) statuses.push(504);
  if (isLimited(operation)) statuses.push(429);
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** A malformed or too large head, bugs, and a gateway that shuts down or waits for the log. */
const ofEveryRequest = [400, 414, 431, 500, 503] as const;
/** Statuses of a request that opens a stream. */
const ofStreams = [...ofEveryRequest, 401, 415, 429].sort((a, b) => a - b);
/** 422: a number in it is too large to be read. */
const ofBodies = [408, 413, 415, 422];

/** Whether administrators who have a second factor show it for the operation. */
export function asksForSecondFactor({ secondFactor, fourEyes }: OperationDescription): boolean {
  return secondFactor ?? fourEyes === true;
}

export function refusalResponses(statuses: readonly number[]): Record<string, unknown> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

/** Whether an administrator of some role may not call it. */
function lacksARole(authentication: Authentication): boolean {
  if (!('action' in authentication)) return false;
  const { action } = authentication;
  return administratorRoles.some((role) => !mayEver({ roles: new Set([role]) }, action));
}

/** Whether its requests are counted: by address, player token, administrator, operator or quota. */
function isLimited({ authentication, headers, method, surface, limits }: OperationDescription): boolean {
  if (method === 'GET' && (surface === 'frontend' || surface === 'public')) return true;
  if (headers?.includes('X-Player-Token') === true) return true;
  if (method !== 'GET' && 'action' in authentication) return true;
  return limits?.perOperator === true || limits?.contribution === true;
}
