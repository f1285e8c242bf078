import * as z from 'zod';
import { administratorRoles } from '../../contracts/accounts/users.ts';

/** Pinned in every token of ours (docs/rules/http.md "Callers"). */
export const tokenIssuer = 'potstream';
export const tokenType = 'at+jwt';
export const tokenAlgorithm = 'EdDSA';
export const tokenLifetimeSeconds = 15 * 60;

/** How long after the password check a token can be renewed. */
export const sessionLifetimeSeconds = 24 * 3_600;

export type TokenAudience = 'operator' | 'feed' | 'admin';

const common = {
  sub: z.string().min(1),
  jti: z.string().min(1),
  iat: z.int(),
  exp: z.int(),
  generation: z.string(),
  /** The session, named by the `jti` of its first token. Absent: this token is the first. */
  sid: z.string().min(1).optional(),
  /** When the password was checked, in seconds; absent: when the token was issued. */
  auth_time: z.int().optional(),
};

/** Claims that every token has. */
export interface TokenClaims {
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly generation: string;
  readonly sid?: string | undefined;
  readonly auth_time?: number | undefined;
}

export const serviceClaims = z.object({
  ...common,
  operator_id: z.string().min(1),
  brands: z.array(z.string()).nullable(),
  /** Absent: none. */
  rights: z.array(z.string()).optional(),
});

export const administratorClaims = z.object({
  ...common,
  roles: z.array(z.enum(administratorRoles)),
  owners: z.array(z.string()),
  /** Which second factor was shown, and when, in seconds. */
  second_factor: z.object({ id: z.string(), at: z.int() }).optional(),
  /** The session began at this operator's identity provider, as that was set then. */
  provider: z.object({ operator_id: z.string(), id: z.string() }).optional(),
});
