// `npm run matrix [-- 20 22 24]`: what a newcomer gets with each supported release of Node. For each, from a copy of the tracked
// files: `npm ci`, the whole system with `npm start`, contributions, a feed, SIGTERM, and the contract suite of the websocket
// engines; the client for pages in that Node from 22 on, in Bun and in Deno. Node comes from npm's package `node`, the others from theirs. Prints a Markdown table on stdout; ends with 1 when a release fails.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { trySystem } from './matrix-system.mjs';
import { findNatsServer } from './nats-server.mjs';
import { giveUp, print, root, setUp } from './set-up.mjs';

const releases = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['20', '22', '24'];
const maxOutputBytes = 64 * 1024 * 1024;

await setUp();
const natsServer = await findNatsServer();
const work = mkdtempSync(join(tmpdir(), 'potstream-matrix-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));

const others = installRuntimes();
const rows = [];
for (const release of releases) rows.push(await tryRelease(release));
const columns = [
  'Node',
  'C library',
  'warnings of npm',
  'websocket engine',
  'ready after',
  'contributions',
  'feed',
  'client for pages in',
  'engine contracts',
];
const lines = [columns, columns.map(() => '---'), ...rows.map(({ cells }) => cells)];
process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
process.exit(rows.every(({ passed }) => passed) ? 0 : 1);

async function tryRelease(release) {
  const directory = join(work, release);
  const program = installNode(release);
  const [version, library] = describeNode(program);
  print(`Node ${version}…`);
  copyRepository(directory);
  const environment = {
    ...process.env,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    POTSTREAM_NATS_SERVER: natsServer,
  };
  const npm = npmOf(program);
  const installation = runIn(directory, npm, ['ci', '--include=dev'], environment);
  const system =
    installation.status === 0
      ? await trySystem(directory, npm, environment, [[program], ...others])
      : notTried;
  const contracts = installation.status === 0 ? runContracts(directory, program, environment) : 'not run';
  const warnings = [...warningsOf(installation.output), ...warningsOf(system.output)];
  for (const line of [...warnings, ...system.faults]) print(`  ${line}`);
  if (installation.status !== 0) print(installation.output);
  const passed =
    installation.status === 0 &&
    warnings.length === 0 &&
    system.faults.length === 0 &&
    /^\d+ passed$/.test(contracts);
  const { engine, readyAfter, contributions, feed, client } = system;
  return {
    passed,
    cells: [version, library, warnings.length, engine, readyAfter, contributions, feed, client, contracts],
  };
}

const notTried = {
  output: '',
  faults: ['npm ci failed'],
  engine: '–',
  readyAfter: '–',
  contributions: '–',
  feed: '–',
  client: '–',
};

/** Bun and Deno, each as a command that runs a file. */
function installRuntimes() {
  const prefix = join(work, 'runtimes');
  mkdirSync(prefix);
  writeFileSync(
    join(prefix, 'package.json'),
    JSON.stringify({ private: true, allowScripts: { bun: true, deno: true } }),
  );
  const install = ['install', '--no-save', 'bun', 'deno'];
  const { status, output } = runIn(prefix, npmOf(process.execPath), install, process.env);
  const program = (name) => join(prefix, 'node_modules/.bin', name);
  if (status !== 0 || !existsSync(program('deno'))) giveUp(`npm cannot install Bun and Deno:\n${output}`);
  return [[program('bun')], [program('deno'), 'run', '--allow-all']];
}

/** A directory of its own: npm would otherwise search for a project above it. */
function installNode(release) {
  const prefix = join(work, `node-${release}`);
  mkdirSync(prefix);
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(prefix, 'package.json'), JSON.stringify(manifest));
  const { status, output } = runIn(
    prefix,
    npmOf(process.execPath),
    ['install', '--no-save', `node@${release}`],
    process.env,
  );
  const program = join(prefix, 'node_modules/node/bin/node');
  if (status !== 0 || !existsSync(program)) giveUp(`npm cannot install node@${release}:\n${output}`);
  return program;
}

function describeNode(program) {
  const question =
    'const { glibcVersionRuntime: glibc } = process.report.getReport().header;' +
    'console.log(JSON.stringify([process.versions.node, glibc ? "glibc " + glibc : "other"]))';
  return JSON.parse(execFileSync(program, ['-e', question], { encoding: 'utf8' }));
}

/** What git tracks, as it is now; nothing that was built or installed. */
function copyRepository(directory) {
  const listed = execFileSync('git', ['ls-files', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
  });
  for (const file of listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    copyFileSync(join(root, file), join(directory, file));
  }
}

/** npm of this machine, run by that Node. */
function npmOf(program) {
  const here =
    process.env.npm_execpath ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  if (!existsSync(here)) giveUp('Start it with "npm run matrix", so that it knows where npm is.');
  return [program, here];
}

function runContracts(directory, program, environment) {
  const vitest = join(directory, 'node_modules/vitest/vitest.mjs');
  const report = join(directory, 'contracts.json');
  const files = ['uwebsockets', 'ws'].map((name) => `test/fanout/engines/${name}.test.ts`);
  const output = runIn(
    directory,
    [program, vitest],
    ['run', '--reporter=json', `--outputFile=${report}`, ...files],
    environment,
  );
  if (!existsSync(report)) {
    print(output.output);
    return 'no report';
  }
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'));
  return failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`;
}

function runIn(cwd, [program, ...first], rest, env) {
  const { status, stdout, stderr } = spawnSync(program, [...first, ...rest], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: maxOutputBytes,
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Without those about this machine's own configuration of npm. */
function warningsOf(output) {
  return output
    .split('\n')
    .filter((line) => /^npm warn/i.test(line) && !/Unknown (user|env|cli|global|builtin) config/.test(line));
}
