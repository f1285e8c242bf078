import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Values } from './settings.ts';
import { readTracing, tracingVariables } from './tracing.ts';

/** Fields that are made of several variables. */
export type ComposedSettings = Readonly<ReturnType<typeof compose>>;

/** The credentials of a process at nats-server: an nkey precedes a JWT, and a JWT a password. */
type NatsCredentials =
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'nkey'; readonly seedFile: string }
  | { readonly kind: 'credentials'; readonly file: string };

/** How commands log in at a gateway. No child process gets it. */
export type ClientSettings = Readonly<ReturnType<typeof clientOf>>;

/** A variable of the environment cannot be used. The message is for the person who set it. */
export class ConfigurationError extends Error {
  readonly code = 'configuration_invalid';
  readonly retryable = false;
}

/** @throws ConfigurationError if only one of certificate and key is set */
export function compose(values: Values) {
  const hostDirectory = resolve(values.POTSTREAM_HOST_DIRECTORY || values.POTSTREAM_DATA);
  return {
    natsCredentials: credentialsOf(values),
    natsTls: tlsOf(values),
    drawKeysDirectory: resolve(values.POTSTREAM_DRAW_KEYS || join(values.POTSTREAM_DATA, 'keys', 'draws')),
    hostDirectory,
    hostId: values.POTSTREAM_HOST_ID || hostIdOf(hostDirectory),
    tracing: readTracing(values),
    administratorClient: clientOf(values, 'ADMIN'),
    serviceClient: clientOf(values, 'SERVICE'),
  };
}

/** The variables of these fields, but for those of commands: a role logs in nowhere. */
export function variablesOf(settings: ComposedSettings): Record<string, string> {
  const { natsCredentials: credentials, natsTls: tls } = settings;
  return {
    POTSTREAM_NATS_USER: credentials?.kind === 'password' ? credentials.user : '',
    POTSTREAM_NATS_PASSWORD: credentials?.kind === 'password' ? credentials.password : '',
    POTSTREAM_NATS_NKEY_FILE: credentials?.kind === 'nkey' ? credentials.seedFile : '',
    POTSTREAM_NATS_CREDENTIALS_FILE: credentials?.kind === 'credentials' ? credentials.file : '',
    POTSTREAM_NATS_CA_FILE: tls?.caFile ?? '',
    POTSTREAM_NATS_CERT_FILE: tls?.certificate?.certFile ?? '',
    POTSTREAM_NATS_KEY_FILE: tls?.certificate?.keyFile ?? '',
    POTSTREAM_DRAW_KEYS: settings.drawKeysDirectory,
    POTSTREAM_HOST_ID: settings.hostId,
    POTSTREAM_HOST_DIRECTORY: settings.hostDirectory,
    ...tracingVariables(settings.tracing),
  };
}

function credentialsOf(values: Values): NatsCredentials | null {
  if (values.POTSTREAM_NATS_NKEY_FILE !== '')
    return { kind: 'nkey', seedFile: resolve(values.POTSTREAM_NATS_NKEY_FILE) };
  if (values.POTSTREAM_NATS_CREDENTIALS_FILE !== '')
    return { kind: 'credentials', file: resolve(values.POTSTREAM_NATS_CREDENTIALS_FILE) };
  if (values.POTSTREAM_NATS_USER === '') return null;
  return { kind: 'password', user: values.POTSTREAM_NATS_USER, password: values.POTSTREAM_NATS_PASSWORD };
}

function tlsOf(values: Values) {
  const {
    POTSTREAM_NATS_CA_FILE: caFile,
    POTSTREAM_NATS_CERT_FILE: certFile,
    POTSTREAM_NATS_KEY_FILE: keyFile,
  } = values;
  if ((certFile === null) !== (keyFile === null))
    throw new ConfigurationError(
      'POTSTREAM_NATS_CERT_FILE and POTSTREAM_NATS_KEY_FILE belong together: set both or neither.',
    );
  if (caFile === null && certFile === null) return null;
  return { caFile, certificate: certFile === null || keyFile === null ? null : { certFile, keyFile } };
}

function clientOf(values: Values, who: 'ADMIN' | 'SERVICE') {
  return {
    url: values[`POTSTREAM_${who}_URL`],
    username: values[`POTSTREAM_${who}_USERNAME`],
    password: values[`POTSTREAM_${who}_PASSWORD`],
    passwordFile: values[`POTSTREAM_${who}_PASSWORD_FILE`],
  };
}

const maxNameCharacters = 40;

function hostIdOf(hostDirectory: string): string {
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, maxNameCharacters);
  return `${name}-${createHash('sha256').update(hostDirectory).digest('hex').slice(0, 8)}`;
}
