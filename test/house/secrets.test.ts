import { expect, test } from 'vitest';
import type * as z from 'zod';
import { accountShapes } from '../../src/access/accounts/account-entries.ts';
import { directoryShapes } from '../../src/contracts/directory/directory.ts';
import { definitionOf, innerOf, isSecret } from '../../src/contracts/fields/secrets.ts';
import { operations } from '../../src/gateway/api/operations/index.ts';

/** A member that sounds like a secret is marked as one, or is public for a reason. docs/rules/audit.md "Entries" */

const sounds =
  /pass|secret|token|salt|bearer|private|seal|generation|credential|hmac|signature|hash|nonce|(^|_)keys?$/i;

const publicMembers: Readonly<Record<string, string>> = {
  configuration_hash: 'the SHA-256 of rules that are published',
  idempotency_key: 'names a request of its caller, and opens nothing',
  keys: 'the JWKS has public keys only',
  passed: 'counts the checks of a wallet that it passed',
  token_id: 'the jti by which a token is revoked; nobody logs in with it',
};

const shapes: readonly (readonly [where: string, shape: z.ZodType])[] = [
  ...operations.flatMap(({ method, path, input, output }) => {
    const { params, query, body } = input;
    const all = [params, query, body, output === 'empty' ? undefined : output];
    return all.flatMap((shape) => (shape === undefined ? [] : [[`${method} ${path}`, shape] as const]));
  }),
  ...Object.entries(directoryShapes).map(([kind, shape]) => [`directory ${kind}`, shape] as const),
  ...Object.entries(accountShapes).map(([kind, shape]) => [`account ${kind}`, shape] as const),
];

test('each member that sounds like a secret is marked, or public for a reason', () => {
  const found = shapes.flatMap(([where, shape]) => unmarked(shape).map((name) => `${name}: ${where}`));
  const names = new Set(found.map((text) => text.slice(0, text.indexOf(':'))));
  expect(found.filter((text) => publicMembers[text.slice(0, text.indexOf(':'))] === undefined)).toEqual([]);
  expect(Object.keys(publicMembers).filter((name) => !names.has(name))).toEqual([]);
});

/** Members of the shape, at any depth, that sound like a secret and are not marked. */
function unmarked(shape: z.ZodType, within = new Set<z.ZodType>()): readonly string[] {
  if (isSecret(shape) || within.has(shape)) return [];
  within.add(shape);
  const { shape: members = {}, element, valueType, catchall, items = [], rest } = definitionOf(shape);
  const own = Object.entries(members).flatMap(([name, member]) => [
    ...(sounds.test(name) && !isSecret(member) ? [name] : []),
    ...unmarked(member, within),
  ]);
  const inner = [...innerOf(shape), element, valueType, catchall, ...items, rest];
  return [...own, ...inner.flatMap((each) => (each ? unmarked(each, within) : []))];
}
