import { randomBytes } from 'node:crypto';

const prefix = randomBytes(9).toString('base64url');
let counter = 0;

/** New for every answer: random for the process, counted within it. */
export function nextRequestId(): string {
  counter += 1;
  return `${prefix}-${counter.toString(36)}`;
}
