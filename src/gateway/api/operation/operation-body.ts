import * as z from 'zod';
import { PublicError } from '../../base/errors.ts';
import { compileValidator, validateInput } from '../../base/validate.ts';
import type { Operation } from './operation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The body that an operation is given. Ids of the path that its shape does not name may be repeated in it
 * (docs/rules/http.md "Bodies"). `params`: as they were sent. @throws PublicError
 */
export function operationBody(operation: Operation, value: unknown, params: unknown): unknown {
  const { body: shape, plainBody } = operation.input;
  const own = withoutRepeatedIds(operation, value, params as Members);
  if (shape === undefined) return withoutBody(own);
  const plain = plainBody?.(own) ?? null;
  if (plain !== null) return plain;
  if (operation.limits?.bulk !== true) return validateInput(shape, 'body', own);
  const validate = bulkValidators.get(operation) ?? compileValidator(shape, 'body');
  bulkValidators.set(operation, validate);
  return validate(own);
}

const bulkValidators = new WeakMap<Operation, (value: unknown) => unknown>();

function withoutRepeatedIds(operation: Operation, body: unknown, params: Members): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const repeated = idsBesideShape(operation).filter((name) => Object.hasOwn(body, name));
  if (repeated.length === 0) return body;
  for (const name of repeated) {
    if (((body as Members)[name] ?? params[name]) !== params[name])
      throw new PublicError('invalid_request', `The ${name} in the body differs from the path.`);
  }
  return Object.fromEntries(Object.entries(body).filter(([name]) => !repeated.includes(name)));
}

const besideShape = new WeakMap<Operation, readonly string[]>();

/** Inputs of the path that the shape of the body does not name. Of a body that is no object: none. */
function idsBesideShape(operation: Operation): readonly string[] {
  let ids = besideShape.get(operation);
  if (ids === undefined) {
    const named = memberNames(operation.input.body);
    const inPath = Array.from(operation.path.matchAll(/\{([a-z_]+)\}/g), ([, name]) => name!);
    ids = named === null ? [] : inPath.filter((name) => !named.includes(name));
    besideShape.set(operation, ids);
  }
  return ids;
}

function memberNames(shape: z.ZodType | undefined): readonly string[] | null {
  if (shape === undefined) return [];
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return memberNames(shape.unwrap() as z.ZodType);
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : null;
}

function withoutBody(body: unknown): undefined {
  if (body !== undefined && body !== null && !isEmptyObject(body)) throw new PublicError('invalid_request');
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value as object).length === 0;
}
