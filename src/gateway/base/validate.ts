import { Ajv, type ValidateFunction } from 'ajv';
import * as z from 'zod';
import { type ErrorCode, errorStatus } from '../../contracts/errors/codes.ts';
import { isErrorCode, messageOf, PublicError } from './errors.ts';

export type InputPlace = 'params' | 'query' | 'body';

const codeOfPlace: Readonly<Record<InputPlace, ErrorCode>> = {
  params: 'invalid_parameter',
  query: 'invalid_parameter',
  body: 'invalid_request',
};

/** Parses an input. @throws PublicError with the code of the place, or the one that the schema names. */
export function validateInput(schema: z.ZodType, place: InputPlace, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw publicErrorOf(parsed.error.issues, place);
}

/** The schemas are zod's: compiling Ajv's own to check them takes longer than all of theirs. */
const ajv = new Ajv({
  strict: false,
  allErrors: false,
  coerceTypes: false,
  meta: false,
  validateSchema: false,
});
const compiled = new WeakMap<z.ZodType, ValidateFunction>();

/**
 * A compiled validator for the most used routes: accepts what the schema accepts, and changes nothing. The
 * schema itself gives the error of what is refused. A schema is compiled once in a process.
 */
export function compileValidator(schema: z.ZodType, place: InputPlace): (value: unknown) => unknown {
  const accepts =
    compiled.get(schema) ??
    ajv.compile(z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }));
  compiled.set(schema, accepts);
  return (value) => {
    if (accepts(value)) return value;
    validateInput(schema, place, value);
    throw new PublicError(codeOfPlace[place]);
  };
}

const maxFaults = 20;

/**
 * The first fault gives the code, and all are listed: an administrator corrects a template in one go
 * (docs/decisions/0004).
 */
function publicErrorOf(issues: readonly z.core.$ZodIssue[], place: InputPlace): PublicError {
  const ordered = issues.toSorted((a, b) => rankOf(codeOf(a, place)) - rankOf(codeOf(b, place)));
  const code = ordered[0] === undefined ? codeOfPlace[place] : codeOf(ordered[0], place);
  const faults = new Set(ordered.slice(0, maxFaults).flatMap((issue) => faultsOf(issue, place)));
  return new PublicError(code, [...faults].slice(0, maxFaults).join(' '));
}

function codeOf(issue: z.core.$ZodIssue, place: InputPlace): ErrorCode {
  return isErrorCode(issue.message) && issue.message !== 'invalid_request'
    ? issue.message
    : codeOfPlace[place];
}

/** The order of checks: malformed input comes before a rule that refuses. */
function rankOf(code: ErrorCode): number {
  if (code === 'invalid_request' || code === 'invalid_parameter') return 0;
  return errorStatus[code] === 400 ? 1 : 2;
}

/** Sentences with the place of the fault; empty if the message of the code says as much. */
function faultsOf(issue: z.core.$ZodIssue, place: InputPlace): readonly string[] {
  const path = pathOf(issue.path);
  const rule = ruleOf(issue);
  if (rule !== null) return [`${path} ${rule}.`];
  const code = codeOf(issue, place);
  if (code !== codeOfPlace[place]) return [path === '' ? messageOf(code) : `${path}: ${messageOf(code)}`];
  if (issue.code === 'unrecognized_keys') {
    const before = path === '' ? '' : `${path}.`;
    return issue.keys.slice(0, maxFaults).map((key) => `Unknown field: ${before}${printable(key)}.`);
  }
  return path === '' ? [] : [`The field ${path} is missing or not valid.`];
}

/** What a shape says of a rule that is its own: `must be true exactly where …`. */
function ruleOf(issue: z.core.$ZodIssue): string | null {
  const rule: unknown = issue.code === 'custom' ? issue.params?.rule : null;
  return typeof rule === 'string' ? rule : null;
}

/** `pots[0].contribution.Percentage`. Keys that are a caller's data are left out. */
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
