// Debian and Ubuntu packages, for programs that tests need: fetched and unpacked, the system is not changed.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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
