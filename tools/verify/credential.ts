import { readFile } from 'node:fs/promises';
import { SourceError } from './source-error.ts';

/** What opens the epochs of an operator that does not show them to everybody. */
export interface Credential {
  readonly token: string;
  /** The path of the brand whose player's token it is; null: it is a service's or an administrator's. */
  readonly brand: string | null;
}

/**
 * The token of the file, else of the environment: a flag would show it to everybody on the machine. @throws
 * SourceError
 */
export async function readCredential(
  { tokenFile, brand }: { readonly tokenFile: string | null; readonly brand: string | null },
  environmentToken: string | undefined,
): Promise<Credential | null> {
  const given = tokenFile === null ? (environmentToken ?? '') : await textOf(tokenFile);
  const token = given.trim();
  if (token === '' && tokenFile === null) return null;
  // Its text is not repeated, as an error of the request would.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new SourceError('The token is none that a header could carry.');
  return { token, brand };
}

/** Headers of a request that shows it. */
export function headersOf(credential: Credential | null): Record<string, string> {
  if (credential === null) return {};
  const { brand, token } = credential;
  return brand === null ? { authorization: `Bearer ${token}` } : { 'x-player-token': token };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new SourceError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
