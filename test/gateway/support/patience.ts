import { httpLimits } from '../../../src/gateway/http/limits.ts';

/** Longer than any test: what a busy machine is slow at is not late. */
export const patientMs = 240_000;

const limits: { handlerTimeoutMs: number } = httpLimits;
const { handlerTimeoutMs } = limits;
let patient = 0;

/** No request of this process' gateways is answered for being late, until the returned function is called. */
export function neverLate(): () => void {
  patient += 1;
  limits.handlerTimeoutMs = patientMs;
  return () => {
    patient -= 1;
    if (patient === 0) limits.handlerTimeoutMs = handlerTimeoutMs;
  };
}
