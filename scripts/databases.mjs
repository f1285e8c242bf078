// Postgres, which the tests of the books write to, and Redis: bench/yardsticks/peers puts what users would build before both.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackPrograms } from './apt.mjs';
import { giveUp, print, root } from './set-up.mjs';

const home = join(root, '.potstream/databases');
const postgresHome = 'usr/lib/postgresql';

/**
 * The directory of Postgres' programs and the path of redis-server (or valkey-server) by the variables that name them, as an environment.
 * On Debian and Ubuntu, copies of the distribution's packages are fetched and unpacked below .potstream; the system is not
 * changed, and the packages of a database that is installed are not fetched.
 */
export function findDatabases() {
  return found({ POTSTREAM_POSTGRES: 'postgresql', POTSTREAM_REDIS: 'redis-server' });
}

/** The same of Postgres alone, for the tests of the books. */
export function findPostgres() {
  return found({ POTSTREAM_POSTGRES: 'postgresql' });
}

/** By the variables of these packages, which are fetched where they are missing. */
function found(packages) {
  const missing = () => Object.keys(packages).filter((variable) => !(variable in installed()));
  const names = missing().map((variable) => packages[variable]);
  if (names.length > 0 && existsSync('/usr/bin/apt-get')) {
    print(`Fetching ${names.join(' and ')} (once; below .potstream/databases)…`);
    for (const name of names) unpackPrograms(join(home, name), [name], programsOf);
  }
  const still = missing();
  if (still.length > 0)
    print(`A database is missing and cannot be fetched here. Install it, or set ${still.join(' and ')}.`);
  return Object.fromEntries(Object.entries(installed()).filter(([variable]) => variable in packages));
}

/** The named one, else the newest installed, else the PATH's, else the private copy. */
function installed() {
  const path = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/bin', '/usr/bin'];
  const postgres = first('POTSTREAM_POSTGRES', [
    ...versions('/').filter((directory) => existsSync(join(directory, 'initdb'))),
    ...path.filter((directory) => existsSync(join(directory, 'initdb'))),
    join(home, 'postgresql/bin'),
  ]);
  const redis = first('POTSTREAM_REDIS', [
    ...path.flatMap((directory) => [join(directory, 'redis-server'), join(directory, 'valkey-server')]),
    join(home, 'redis-server/bin/redis-server'),
  ]);
  return { ...postgres, ...redis };
}

function first(variable, candidates) {
  const named = process.env[variable];
  if (named && !existsSync(named)) giveUp(`${variable} names ${named}, which is not there.`);
  const path = named || candidates.find(existsSync);
  return path === undefined ? {} : { [variable]: path };
}

/** The programs of an unpacked package that are started. */
function programsOf(unpacked) {
  const [postgres] = versions(unpacked);
  if (postgres !== undefined) return [join(postgres, 'initdb'), join(postgres, 'postgres')];
  return [join(unpacked, 'usr/bin/redis-server')];
}

/** The directories of Postgres' programs, the newest version first. */
function versions(below) {
  const directory = join(below, postgresHome);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).sort((one, other) => Number(other) - Number(one));
  return names.map((name) => join(directory, name, 'bin'));
}
