// The native files of uWebSockets.js (docs/security.md "The websocket engine").
//   node scripts/websocket-builds.mjs list     fetches the package that package-lock.json pins, and writes the list of its files' hashes
//   node scripts/websocket-builds.mjs prune    removes from node_modules the files for other machines and other releases of Node
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveUp, print, root, run } from './set-up.mjs';

const installed = 'node_modules/uWebSockets.js';
const list = join(root, 'src/fanout/engines/uwebsockets/known-builds.ts');

/** The SHA-256 of each native file in a directory, by its name. */
export function hashesOf(directory) {
  const names = readdirSync(directory).filter((name) => /^uws_\w+\.node$/.test(name));
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex');
  return Object.fromEntries(names.sort().map((name) => [name, hash(name)]));
}

/** Removes all native files but the one that this machine and this Node load. Gives the names of the removed ones. */
export function prune(directory) {
  const { platform, arch, versions } = process;
  const kept = `uws_${platform}_${arch}_${versions.modules}.node`;
  const others = Object.keys(hashesOf(directory)).filter((name) => name !== kept);
  for (const name of others) rmSync(join(directory, name));
  return others;
}

/** Installs the pinned package alone: npm compares it with the integrity, or the commit, in the lock. */
function fetchPinned() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entry = lock.packages[installed];
  const dependencies = { 'uWebSockets.js': lock.packages[''].dependencies['uWebSockets.js'] };
  const work = mkdtempSync(join(tmpdir(), 'potstream-websocket-builds-'));
  try {
    const pinned = {
      lockfileVersion: lock.lockfileVersion,
      packages: { '': { dependencies }, [installed]: entry },
    };
    writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies }));
    writeFileSync(join(work, 'package-lock.json'), JSON.stringify(pinned));
    if (run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: work }) !== 0)
      giveUp(
        'The package could not be fetched, or is not the one that package-lock.json pins; npm says above why.',
      );
    return hashesOf(join(work, installed));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function writeList(hashes) {
  const lines = Object.entries(hashes).map(([name, hash]) => `  '${name}': '${hash}',`);
  const head =
    '/** The SHA-256 of each file that may be loaded. Made by "node scripts/websocket-builds.mjs list". */';
  const start = 'export const knownBuilds: Readonly<Record<string, string>> = {';
  writeFileSync(list, [head, start, ...lines, '};', ''].join('\n'));
  print(`${lines.length} hashes in ${list}`);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv[2] === 'list') writeList(fetchPinned());
  else if (process.argv[2] === 'prune') print(`Removed ${prune(join(root, installed)).length} files.`);
  else giveUp('Say "list" or "prune".');
}
