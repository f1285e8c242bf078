// The browser of the browser tests.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { giveUp, print, run } from './set-up.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The path of a Chromium, installed with apt-get where that is possible. Null where there is none: then the browser
 * tests say that they were skipped — but never in CI.
 */
export function findChromium() {
  const present = installed();
  if (present !== null) return present;
  const installer = aptGet();
  if (installer !== null) {
    print('Installing Chromium for the browser tests (apt-get)…');
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run(installer[0], [...installer.slice(1), 'update'], { env: environment });
    run(installer[0], [...installer.slice(1), 'install', '-y', '--no-install-recommends', 'chromium'], {
      env: environment,
    });
  }
  const found = installed();
  if (found === null && process.env.CI) {
    giveUp('The browser tests need Chromium, and in CI they are not skipped: install the package chromium.');
  }
  if (found === null)
    print('There is no Chromium and it cannot be installed here: browser tests are skipped.');
  return found;
}

function installed() {
  const named = process.env.POTSTREAM_CHROMIUM;
  if (named)
    return existsSync(named) ? named : giveUp(`POTSTREAM_CHROMIUM names ${named}, which is not there.`);
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  for (const directory of directories) {
    for (const name of names) {
      const path = join(directory, name);
      if (existsSync(path)) return path;
    }
  }
  return null;
}

/** apt-get as root; without asking anybody for a password. */
function aptGet() {
  if (!existsSync('/usr/bin/apt-get')) return null;
  if (process.getuid?.() === 0) return ['apt-get'];
  const mayUseSudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return mayUseSudo ? ['sudo', '-n', 'apt-get'] : null;
}
