import * as z from 'zod';
import { roles } from './principal.ts';

/** Pinned in every token of ours (http.md, "Who may call"). */
export const tokenIssuer = 'potstream';
export const tokenType = 'at+jwt';
export const tokenAlgorithm = 'EdDSA';
export const tokenLifetimeSeconds = 15 * 60;

export type Audience = 'operator' | 'feed' | 'admin';

const common = {
  sub: z.string().min(1),
  jti: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
  generation: z.string(),
};

export const serviceClaims = z.object({
  ...common,
  operator_id: z.string().min(1),
  brands: z.array(z.string()).nullable(),
});

export const administratorClaims = z.object({
  ...common,
  roles: z.array(z.enum(roles)),
  owners: z.array(z.string()),
});
