// `npm test [-- FILTER …]`: sets everything up, runs the tests, and checks types and style beside them.
// The last line is "N passed, N failed", with ", N skipped" where something was; it ends with 1 when something failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findNatsServer } from './nats-server.mjs';
import { print, root, runBeside, setUp } from './set-up.mjs';

// They are fetched while the packages are installed and the program is built.
const tools = findTools();
await setUp();
const natsServer = await findNatsServer();
const toolPaths = await tools;

const counts = { passed: 0, failed: 0, skipped: 0 };
const failedChecks = [];
await Promise.all([
  check('types (tsc --noEmit)', 'node_modules/typescript/bin/tsc', ['--noEmit']),
  check('types of the console', 'scripts/console.mjs', []),
  check('style (biome check)', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']),
  runTests(),
]);

// What they said stands far above, among the tests.
for (const what of failedChecks) print(`Failed: ${what}`);
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
await new Promise((resolve) => {
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed${skipped}\n`, resolve);
});
process.exit(counts.failed > 0 ? 1 : 0);

/** The variables that name Chromium, nginx and HAProxy. The child says itself what is missing. */
async function findTools() {
  const child = spawn(process.execPath, [join(root, 'scripts/tools.mjs')], { stdio: ['ignore', 'pipe', 2] });
  const [found, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) process.exit(1);
  return JSON.parse(found);
}

/** A check counts as one test. */
async function check(what, tool, toolArguments) {
  print(`Checking ${what}…`);
  const passed = (await runBeside(process.execPath, [join(root, tool), ...toolArguments])) === 0;
  counts[passed ? 'passed' : 'failed'] += 1;
  if (!passed) failedChecks.push(what);
}

async function runTests() {
  const work = mkdtempSync(join(tmpdir(), 'potstream-tests-'));
  const report = join(work, 'report.json');
  const environment = { ...process.env, POTSTREAM_NATS_SERVER: natsServer, ...toolPaths };
  const status = await runBeside(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    { env: environment },
  );
  count(report, status);
  rmSync(work, { recursive: true, force: true });
}

function count(report, status) {
  try {
    const results = JSON.parse(readFileSync(report, 'utf8'));
    counts.passed += results.numPassedTests;
    counts.failed += results.numFailedTests;
    counts.skipped += results.numPendingTests + results.numTodoTests;
    // A file that does not even load has no test that could fail.
    const failedTests = new Set(results.testResults.filter((file) => file.status === 'failed'));
    for (const file of failedTests) {
      if (!file.assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
    }
  } catch {
    print('The tests left no report.');
    counts.failed += 1;
  }
  // Errors outside of every test fail the run as well.
  if (status !== 0 && counts.failed === 0) counts.failed += 1;
}
