import * as z from 'zod';
import { brandField, ownIdField } from '../fields/identifier-fields.ts';
import { secret } from '../fields/secrets.ts';

/** Roles of administrators (docs/rules/http.md "Callers"). */
export const administratorRoles = [
  'viewer',
  'support',
  'config',
  'finance',
  'security',
  'auditor',
  'operations',
] as const;
export type AdministratorRole = (typeof administratorRoles)[number];

/** What a service user may be given leave for, beside what every service may (docs/rules/http.md "Users"). */
const serviceRights = ['cors', 'reports', 'webhooks'] as const;
export type ServiceRight = (typeof serviceRights)[number];

/** Log-ins and service users (docs/rules/http.md "Callers"). */
const loginNameField = z.string().min(1).max(256);
const passwordField = secret(z.string().min(1).max(1024));
const token = secret(z.string());

/** Names of service users and administrators, with `@operator_id` where they have it. */
export const usernameField = z.string().regex(/^[A-Za-z0-9_.@+-]{1,129}$/, 'invalid_identifier');

/** Body of O25 and of an administrator's log-in. */
export const credentials = z.strictObject({ username: loginNameField, password: passwordField });

/** The answer of O25. */
export const serviceToken = z.strictObject({ token });
/** `expires_in` in seconds. */
export const administratorToken = z.strictObject({ token, expires_in: z.int() });

/** The answer of a change of the own credentials; without `token` it is in the session's cookie. */
export const ownToken = administratorToken.partial({ token: true });

/** Who an administrator is, by the token of the request. */
export const ownAccount = z.strictObject({
  subject: z.string(),
  username: z.string(),
  roles: z.array(z.enum(administratorRoles)),
  /** Operators, brand paths, or `*` for the whole system. */
  owners: z.array(z.string()),
  /** The only operator; null: there are several, or it is the whole system. */
  owner_id: z.string().nullable(),
  /** Brand paths; null: every brand of its owners. */
  brands: z.array(z.string()).nullable(),
  /** When the token ends, and when its session can no longer be renewed. */
  expires: z.int(),
  session_expires: z.int(),
  /** `is_required`: what moves money asks for it. `valid_until`: of the last code; null: there was none. */
  second_factor: z.strictObject({
    is_enrolled: z.boolean(),
    is_required: z.boolean(),
    valid_until: z.int().nullable(),
  }),
});

/** Six digits of an authenticator app (RFC 6238). */
const factorCode = secret(z.string().regex(/^[0-9]{6}$/));
const enrolmentId = secret(z.string().min(1).max(2048));

export const factorProof = z.strictObject({ code: factorCode });

/** `expires_in` of the token in seconds; a page has the token in its cookie. */
export const steppedUp = ownToken.extend({ valid_until: z.int() });

/** `code` of the present factor, where there is one. */
export const newFactor = z.strictObject({ current_password: passwordField, code: factorCode.nullish() });

/** What an authenticator app takes, shown this once: `secret` in base 32, `uri` for a QR code. */
export const factorEnrolment = z.strictObject({
  enrolment_id: enrolmentId,
  secret: secret(z.string()),
  uri: secret(z.string()),
});

export const enrolledFactor = z.strictObject({ enrolment_id: enrolmentId, code: factorCode });

/** Passwords have 8 to 256 characters; a weaker new one is `secret_too_weak`. */
export const passwordChange = z.strictObject({
  current_password: passwordField,
  new_password: passwordField,
});

/** The brands or owners of a user are claims of its token, which has to fit into a header. */
const maxClaimCharacters = 2400;
const brands = z.array(brandField).min(1).max(1000);
const rights = z.array(z.enum(serviceRights)).max(100);

/** A service user to create. */
export const newServiceUser = z.strictObject({
  username: usernameField,
  password: passwordField,
  operator_id: ownIdField,
  /** Brand paths or bare brands of the operator; absent: all of them, those to come included. */
  brands: brands.nullish(),
  /** Absent: none. */
  rights: rights.nullish(),
});

/** What an administrator changes of a service user; absent members stay as they are. */
export const serviceUserChange = z.strictObject({
  password: passwordField.nullish(),
  brands: brands.nullish(),
  rights: rights.nullish(),
  enabled: z.boolean().nullish(),
});

/** A key for signed requests: 16 to 1,024 characters that the caller has chosen; absent: one is made. */
export const newRequestKey = z
  .strictObject({ secret: secret(z.string().min(1).max(1024)).nullish() })
  .nullish();

/** A key for signed requests; its secret is shown this once, and not if the caller has chosen it. */
export const requestKey = z.strictObject({ key_id: z.string(), secret: secret(z.string()).optional() });

/** A service user as it is shown; `brands` null: all of the operator's. */
export const serviceUser = z.strictObject({
  username: z.string(),
  operator_id: z.string(),
  brands: z.array(z.string()).nullable(),
  rights: z.array(z.string()),
  /** Ids of its signing keys. */
  key_ids: z.array(z.string()),
  enabled: z.boolean(),
  created_timestamp: z.int(),
  last_login_timestamp: z.int().nullable(),
});

const grantedRoles = z.array(z.enum(administratorRoles)).min(1).max(100);
/** Operators, brand paths, or `*` for the whole system. */
const grantedOwners = z
  .array(z.string().regex(/^(?:\*|[A-Za-z0-9_-]{1,64}(?::[A-Za-z0-9_-]{1,64})?)$/, 'invalid_identifier'))
  .min(1)
  .max(1000);

/** An administrator to create. */
export const newAdministrator = z.strictObject({
  username: usernameField,
  password: passwordField,
  roles: grantedRoles,
  owners: grantedOwners,
});

/** What another administrator changes; absent members stay as they are. */
export const administratorChange = z.strictObject({
  password: passwordField.nullish(),
  roles: grantedRoles.nullish(),
  owners: grantedOwners.nullish(),
  enabled: z.boolean().nullish(),
});

/** An administrator as it is shown. */
export const administrator = z.strictObject({
  username: z.string(),
  roles: z.array(z.enum(administratorRoles)),
  owners: z.array(z.string()),
  enabled: z.boolean(),
  has_second_factor: z.boolean(),
  /** Whom an identity provider knows it as; null: it logs in with its password alone. */
  identity: z.strictObject({ issuer: z.string(), subject: z.string() }).nullable(),
  created_timestamp: z.int(),
  last_login_timestamp: z.int().nullable(),
});

/** Whether the names fit into the claims of a token. */
export function fitsClaims(names: readonly string[]): boolean {
  return JSON.stringify(names).length <= maxClaimCharacters;
}
