// `npm run bench [-- NAME …]`: builds, then measures.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNatsServer } from './nats-server.mjs';
import { root, setUp } from './set-up.mjs';

setUp();
// As every role runs: what is measured in process is measured as it runs.
const { commandLineFlags } = await import('../dist/src/runtime/v8-flags.js');
const { withHugePages } = await import('../dist/src/cli/up/huge-pages.js');
const environment = withHugePages({ ...process.env, POTSTREAM_NATS_SERVER: await findNatsServer() });
const { status } = spawnSync(
  process.execPath,
  [...commandLineFlags, join(root, 'dist/bench/main.js'), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  },
);
process.exit(status ?? 1);
