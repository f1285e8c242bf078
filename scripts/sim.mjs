// `npm run sim [-- --seeds N] [--from N] [--processes N]`: the whole system in simulated storms of faults (test/sim/cluster), one history a
// seed. N seeds from --from on (1), divided among processes, as many as there are cores. A seed that fails is minimised and printed as a test.
// `SIM_SEED=7 npm run sim` lives one. A thousand seeds take about a minute of processor time.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { giveUp, print, root, setUpPackages } from './set-up.mjs';

const usage = 'npm run sim [-- --seeds N] [--from N] [--processes N]';
const { seeds, from, processes } = numbers();
setUpPackages();
const share = Math.ceil(seeds / processes);
const runs = [];
for (let first = from; first < from + seeds; first += share)
  runs.push(live(first, Math.min(share, from + seeds - first)));
const failed = (await Promise.all(runs)).filter((code) => code !== 0);
process.exit(failed.length > 0 ? 1 : 0);

function numbers() {
  const { seeds, from, processes, help } = options();
  if (help) {
    print(usage);
    process.exit(0);
  }
  return {
    seeds: number('--seeds', seeds ?? '1000'),
    from: number('--from', from ?? '1'),
    processes: process.env.SIM_SEED ? 1 : number('--processes', processes ?? String(availableParallelism())),
  };
}

function options() {
  const text = { type: 'string' };
  const known = { seeds: text, from: text, processes: text, help: { type: 'boolean', short: 'h' } };
  try {
    return parseArgs({ options: known }).values;
  } catch (error) {
    return giveUp(`${error.message}\n${usage}`);
  }
}

function number(option, text) {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) giveUp(`${option} ${text}: not a whole number above zero.`);
  return value;
}

function live(first, count) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const environment = {
    ...process.env,
    POTSTREAM_SIM_FROM: String(first),
    POTSTREAM_SIM_SEEDS: String(count),
  };
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--testTimeout=86400000', 'test/sim/cluster/cluster.test'],
    { cwd: root, stdio: ['ignore', 2, 2], env: environment },
  );
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
