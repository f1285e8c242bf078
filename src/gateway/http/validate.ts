import { Ajv, type ValidateFunction } from 'ajv';
import * as z from 'zod';
import type { ErrorCode } from '../../contracts/errors.ts';
import { isErrorCode, PublicError } from '../errors.ts';

export type Place = 'params' | 'query' | 'body';

const codeOfPlace: Readonly<Record<Place, ErrorCode>> = {
  params: 'invalid_parameter',
  query: 'invalid_parameter',
  body: 'invalid_request',
};

/** Parses an input. @throws PublicError with the code of the place, or the one that the schema names. */
export function validateInput(schema: z.ZodType, place: Place, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw publicErrorOf(parsed.error.issues, place);
}

/**
 * A compiled validator for the routes that are called most: it accepts what the schema accepts and changes nothing. What it
 * refuses the schema itself is asked about, for the same error as everywhere.
 */
export function compileValidator(schema: z.ZodType, place: Place): (value: unknown) => unknown {
  const accepts: ValidateFunction = new Ajv({ strict: false, allErrors: false, coerceTypes: false }).compile(
    z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
  );
  return (value) => {
    if (accepts(value)) return value;
    validateInput(schema, place, value);
    throw new PublicError(codeOfPlace[place]);
  };
}

function publicErrorOf(issues: readonly z.core.$ZodIssue[], place: Place): PublicError {
  // The order of the checks: what is not well-formed comes before what a rule refuses.
  const issue = issues.find((candidate) => !isErrorCode(candidate.message)) ?? issues[0];
  if (issue === undefined) return new PublicError(codeOfPlace[place]);
  if (isErrorCode(issue.message)) return new PublicError(issue.message, ruleOf(issue));
  if (issue.code === 'unrecognized_keys') {
    return new PublicError(codeOfPlace[place], `Unknown field: ${printable(issue.keys[0] ?? '')}.`);
  }
  const path = issue.path.filter((part) => typeof part === 'string' && /^[a-z_]{1,40}$/.test(part));
  if (path.length === 0) return new PublicError(codeOfPlace[place]);
  return new PublicError(codeOfPlace[place], `The field ${path.join('.')} is missing or not valid.`);
}

/** What a shape says of a rule that is its own, with the place: `pots[0].supports_external_trigger must be …`. */
function ruleOf(issue: z.core.$ZodIssue): string | undefined {
  const rule: unknown = issue.code === 'custom' ? issue.params?.rule : undefined;
  if (typeof rule !== 'string') return undefined;
  const path = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return `${path.replace(/^\./, '')} ${rule}.`;
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}
