// Debian and Ubuntu packages, for programs that tests need: fetched and unpacked, the system is not changed.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { run } from './set-up.mjs';

/**
 * Unpacks packages with the libraries that this machine lacks below `<work>/root`, with apt's own check of signatures; root is not
 * needed. False: apt or the network refused.
 */
export function unpackPackages(work, packages) {
  for (const directory of ['lists/partial', 'cache/archives/partial', 'log'])
    mkdirSync(join(work, directory), { recursive: true });
  const options = [
    ...[`Dir::State::Lists=${join(work, 'lists')}`, `Dir::Cache=${join(work, 'cache')}`],
    ...[`Dir::Log=${join(work, 'log')}`, 'Debug::NoLocking=1', 'APT::Sandbox::User='],
    ...['Acquire::Languages=none', 'Acquire::Retries=3'],
  ].flatMap((setting) => ['-o', setting]);
  const install = ['install', '--yes', '--no-install-recommends', '--download-only', ...packages];
  if (run('apt-get', ['-q', ...options, 'update']) !== 0) return false;
  if (run('apt-get', ['-q', ...options, ...install]) !== 0) return false;
  const archives = join(work, 'cache/archives');
  return readdirSync(archives)
    .filter((each) => each.endsWith('.deb'))
    .every((name) => run('dpkg', ['-x', join(archives, name), join(work, 'root')]) === 0);
}

/**
 * Unpacks packages and puts them at `home` in one step, with a program in `<home>/bin` that finds its libraries there for each of
 * `programsOf(directory with the unpacked files)`. Nothing is there afterwards if apt or the network refused.
 */
export function unpackPrograms(home, packages, programsOf) {
  const work = mkdtempSync(join(tmpdir(), 'potstream-packages-'));
  try {
    if (unpackPackages(work, packages)) putInPlace(home, work, programsOf(join(work, 'root')));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function putInPlace(home, work, programs) {
  const libraries = spawnSync('find', [join(work, 'root'), '-name', '*.so*'], { encoding: 'utf8' });
  const directories = [...new Set(libraries.stdout.split('\n').filter(Boolean).map(dirname))];
  const path = [...directories.map((directory) => directory.replace(work, home)), '$LD_LIBRARY_PATH'].join(
    ':',
  );
  mkdirSync(join(work, 'bin'));
  for (const program of programs) {
    const starter = join(work, 'bin', basename(program));
    const text = `#!/bin/sh\nLD_LIBRARY_PATH="${path}" exec "${program.replace(work, home)}" "$@"\n`;
    writeFileSync(starter, text);
    chmodSync(starter, 0o755);
  }
  const arriving = `${home}-${process.pid}`;
  mkdirSync(arriving, { recursive: true });
  if (spawnSync('cp', ['-a', join(work, 'root'), join(work, 'bin'), arriving]).status !== 0) return;
  rmSync(home, { recursive: true, force: true });
  renameSync(arriving, home);
}
