// nginx and HAProxy, for the tests that run the examples of deploy/.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackPrograms } from './apt.mjs';
import { giveUp, print, root } from './set-up.mjs';

const variables = { nginx: 'POTSTREAM_NGINX', haproxy: 'POTSTREAM_HAPROXY' };
const home = join(root, '.potstream/balancers');

/**
 * The paths of both by the variables that name them, as an environment. On Debian and Ubuntu, copies of the
 * distribution's packages are fetched and unpacked below .potstream; the system is not changed. Where there are none,
 * their tests say that they were skipped — but never in CI.
 */
export function findBalancers() {
  let found = installed();
  if (Object.keys(found).length < Object.keys(variables).length && existsSync('/usr/bin/apt-get')) {
    print('Fetching nginx and HAProxy for the tests of deploy/ (once; below .potstream/balancers)…');
    const names = Object.keys(variables);
    unpackPrograms(home, names, (unpacked) => names.map((name) => join(unpacked, 'usr/sbin', name)));
    found = installed();
  }
  const missing = Object.values(variables).filter((variable) => !(variable in found));
  if (missing.length === 0) return found;
  const ways = `Install nginx and haproxy, or set ${missing.join(' and ')} to their paths.`;
  if (process.env.CI)
    giveUp(`The tests of deploy/ need nginx and HAProxy, and in CI they are not skipped. ${ways}`);
  print(`nginx or HAProxy is missing and cannot be fetched here: tests of deploy/ are skipped. ${ways}`);
  return found;
}

/** The named one, else the PATH's, else the private copy. */
function installed() {
  const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = {};
  for (const [name, variable] of Object.entries(variables)) {
    const named = process.env[variable];
    if (named && !existsSync(named)) giveUp(`${variable} names ${named}, which is not there.`);
    const candidates = named
      ? [named]
      : [...directories, join(home, 'bin')].map((place) => join(place, name));
    const path = candidates.find(existsSync);
    if (path !== undefined) found[variable] = path;
  }
  return found;
}
