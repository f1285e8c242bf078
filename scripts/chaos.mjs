// `npm run chaos -- SCENARIO … [--rounds N] [--seed N] [--seconds N] [--results FILE] [--keep]`, `npm run chaos -- table`, `npm run chaos --
// list`: faults on real processes under traffic, and the clients' ledger against the log afterwards (test/chaos). As root it runs in
// namespaces of its own: nothing it does to networks and mounts reaches the machine.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createServer, createServerModuleRunner } from 'vite';
import { findFaketime } from './faketime.mjs';
import { findNatsServer } from './nats-server.mjs';
import { root, setUpProgram } from './set-up.mjs';

const own = 'POTSTREAM_CHAOS_NAMESPACES';
const args = process.argv.slice(2);
process.exit(process.env[own] === undefined ? await prepare() : await run());

/** Builds, and runs this file again where it may do what it wants. */
async function prepare() {
  await setUpProgram();
  const environment = { ...process.env, POTSTREAM_NATS_SERVER: await findNatsServer() };
  // Only these scenarios need it, and what runs below has no network.
  const faketime = args.some((each) => each.startsWith('clock-')) ? findFaketime() : null;
  if (faketime !== null) environment.POTSTREAM_FAKETIME = faketime;
  const isPossible = spawnSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  const command = [process.execPath, fileURLToPath(import.meta.url), ...args];
  const [program, ...rest] = isPossible ? ['unshare', '--net', '--mount', ...command] : command;
  const child = spawn(program, rest, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, [own]: isPossible ? 'yes' : 'no' },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

async function run() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const available = process.env.POTSTREAM_FAKETIME ? ['faketime'] : [];
  if (process.env[own] === 'yes') {
    for (const command of [
      'ip link set lo up',
      // Names of network namespaces are files here.
      'mkdir -p /run/netns',
      'mount -t tmpfs tmpfs /run/netns',
    ])
      spawnSync('sh', ['-c', command], { stdio: 'inherit' });
    available.push('namespaces', 'mounts');
  }
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const { main } = await createServerModuleRunner(server.environments.ssr, { hmr: false }).import(
    '/test/chaos/main.ts',
  );
  return main(args, available);
}
