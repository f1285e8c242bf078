// nginx and HAProxy, for the tests that run the examples of deploy/.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { unpackPackages } from './apt.mjs';
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
    fetchPackages();
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

function fetchPackages() {
  const work = mkdtempSync(join(tmpdir(), 'potstream-balancers-'));
  try {
    if (unpackPackages(work, ['nginx', 'haproxy'])) writePrograms(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Puts the unpacked files in place in one step, with a program for each that finds its libraries there. */
function writePrograms(work) {
  const libraries = spawnSync('find', [join(work, 'root'), '-name', '*.so*'], { encoding: 'utf8' });
  const directories = [...new Set(libraries.stdout.split('\n').filter(Boolean).map(dirname))];
  const places = directories.map((directory) => directory.replace(work, home));
  mkdirSync(join(work, 'bin'));
  for (const name of Object.keys(variables)) {
    const program = join(work, 'bin', name);
    const path = [...places, '$LD_LIBRARY_PATH'].join(':');
    writeFileSync(
      program,
      `#!/bin/sh\nLD_LIBRARY_PATH="${path}" exec "${home}/root/usr/sbin/${name}" "$@"\n`,
    );
    chmodSync(program, 0o755);
  }
  const arriving = `${home}-${process.pid}`;
  mkdirSync(arriving, { recursive: true });
  if (spawnSync('cp', ['-a', join(work, 'root'), join(work, 'bin'), arriving]).status !== 0) return;
  rmSync(home, { recursive: true, force: true });
  renameSync(arriving, home);
}
