// What `npm start`, `npm test` and `npm run bench` need before they can do anything: packages, and a build.
// Plain JavaScript with nothing but Node's own modules, because on a fresh clone there is nothing else.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const minNodeVersion = [20, 19];

/** Installs and builds what is missing or older than its sources, one beside the other. Progress goes to stderr. */
export async function setUp() {
  setUpPackages();
  await built([buildProgram(), buildSdk(), buildClient(), buildPage(), buildConsole()]);
}

/** As `setUp`, but for what the program itself does not need. */
export async function setUpProgram() {
  setUpPackages();
  await built([buildProgram()]);
}

/** As `setUp`, but only the packages: for tests that run the sources. */
export function setUpPackages() {
  requireNode();
  installPackages();
}

export function print(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends this process with one clear paragraph. */
export function giveUp(message) {
  print(`\n${message}`);
  process.exit(1);
}

/** Runs a program with its output on our stderr; gives its exit code, in the end. */
export async function runBeside(program, programArguments, options = {}) {
  const child = spawn(program, programArguments, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  try {
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } catch (error) {
    print(`${program}: ${error.message}`);
    return 1;
  }
}

/** The same, while this process waits. */
export function run(program, programArguments, options = {}) {
  const result = spawnSync(program, programArguments, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (result.error) print(`${program}: ${result.error.message}`);
  return result.status ?? 1;
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > minNodeVersion[0] || (major === minNodeVersion[0] && minor >= minNodeVersion[1])) return;
  giveUp(`Potstream needs Node ${minNodeVersion.join('.')} or newer; this is ${process.versions.node}.`);
}

function installPackages() {
  if (packagesAreInstalled()) return;
  print('Installing packages (npm ci)…');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const status = run(npm, ['ci', '--no-audit', '--no-fund', '--include=dev']);
  if (status !== 0) giveUp('The packages could not be installed; npm says above why.');
}

/** npm keeps a list of what it installed: every package that the lock file demands must be in it, in that version. */
function packagesAreInstalled() {
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!installed) return false;
  const locked = readJson(join(root, 'package-lock.json')).packages;
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '') return true;
    const present = installed[path];
    // Optional packages are for other platforms more often than not.
    return present === undefined ? wanted.optional === true : present.version === wanted.version;
  });
}

/** Each build gives what went wrong, or null. What runs beside one that fails comes to its end first. */
async function built(builds) {
  const faults = (await Promise.all(builds)).filter((fault) => fault !== null);
  if (faults.length > 0) giveUp(faults.join('\n'));
}

function buildProgram() {
  const sources = [
    'src',
    'tools',
    'verifier/src',
    'bench',
    // `potstream send` uses the SDK.
    'sdk/src',
    'scripts/bundle.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
  ];
  return compile('Building (tsc)…', {
    project: 'tsconfig.build.json',
    output: 'dist',
    sources,
    bundler: 'scripts/bundle.mjs',
  });
}

/** The examples import it as operators do, from its built files. */
function buildSdk() {
  const sources = ['sdk/src', 'sdk/tsconfig.json', 'tsconfig.json', 'package-lock.json'];
  return compile('Building the SDK (tsc)…', { project: 'sdk/tsconfig.json', output: 'sdk/dist', sources });
}

/** What pages load; the gateway serves it. */
function buildClient() {
  const sources = [
    'client/src',
    'client/tsconfig.json',
    'client/package.json',
    'tsconfig.json',
    'scripts/client.mjs',
    'package-lock.json',
  ];
  return compile('Building the client for pages (tsc, rolldown)…', {
    project: 'client/tsconfig.json',
    output: 'client/dist',
    sources,
    bundler: 'scripts/client.mjs',
  });
}

async function compile(what, { project, output, sources, bundler }) {
  const stamp = hashOf(sources);
  const stampFile = join(root, output, '.stamp');
  if (readText(stampFile) === stamp) return null;
  print(what);
  // Built beside and moved into place, so that a build that is cut off leaves nothing half done.
  const arriving = join(root, `${output}-${process.pid}`);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const compiled = (await runBeside(process.execPath, [compiler, '-p', project, '--outDir', arriving])) === 0;
  const bundled =
    bundler === undefined ||
    !compiled ||
    (await runBeside(process.execPath, [join(root, bundler), arriving])) === 0;
  if (!compiled || !bundled) {
    rmSync(arriving, { recursive: true, force: true });
    return `The sources ${compiled ? 'cannot be bundled; the bundler' : 'do not compile; the compiler'} says above why.`;
  }
  writeFileSync(join(arriving, '.stamp'), stamp);
  replaceDirectory(arriving, join(root, output), () => readText(stampFile) === stamp);
  return null;
}

function buildPage() {
  return viteBuild('the page', 'web', ['web', 'client/src', 'verifier/src', 'package-lock.json']);
}

function buildConsole() {
  const sources = ['console', 'verifier/src', 'web/build', 'package-lock.json'];
  return viteBuild('the console', 'console', sources);
}

async function viteBuild(what, folder, sources) {
  const web = join(root, folder);
  if (!existsSync(join(web, 'vite.config.ts'))) return null;
  const stamp = hashOf(sources);
  const stampFile = join(root, `.potstream/${folder === 'web' ? 'page' : folder}.stamp`);
  if (readText(stampFile) === stamp && existsSync(join(web, 'dist/index.html'))) return null;
  print(`Building ${what} (vite)…`);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // Outside the folder, whose files count for the stamp.
  const arriving = join(root, `.potstream/${folder}-${process.pid}`);
  const status = await runBeside(process.execPath, [vite, 'build', '--outDir', arriving, '--emptyOutDir'], {
    cwd: web,
    // Also where a test starts it: React of a development build is twice as large, and writes to the console.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    rmSync(arriving, { recursive: true, force: true });
    return `${what} could not be built; vite says above why.`;
  }
  replaceDirectory(arriving, join(web, 'dist'), () => existsSync(join(web, 'dist/index.html')));
  writeFileSync(stampFile, stamp);
  return null;
}

/** Two may build at once: who comes second finds that the other has put the same there. */
function replaceDirectory(from, to, isThere) {
  const leaving = `${from}-old`;
  try {
    if (existsSync(to)) renameSync(to, leaving);
    renameSync(from, to);
  } catch (error) {
    if (!isThere()) throw error;
  }
  for (const directory of [leaving, from]) rmSync(directory, { recursive: true, force: true });
}

/** What is made from sources, and so is none itself. `npm test` makes one of them while others start a system. */
const made = new Set(['dist', 'results', 'node_modules']);
const madeFile = join('console', 'src', 'api', 'generated.ts');

/** One hash over the names and contents of all files below these paths. */
export function hashOf(paths, from = root) {
  const hash = createHash('sha256');
  for (const path of paths) addToHash(hash, path, from);
  return hash.digest('hex');
}

function addToHash(hash, path, from) {
  const absolute = join(from, path);
  let entries;
  try {
    entries = readdirSync(absolute, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return;
    if (error.code !== 'ENOTDIR') throw error;
    hash.update(`${path}\0`).update(readFileSync(absolute)).update('\0');
    return;
  }
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    if (!made.has(entry.name) && inner !== madeFile) addToHash(hash, inner, from);
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readJson(path) {
  const text = readText(path);
  return text === null ? null : JSON.parse(text);
}
