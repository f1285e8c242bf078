import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type Authenticator,
  type ConnectionOptions,
  credsAuthenticator,
  nkeyAuthenticator,
  type TlsOptions,
} from '@nats-io/nats-core';
import { isSecretFile } from '../../files/secret-file.ts';
import { LogError } from '../../ports.ts';
import { inboxPrefix } from '../base/names.ts';
import type { LogCredentials, LogSettings, LogTls } from '../roles/settings.ts';
import type { RefusedCredentials } from './refused-credentials.ts';
import { choiceOf } from './server-choice.ts';

const pingIntervalMs = 2_000;
const missedPings = 2;
const reconnectWaitMs = 100;
const reconnectJitterMs = 100;
const connectTimeoutMs = 2_000;

/**
 * Options for a connection that reconnects for ever; `purpose` becomes part of its name.
 * @throws LogError `misconfigured` if a secret file is unreadable or not of mode 0600
 */
export function connectionOptions(
  settings: LogSettings,
  purpose: string,
  refused: Pick<RefusedCredentials, 'retryMs'>,
): ConnectionOptions {
  return {
    servers: [...settings.servers],
    name: `${settings.name ?? 'potstream'} ${purpose}`,
    ...(settings.user === undefined ? {} : { user: settings.user }),
    ...(settings.password === undefined ? {} : { pass: settings.password }),
    ...(settings.credentials === undefined ? {} : asWho(settings.credentials)),
    ...(settings.tls === undefined ? {} : { tls: tlsOptions(settings) }),
    ...(settings.role === undefined ? {} : { inboxPrefix: inboxPrefix(settings.role) }),
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => refused.retryMs(reconnectWaitMs + Math.random() * reconnectJitterMs),
    pingInterval: pingIntervalMs,
    maxPingOut: missedPings,
    timeout: connectTimeoutMs,
    ...dialing(settings),
  };
}

/** The client alone would come back to the server that it leaves. */
function dialing(settings: LogSettings): Pick<ConnectionOptions, 'reconnectToServer'> {
  const choice = choiceOf(settings);
  return choice === null ? {} : { reconnectToServer: choice.dialer() };
}

type AsWho = Pick<ConnectionOptions, 'user' | 'pass' | 'authenticator'>;

/** Reads files at each connect: a new key works without a restart. */
function asWho(credentials: LogCredentials): AsWho {
  if (credentials.kind === 'password') return { user: credentials.user, pass: credentials.password };
  const file = credentials.kind === 'nkey' ? credentials.seedFile : credentials.file;
  readSecret(file);
  const authenticator: Authenticator =
    credentials.kind === 'nkey'
      ? nkeyAuthenticator(() => trimmed(readSecret(file)))
      : credsAuthenticator(() => readSecret(file));
  return { authenticator };
}

/** Node's options go through the client to `tls.connect`. */
type ClientTls = TlsOptions & {
  readonly checkServerIdentity: (name: string, certificate: PeerCertificate) => Error | undefined;
};

function tlsOptions({ servers, tls }: LogSettings): ClientTls {
  const { caFile, certificate } = tls as LogTls;
  return {
    ...(caFile === null ? {} : { caFile }),
    ...(certificate ?? {}),
    checkServerIdentity: identityCheck(servers),
  };
}

/**
 * The client does not say which address it connected to, and Node then looks for `localhost` in the
 * certificate. Where servers are given by addresses, the certificate must have one of them.
 */
function identityCheck(servers: readonly string[]): ClientTls['checkServerIdentity'] {
  const hosts = servers.map((server) => serverAddress(server).hostname);
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  return (name, certificate) => {
    if (hosts.includes(name) || addresses.length === 0) return checkServerIdentity(name, certificate);
    const faults = addresses.map((address) => checkServerIdentity(address, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

function readSecret(file: string): Buffer {
  let bytes: Buffer;
  let isSecret: boolean;
  try {
    bytes = readFileSync(file);
    isSecret = isSecretFile(statSync(file));
  } catch (cause) {
    throw new LogError('misconfigured', `${file} cannot be read: ${String(cause)}`, { cause });
  }
  if (!isSecret) throw new LogError('misconfigured', `${file} must have mode 0600.`);
  return bytes;
}

function trimmed(bytes: Buffer): Uint8Array {
  return Buffer.from(bytes.toString('latin1').trim(), 'latin1');
}

/** Host and port of a server as settings name it, with or without `nats://`. */
export function serverAddress(server: string): { readonly host: string; readonly hostname: string } {
  const text = server.trim();
  const { host, hostname } = new URL(text.includes('://') ? text : `nats://${text}`);
  return { host, hostname: hostname.replace(/^\[|\]$/g, '') };
}
