// What every command of this repository needs before it can run: packages, compiled code, the page. Plain Node, nothing else.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, 'node_modules', '.potstream');

/** Installs and builds what is missing or older than its sources. */
export function setUp() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) fail(`Potstream needs Node 20.19 or newer; this is ${process.version}.`);
  once('packages', [join(root, 'package-lock.json')], join(root, 'node_modules'), () => {
    say('installing packages …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
  const code = [
    ...filesBelow('src'),
    ...filesBelow('bench'),
    join(root, 'tsconfig.json'),
    join(root, 'tsconfig.build.json'),
  ];
  once('code', code, join(root, 'dist', 'src', 'main.js'), () => {
    say('compiling …');
    run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      '-p',
      'tsconfig.build.json',
    ]);
  });
  once(
    'page',
    [...filesBelow('web', ['dist', 'node_modules'])],
    join(root, 'web', 'dist', 'index.html'),
    () => {
      say('building the page …');
      run(process.execPath, [
        join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
        'build',
        'web',
        '--logLevel',
        'warn',
      ]);
    },
  );
}

export function say(text) {
  process.stderr.write(`potstream: ${text}\n`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}

/** Runs `work` unless the sources' hash is the one of the last time and the result is still there. */
function once(name, sources, result, work) {
  const hash = createHash('sha256');
  for (const file of sources) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  const digest = hash.digest('hex');
  const stamp = join(stamps, name);
  if (existsSync(result) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, digest);
}

function filesBelow(folder, leaveOut = []) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !leaveOut.includes(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(path, entry.name)],
    );
}

function run(command, words) {
  const done = spawnSync(command, words, { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.error) fail(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0) fail(`"${command} ${words.join(' ')}" failed; its messages are above.`);
}
