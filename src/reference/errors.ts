import { type ErrorCode, errorStatus } from '../contracts/errors/codes.ts';
import type { JsonSchema } from './json-schema.ts';

/** Every error of the list, by status: the shared responses and schemas of the document. */
const codesByStatus: ReadonlyMap<number, readonly ErrorCode[]> = groupCodes();

/** One schema a status (docs/rules/http.md "Errors"). */
export function errorSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      `Error${status}`,
      {
        type: 'object',
        properties: {
          status_code: { type: 'integer', const: status },
          code: { type: 'string', enum: codes },
          message: { type: 'string' },
        },
        required: ['status_code', 'code', 'message'],
        additionalProperties: false,
      },
    ]),
  );
}

export function errorResponses(): Record<string, unknown> {
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      `Error${status}`,
      {
        description: codes.map((code) => `\`${code}\``).join(', '),
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          ...headersOf(status),
        },
        content: { 'application/json': { schema: { $ref: `#/components/schemas/Error${status}` } } },
      },
    ]),
  );
}

function headersOf(status: number): Record<string, unknown> {
  // 409 tells it only where the first request is still in progress.
  if (status === 429 || status === 503 || status === 409)
    return { 'Retry-After': { $ref: '#/components/headers/Retry-After' } };
  if (status === 405) return { Allow: { $ref: '#/components/headers/Allow' } };
  return {};
}

function groupCodes(): ReadonlyMap<number, readonly ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(errorStatus))
    groups.set(status, [...(groups.get(status) ?? []), code as ErrorCode]);
  return new Map([...groups].sort(([a], [b]) => a - b));
}
