import type { z } from 'zod';
import type { WalletRefusal } from './operations.ts';

const messages = {
  unauthenticated: 'The bearer key or the signature is not valid.',
  invalid_json: 'The body is not valid JSON.',
  route_not_found: 'There is nothing at this path.',
  method_not_allowed: 'The path does not take this method.',
  payload_too_large: 'The body is too large.',
  amount_out_of_range: 'The amount is out of range.',
  player_not_found: 'There is no such player.',
  token_not_found: 'There is no such token.',
} as const;

export function refused(status: WalletRefusal['status'], code: keyof typeof messages): WalletRefusal {
  return { status, code, message: messages[code] };
}

/** Names the first field that is wrong, and never repeats what it held. */
export function invalid(error: z.ZodError): WalletRefusal {
  const path = error.issues[0]?.path.join('.') ?? '';
  const message = path === '' ? 'The body is not valid.' : `The field ${path} is missing or not valid.`;
  return { status: 400, code: 'invalid_request', message };
}
