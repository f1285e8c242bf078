import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { StartError } from '../../runtime/start-error.ts';
import { fetchFromDebian } from './fetch-from-debian.ts';
import { type Inspection, inspectNatsServer } from './inspect.ts';
import { wantedVersions } from './version.ts';

type FindOptions = {
  /** The path in POTSTREAM_NATS_SERVER, or null. If it is set, nothing else is tried. */
  readonly namedPath: string | null;
  /** The directories to search, as in PATH. */
  readonly searchPath: string;
  /** Where a private copy is, or is put. */
  readonly privatePath: string;
  /** Progress for the person at the terminal. */
  readonly print: (line: string) => void;
};

type FoundNatsServer = Extract<Inspection, { kind: 'suitable' }>;

/**
 * Finds a nats-server that we can run on: the named one, else the PATH's, else the private copy, else a
 * private copy fetched now.
 * @throws StartError `nats_server_missing` or `nats_server_unsuitable`, with all that was tried.
 */
export async function findNatsServer(options: FindOptions): Promise<FoundNatsServer> {
  if (options.namedPath !== null) {
    const named = await inspectNatsServer(options.namedPath);
    if (named.kind === 'suitable') return named;
    throw new StartError(
      'nats_server_unsuitable',
      `POTSTREAM_NATS_SERVER cannot be used: ${named.reason}. Set it to a nats-server ${wantedVersions}, or unset it: ` +
        'Potstream then searches the PATH, and fetches one on Debian and Ubuntu.',
    );
  }
  const reasons: string[] = [];
  for (const path of await installedPaths(options)) {
    const found = await inspectNatsServer(path);
    if (found.kind === 'suitable') return found;
    reasons.push(found.reason);
  }
  const fetched = await fetchFromDebian(options.privatePath, options.print);
  if (fetched.kind === 'suitable') return fetched;
  reasons.push(fetched.reason);
  throw new StartError(
    reasons.length > 1 ? 'nats_server_unsuitable' : 'nats_server_missing',
    missingMessage(reasons),
  );
}

async function installedPaths(options: FindOptions): Promise<string[]> {
  const directories = options.searchPath.split(delimiter).filter((directory) => directory !== '');
  // Debian installs it where only root's PATH looks.
  const candidates = [...directories, '/usr/sbin', '/usr/local/sbin'].map((directory) =>
    join(directory, 'nats-server'),
  );
  const paths: string[] = [];
  for (const path of new Set([...candidates, options.privatePath])) {
    if (await isExecutable(path)) paths.push(path);
  }
  return paths;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function missingMessage(reasons: readonly string[]): string {
  return [
    `Potstream needs nats-server ${wantedVersions} and found none: ${reasons.join('; ')}.`,
    'Ways to get one: "brew install nats-server" on macOS; the package nats-server of Debian forky or later;',
    'the releases of github.com/nats-io/nats-server; or "go install github.com/nats-io/nats-server/v2@latest".',
    'Then put it on the PATH, or set POTSTREAM_NATS_SERVER to its path.',
  ].join(' ');
}
