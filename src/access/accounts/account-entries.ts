import * as z from 'zod';
import { administratorRoles } from '../../contracts/accounts/users.ts';
import { certificateMembers } from '../../contracts/directory/wallet-settings.ts';
import { secret } from '../../contracts/fields/secrets.ts';
import type { Random } from '../../ports.ts';

/** Values of KV ACCOUNTS: JSON. Keys are `<kind>.<base64url of the name>`. */
const authoredMembers = {
  /** Users who alone created or enabled it, or gave it a password or rights, in the last 30 days. */
  made_by: z.array(z.object({ by: z.string(), at: z.int() })).optional(),
  /** The last of these that a second administrator approved. */
  approved: z
    .object({ id: z.string(), proposed_by: z.string(), approved_by: z.string(), at: z.int() })
    .optional(),
};

const administrator = z.object({
  username: z.string(),
  password_hash: secret(z.string()),
  roles: z.array(z.enum(administratorRoles)),
  owners: z.array(z.string()),
  /** A disabled account cannot log in, and its tokens count no more. */
  enabled: z.boolean().default(true),
  /** Tokens carry it: those of a removed or changed account do not count. */
  generation: secret(z.string()),
  created: z.int(),
  /** Whom an identity provider knows it as; counts where `identities.ts` has the subject for it. */
  identity: z.object({ issuer: z.string(), subject: z.string() }).optional(),
  ...authoredMembers,
});

/** Where an operator's administrators may log in, named by the operator, see identity-providers.ts. */
const identityProvider = z.object({
  /** Another one for each change: the sessions that began before end. */
  id: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  sealed: secret(z.string()),
  updated: z.int(),
});

/** The account for which a subject of an operator's provider is reserved, see identities.ts. */
const reservedIdentity = z.object({ username: z.string(), created: z.int() });

const serviceUser = z.object({
  username: z.string(),
  password_hash: secret(z.string()),
  operator_id: z.string(),
  /** Brand paths; null: all brands of the operator. */
  brands: z.array(z.string()).nullable(),
  /** `serviceRights`; those of a later version do not count here. */
  rights: z.array(z.string()).optional(),
  enabled: z.boolean().default(true),
  generation: secret(z.string()),
  /** The generation that its signing keys carry: they outlive a change. Absent: the account never changed. */
  keys_generation: secret(z.string()).optional(),
  created: z.int(),
  ...authoredMembers,
});

const signingKey = z.object({
  kid: z.string(),
  /** Public JWK members of an Ed25519 key. */
  x: z.string(),
  /** The private member `d`, sealed with the label `signing-key.<kid>`. */
  sealed: secret(z.string()),
  created: z.int(),
});

/** How to reach the wallet of a brand (named by its path); both secrets are sealed, see brand-wallets.ts. */
const wallet = z.object({
  base_url: z.string(),
  provider_id: z.string(),
  close_rounds: z.boolean(),
  /** Entries of older versions lack it. */
  batch_debits: z.boolean().default(false),
  /** Decimal string in the brand's currency; null: no win waits for a person. */
  verification_limit: z.string().nullable(),
  bearer_sealed: secret(z.string()),
  hmac_sealed: secret(z.string()),
  updated: z.int(),
});

/** The last certificate of a brand's wallet (docs/rules/wallets.md "Certificates"). */
const certificate = z.object({ ...certificateMembers, recorded_by: z.string(), recorded_timestamp: z.int() });

/** The secret of the webhooks (O1) of an operator or brand, see webhook-secrets.ts. */
const webhookSecret = z.object({ sealed: secret(z.string()), updated: z.int() });

/** A key that a service user signs requests with, see request-keys.ts. */
const requestKey = z.object({
  key_id: z.string(),
  username: z.string(),
  /** The user's generation: the key ends with it. */
  generation: secret(z.string()),
  sealed: secret(z.string()),
  created: z.int(),
});

/** A revoked token, named by its `jti`, kept until it would have expired. */
const revocation = z.object({ expires: z.int() });

/** The second factor of an administrator, named by the username, see second-factors.ts. */
const secondFactor = z.object({
  id: z.string(),
  sealed: secret(z.string()),
  created: z.int(),
  /** The time step of the last code that was taken: no code of it or before is taken again. */
  used_step: secret(z.int()),
  /** Wrong codes of the hour that began at `since`. */
  wrong: secret(z.object({ since: z.int(), count: z.int() })),
});

/** When an account last logged in with its password, named `<kind> <username>`, see last-logins.ts. */
const login = z.object({ at: z.int() });

const schemas = {
  administrator,
  service: serviceUser,
  key: signingKey,
  wallet,
  certificate,
  webhook: webhookSecret,
  request: requestKey,
  revocation,
  login,
  factor: secondFactor,
  provider: identityProvider,
  identity: reservedIdentity,
} as const;

export type AccountKind = keyof typeof schemas;
/** The shapes of stored entries by their kind. */
export const accountShapes: Readonly<Record<AccountKind, z.ZodType>> = schemas;
export const accountKinds = Object.keys(schemas) as readonly AccountKind[];
export type AdministratorAccount = z.output<typeof administrator>;
export type ServiceAccount = z.output<typeof serviceUser>;
export type Authored = Pick<AdministratorAccount, keyof typeof authoredMembers>;
export type SigningKeyEntry = z.output<typeof signingKey>;
export type RequestKeyEntry = z.output<typeof requestKey>;
export type SecondFactorEntry = z.output<typeof secondFactor>;
export type IdentityProviderEntry = z.output<typeof identityProvider>;
export type AccountIdentity = NonNullable<AdministratorAccount['identity']>;
export type WalletEntry = z.output<typeof wallet>;
export type AccountValue<K extends AccountKind> = z.output<(typeof schemas)[K]>;

/** Present since the first administrator. No account kind has this key, so no account can take it. */
export const bootstrapKey = 'bootstrap.done';

/** The key of an entry in KV ACCOUNTS: `<kind>.<base64url of the name>`. */
export function accountKey(kind: AccountKind, name: string): string {
  return `${kind}.${Buffer.from(name, 'utf8').toString('base64url')}`;
}

/** Reads a key of KV ACCOUNTS; null for any other key, also of a kind that this version does not know. */
export function parseAccountKey(key: string): { readonly kind: AccountKind; readonly name: string } | null {
  const [kind, encoded, more] = key.split('.');
  if (kind === undefined || encoded === undefined || more !== undefined) return null;
  if (!Object.hasOwn(schemas, kind)) return null;
  return { kind: kind as AccountKind, name: Buffer.from(encoded, 'base64url').toString('utf8') };
}

/** The bytes of an entry: JSON in UTF-8. */
export function encodeAccount<K extends AccountKind>(_kind: K, value: AccountValue<K>): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** Reads an entry. @throws SyntaxError or ZodError if the bytes are not an entry of this kind */
export function decodeAccount<K extends AccountKind>(kind: K, bytes: Uint8Array): AccountValue<K> {
  return schemas[kind].parse(JSON.parse(Buffer.from(bytes).toString('utf8'))) as AccountValue<K>;
}

/** A random generation of an account, 9 bytes in base64url. Tokens and keys of an earlier one are refused. */
export function newGeneration(random: Random): string {
  return Buffer.from(random.bytes(9)).toString('base64url');
}

/** Ends the tokens of a changed account. Keys of a service user keep the generation they were made with. */
export function withNewGeneration<A extends AdministratorAccount | ServiceAccount>(
  account: A,
  random: Random,
): A {
  const generation = newGeneration(random);
  if (!('operator_id' in account)) return { ...account, generation };
  return { ...account, generation, keys_generation: keysGeneration(account) };
}

/** The generation that the signing keys of a service user carry. */
export function keysGeneration(account: ServiceAccount): string {
  return account.keys_generation ?? account.generation;
}
