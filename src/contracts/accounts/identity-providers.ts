import * as z from 'zod';
import { secret } from '../fields/secrets.ts';

/** `iss` of a provider, as it writes it itself: an address without a query. */
const issuerField = z.string().min(1).max(512);

/** An operator's identity provider (OpenID Connect). The secret is stated with each change. */
export const newIdentityProvider = z.strictObject({
  issuer: issuerField,
  client_id: z.string().min(1).max(256),
  client_secret: secret(z.string().min(1).max(1024)),
});

/** As it is shown: without its secret. */
export const identityProvider = z.strictObject({
  operator_id: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  /** What the provider has to allow as the return of a log-in; null: this system has no public address. */
  redirect_uri: z.string().nullable(),
});

/** `sub` of an account at the provider of its operator; `issuer`, where it is given, must be that one's. */
export const newIdentity = z.strictObject({
  issuer: issuerField.nullish(),
  // OpenID Connect Core 1.0, section 2.
  subject: z.string().regex(/^[\x20-\x7e]{1,255}$/),
});

/** How a log-in at an identity provider ended, as the console's address says it. */
export type LoginEnd = 'done' | 'expired' | 'refused' | 'unavailable' | 'too_many' | 'not_set_up';

/** What a provider may send back with a person; it may add more. */
export const providerReturn = z.looseObject({
  code: z.string().optional(),
  state: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
});
