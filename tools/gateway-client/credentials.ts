import { join } from 'node:path';
import type { ClientSettings } from '../../src/config/composed.ts';
import { readJsonFile } from '../../src/files/json-file.ts';
import { readSecretFile } from '../../src/files/secret-file.ts';
import { askHidden } from './hidden-input.ts';

/** Where a system is, and who logs in: an administrator or a service user. */
export interface GatewayLogin {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
}

/** The options of a command. A password is never one: other users of a machine see command lines. */
export interface LoginChoices {
  readonly url?: string;
  readonly username?: string;
  readonly passwordFile?: string;
}

/** The command lacks something, or may not use it. The message is for its user. */
export class CredentialsError extends Error {}

const maxPasswordLength = 1024;

/** As whom a command logs in. */
interface Login {
  readonly noun: string;
  /** The member of `credentials.json`. */
  readonly member: 'admin' | 'service';
  /** How the variables of the environment begin. */
  readonly prefix: string;
}

const administrator: Login = { noun: 'administrator', member: 'admin', prefix: 'POTSTREAM_ADMIN' };
const service: Login = { noun: 'service user', member: 'service', prefix: 'POTSTREAM_SERVICE' };

/**
 * Options precede the environment, and the environment `credentials.json` of the data directory. The password
 * of that file is only used at the address and for the user that it names. Without a password, a terminal is
 * asked.
 * @throws CredentialsError
 */
export function administratorCredentials(
  dataDirectory: string,
  environment: ClientSettings,
  choices: LoginChoices,
): Promise<GatewayLogin> {
  return credentialsOf(administrator, dataDirectory, environment, choices);
}

/** As `administratorCredentials`, for a service user. @throws CredentialsError */
export function serviceCredentials(
  dataDirectory: string,
  environment: ClientSettings,
  choices: LoginChoices,
): Promise<GatewayLogin> {
  return credentialsOf(service, dataDirectory, environment, choices);
}

async function credentialsOf(
  { noun, member, prefix }: Login,
  dataDirectory: string,
  environment: ClientSettings,
  choices: LoginChoices,
): Promise<GatewayLogin> {
  const local = localSystem(dataDirectory, member);
  const url = addressOf(choices.url ?? environment.url ?? local.url, prefix);
  const isLocal = local.url !== null && url.href === new URL(local.url).href;
  const username = choices.username ?? environment.username ?? (isLocal ? local.username : null);
  if (username === null) throw new CredentialsError(`Name the ${noun}: --username, or ${prefix}_USERNAME.`);
  const stored = isLocal && username === local.username ? local.password : null;
  const password =
    passwordOfFile(choices.passwordFile) ??
    environment.password ??
    passwordOfFile(environment.passwordFile) ??
    stored ??
    (await askHidden(`Password of ${username} at ${url.host}: `));
  if (password === null || password === '')
    throw new CredentialsError(
      `A password is missing: set ${prefix}_PASSWORD, name a file with --password-file, or use a terminal.`,
    );
  return { url, username, password };
}

/** Plain HTTP only within this machine: the password is in the first request. */
function addressOf(text: string | null, prefix: string): URL {
  if (text === null) throw new CredentialsError(`Name the gateway's address: --url, or ${prefix}_URL.`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new CredentialsError(`${text} is not an address such as https://jackpots.example.`);
  const isLoopback = /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isLoopback)
    throw new CredentialsError(`${url.host} is another machine: use https, a password would be readable.`);
  return url;
}

function passwordOfFile(path: string | null | undefined): string | null {
  if (path === null || path === undefined) return null;
  const text = readSecretFile(path, (message) => new CredentialsError(message));
  if (text === null) throw new CredentialsError(`${path} does not exist.`);
  const password = text.replace(/\r?\n$/, '');
  if (password === '' || password.length > maxPasswordLength)
    throw new CredentialsError(`${path} must hold a password, and nothing else.`);
  return password;
}

interface LocalSystem {
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
}

/** The system that `potstream up` runs with this data directory. */
function localSystem(dataDirectory: string, member: Login['member']): LocalSystem {
  const stored = (readJsonFile(join(dataDirectory, 'credentials.json')) ?? {}) as {
    readonly [name in Login['member']]?: { readonly username?: unknown; readonly password?: unknown };
  } & { readonly base_url?: unknown };
  const { base_url: url, [member]: user } = stored;
  return {
    url: typeof url === 'string' && URL.canParse(url) ? url : null,
    username: typeof user?.username === 'string' ? user.username : null,
    password: typeof user?.password === 'string' ? user.password : null,
  };
}
