import { resolve } from 'node:path';
import { z } from 'zod';

/** A variable of the environment cannot be used. The message is for the person who set it. */
export class ConfigurationError extends Error {
  readonly code = 'configuration_invalid';
  readonly retryable = false;
}

/** The variables of `config.ts` with which a process reaches nats-server. */
export const natsShape = {
  POTSTREAM_NATS_URL: z
    .string()
    .min(1)
    .default('nats://127.0.0.1:4222')
    .describe('address of nats-server; up starts its own'),
  POTSTREAM_NATS_MONITOR_URL: z
    .string()
    .default('')
    .describe(
      "base URLs of nats-servers' monitoring ports, separated by commas; actors start only if each that answers syncs every message; empty: they cannot check that",
    ),
  POTSTREAM_NATS_USER: z.string().default('').describe('user at nats-server'),
  POTSTREAM_NATS_PASSWORD: z.string().default('').describe('password of that user'),
  POTSTREAM_NATS_NKEY_FILE: z
    .string()
    .default('')
    .describe('file (mode 0600) with the seed of an nkey, instead of user and password'),
  POTSTREAM_NATS_CREDENTIALS_FILE: z
    .string()
    .default('')
    .describe('file (mode 0600) with a JWT and its seed, instead of user and password'),
  POTSTREAM_NATS_CA_FILE: z
    .string()
    .default('')
    .describe('file with the certificates to trust at nats-server; setting it requires TLS'),
  POTSTREAM_NATS_CERT_FILE: z
    .string()
    .default('')
    .describe("file with this process' certificate, if nats-server verifies clients"),
  POTSTREAM_NATS_KEY_FILE: z.string().default('').describe('file with the key of that certificate'),
};

/** The credentials of a process at nats-server. If several are set, the nkey precedes the JWT, and the JWT the password. */
export type NatsCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'nkey'; readonly seedFile: string }
  | { readonly kind: 'credentials'; readonly file: string };

export type NatsTls = {
  readonly caFile: string | null;
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
};

/** The parsed variables of `natsShape` that concern credentials and TLS. */
type Values = Readonly<
  Record<
    `POTSTREAM_NATS_${'USER' | 'PASSWORD' | 'NKEY_FILE' | 'CREDENTIALS_FILE' | 'CA_FILE' | 'CERT_FILE' | 'KEY_FILE'}`,
    string
  >
>;

export function natsCredentials(values: Values): NatsCredentials | null {
  if (values.POTSTREAM_NATS_NKEY_FILE !== '')
    return { kind: 'nkey', seedFile: resolve(values.POTSTREAM_NATS_NKEY_FILE) };
  if (values.POTSTREAM_NATS_CREDENTIALS_FILE !== '')
    return { kind: 'credentials', file: resolve(values.POTSTREAM_NATS_CREDENTIALS_FILE) };
  if (values.POTSTREAM_NATS_USER === '') return null;
  return {
    kind: 'password',
    user: values.POTSTREAM_NATS_USER,
    password: values.POTSTREAM_NATS_PASSWORD,
  };
}

/** @throws ConfigurationError if only one of certificate and key is set */
export function natsTls(values: Values): NatsTls | null {
  const [caFile, certFile, keyFile] = [
    values.POTSTREAM_NATS_CA_FILE,
    values.POTSTREAM_NATS_CERT_FILE,
    values.POTSTREAM_NATS_KEY_FILE,
  ].map((path) => (path === '' ? '' : resolve(path))) as [string, string, string];
  if ((certFile === '') !== (keyFile === ''))
    throw new ConfigurationError(
      'POTSTREAM_NATS_CERT_FILE and POTSTREAM_NATS_KEY_FILE belong together: set both or neither.',
    );
  if (caFile === '' && certFile === '') return null;
  return { caFile: caFile || null, certificate: certFile === '' ? null : { certFile, keyFile } };
}

export function environmentOfCredentials(credentials: NatsCredentials | null): Record<string, string> {
  return {
    POTSTREAM_NATS_USER: credentials?.kind === 'password' ? credentials.user : '',
    POTSTREAM_NATS_PASSWORD: credentials?.kind === 'password' ? credentials.password : '',
    POTSTREAM_NATS_NKEY_FILE: credentials?.kind === 'nkey' ? credentials.seedFile : '',
    POTSTREAM_NATS_CREDENTIALS_FILE: credentials?.kind === 'credentials' ? credentials.file : '',
  };
}
