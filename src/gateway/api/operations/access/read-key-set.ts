import * as z from 'zod';
import { defineOperation } from '../../operation/operation.ts';

/** The public keys that verify our tokens (RFC 7517). */
export const readKeySetOperation = defineOperation({
  id: 'jwks',
  name: 'JSON Web Key Set',
  method: 'GET',
  path: '/.well-known/jwks.json',
  surface: 'public',
  authentication: { kind: 'none' },
  input: {},
  output: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
  async handle(_request, { access }) {
    return { status: 200, body: access.jwks() };
  },
});
