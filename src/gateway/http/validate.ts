import { Ajv, type ValidateFunction } from 'ajv';
import * as z from 'zod';
import type { ErrorCode } from '../../contracts/errors.ts';
import { isErrorCode, messageOf, PublicError } from '../errors.ts';

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

/** More faults of one input than this are not told. */
const mostFaults = 20;

/** The first fault gives the code, all are told: an administrator mends a template in one go. */
function publicErrorOf(issues: readonly z.core.$ZodIssue[], place: Place): PublicError {
  // The order of the checks: what is not well-formed comes before what a rule refuses.
  const malformed = issues.filter((issue) => !isErrorCode(issue.message));
  const ordered = [...malformed, ...issues.filter((issue) => isErrorCode(issue.message))];
  const first = ordered[0]?.message ?? '';
  const faults = new Set(ordered.slice(0, mostFaults).map(faultOf));
  return new PublicError(
    isErrorCode(first) ? first : codeOfPlace[place],
    [...faults].filter((fault) => fault !== '').join(' '),
  );
}

/** A sentence with the place of the fault; empty where the code's own message says as much. */
function faultOf(issue: z.core.$ZodIssue): string {
  const path = pathOf(issue.path);
  if (isErrorCode(issue.message)) return ruleOf(issue, path) ?? codeFault(issue.message, path);
  if (issue.code === 'unrecognized_keys') {
    return `Unknown field: ${path === '' ? '' : `${path}.`}${printable(issue.keys[0] ?? '')}.`;
  }
  return path === '' ? '' : `The field ${path} is missing or not valid.`;
}

function codeFault(code: ErrorCode, path: string): string {
  return path === '' ? messageOf(code) : `${path}: ${messageOf(code)}`;
}

/** What a shape says of a rule that is its own, with the place: `pots[0].supports_external_trigger must be …`. */
function ruleOf(issue: z.core.$ZodIssue, path: string): string | undefined {
  const rule: unknown = issue.code === 'custom' ? issue.params?.rule : undefined;
  return typeof rule === 'string' ? `${path} ${rule}.` : undefined;
}

/** `pots[0].contribution.Percentage`. Keys that are a caller's data (ids, codes of any form) are left out. */
function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return typeof part === 'string' && /^[A-Za-z_]{1,40}$/.test(part) ? `.${part}` : '';
    })
    .join('')
    .replace(/^\./, '');
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}
