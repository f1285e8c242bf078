import * as z from 'zod';

/** 4xx that say something of the way to the other side, not of the request. */
const undecided = new Set([401, 403, 408, 425, 429]);

/** The shape of every error, ours and the other side's. */
const errorBody = z.looseObject({ status_code: z.int(), code: z.string(), message: z.string() });

export interface DefiniteRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/**
 * The refusal that an answer is: 4xx with the shape of an error. null: it is none (docs/rules/wallets.md
 * "Answers").
 */
export function definiteRefusal(status: number, text: string): DefiniteRefusal | null {
  if (!mayRefuse(status)) return null;
  const error = errorBody.safeParse(parsed(text));
  return error.success ? { status, code: error.data.code, message: error.data.message } : null;
}

function mayRefuse(status: number): boolean {
  return status >= 400 && status <= 499 && !undecided.has(status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
