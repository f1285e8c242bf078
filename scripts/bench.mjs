// `npm run bench [-- NAME …]`: builds, then measures.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findDatabases } from './databases.mjs';
import { findNatsServer } from './nats-server.mjs';
import { root, setUp } from './set-up.mjs';

await setUp();
// As every role runs: what is measured in process is measured as it runs.
const { commandLineFlags } = await import('../dist/src/runtime/v8-flags.js');
const { withHugePages } = await import('../dist/src/cli/up/huge-pages.js');
const rows = process.argv.slice(2);
/** Only these need a database. */
const withDatabases = ['books', 'peers', 'stream-peers'];
const isBesidePeers = rows.length === 0 || rows.some((name) => withDatabases.includes(name));
const environment = withHugePages({
  ...process.env,
  POTSTREAM_NATS_SERVER: await findNatsServer(),
  ...(isBesidePeers ? findDatabases() : {}),
});
const { status } = spawnSync(
  process.execPath,
  [...commandLineFlags, join(root, 'dist/bench/main.js'), ...rows],
  {
    cwd: root,
    stdio: 'inherit',
    env: environment,
  },
);
process.exit(status ?? 1);
