// libfaketime, for the scenarios of `npm run chaos` that step clocks.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unpackPackages } from './apt.mjs';
import { giveUp, print, root, run } from './set-up.mjs';

const home = join(root, '.potstream/faketime');
const library = 'libfaketime.so.1';

/**
 * The path of the library: what POTSTREAM_FAKETIME names, else a private copy of the distribution's package below .potstream. null: it is
 * missing and cannot be fetched here.
 */
export function findFaketime() {
  const named = process.env.POTSTREAM_FAKETIME;
  if (named && !existsSync(named)) giveUp(`POTSTREAM_FAKETIME names ${named}, which is not there.`);
  if (named) return named;
  if (installed() === null && existsSync('/usr/bin/apt-get')) {
    print('Fetching libfaketime (once; below .potstream/faketime)…');
    fetchPackage();
  }
  return installed();
}

function installed() {
  if (!existsSync(home)) return null;
  const files = readdirSync(home, { withFileTypes: true, recursive: true });
  const found = files.find((file) => file.isFile() && file.name === library);
  return found === undefined ? null : join(found.parentPath, found.name);
}

function fetchPackage() {
  const work = mkdtempSync(join(tmpdir(), 'potstream-faketime-'));
  try {
    if (!unpackPackages(work, ['libfaketime'])) return;
    const arriving = `${home}-${process.pid}`;
    mkdirSync(dirname(home), { recursive: true });
    if (run('cp', ['-a', join(work, 'root'), arriving]) !== 0) return;
    rmSync(home, { recursive: true, force: true });
    renameSync(arriving, home);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
