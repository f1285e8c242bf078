// A part of `npm run matrix`: starts a copy of the repository as a newcomer would, and uses it.
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const startMs = 300_000;
const feedMs = 60_000;
const stopMs = 60_000;
const pollMs = 250;
const contributionsOfBrand = 100;
const keptOutput = 200_000;

/** What the system showed, and every fault in plain words. `runtimes`: commands that run a file. */
export async function trySystem(directory, npm, environment, runtimes) {
  const data = join(directory, 'data');
  const [program, ...first] = npm;
  const startedAt = performance.now();
  const child = spawn(program, [...first, 'start', '--', '--no-traffic'], {
    cwd: directory,
    env: { ...environment, POTSTREAM_DATA: data, POTSTREAM_PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  process.once('exit', () => kill(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-keptOutput);
    });
  }
  const result = {
    output: '',
    faults: [],
    engine: '–',
    readyAfter: '–',
    contributions: '–',
    feed: '–',
    client: '–',
  };
  try {
    const credentials = await untilReady(child, join(data, 'credentials.json'));
    result.readyAfter = `${Math.round((performance.now() - startedAt) / 1000)} s`;
    Object.assign(result, await use(directory, credentials));
    result.client = await clientsIn(directory, credentials, runtimes);
  } catch (error) {
    result.faults.push(`${error.message}\n${output}`);
  }
  const code = await stop(child);
  if (code !== 0) result.faults.push(`It ended with ${code} after SIGTERM:\n${output}`);
  return { ...result, output };
}

async function untilReady(child, credentialsFile) {
  const endsAt = performance.now() + startMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error('npm start ended.');
    if (performance.now() > endsAt) throw new Error('It was not ready in time.');
    if (existsSync(credentialsFile)) {
      const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
      const answer = await fetch(`${credentials.base_url}/readyz`).catch(() => null);
      if (answer?.status === 200 && credentials.service !== undefined) return credentials;
    }
    await pause(pollMs);
  }
}

async function use(directory, credentials) {
  const { token } = await call(credentials, 'POST', '/v1/auth/service', credentials.service);
  const feed = await openFeed(directory, credentials, token);
  const [player] = credentials.players;
  const statuses = { 200: 0, 204: 0 };
  const contribute = async (body) => {
    statuses[await contributionStatus(credentials, token, body)] += 1;
  };
  for (let number = 0; number < contributionsOfBrand; number += 1) {
    await contribute({
      brand_id: 'demo:direct',
      player_id: `newcomer-${number}`,
      player_country: 'DE',
      currency: 'EUR',
      idempotency_key: `matrix-${number}`,
    });
    // Through the reference wallet, which uses another native library.
    await contribute({
      brand_id: credentials.brand_id,
      player_id: player.player_id,
      player_country: 'SE',
      currency: player.currency,
      token: player.token,
      idempotency_key: `matrix-wallet-${number}`,
    });
  }
  await contribute({
    brand_id: 'demo:direct',
    player_id: 'newcomer-0',
    player_country: 'DE',
    currency: 'EUR',
    idempotency_key: 'matrix-0',
  });
  const updates = await feed.growth();
  return {
    engine: await engineOf(credentials),
    contributions: `${statuses[200]} accepted, ${statuses[204]} repeat recognised`,
    feed: `${updates} updates, growing`,
  };
}

async function contributionStatus(credentials, token, fields) {
  const body = { token: 'player-session', base_wager: '1.00', ...fields };
  const answer = await fetch(`${credentials.base_url}/v1/jackpot/sources/slot-1/contributions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status !== 200 && answer.status !== 204)
    throw new Error(`A contribution: ${answer.status} ${text}`);
  return answer.status;
}

/** The service feed (O22) through the gateway; `growth` resolves once a pot is larger than at first. */
async function openFeed(directory, credentials, token) {
  const { WebSocket } = createRequire(join(directory, 'package.json'))('ws');
  const address = credentials.base_url.replace('http', 'ws');
  const socket = new WebSocket(`${address}/events/service?token=${encodeURIComponent(token)}`);
  let updates = 0;
  let grown = () => {};
  const growing = new Promise((resolve) => {
    grown = resolve;
  });
  const first = new Map();
  socket.on('message', (bytes) => {
    const { event_type: type, instance_id: instance, data } = JSON.parse(String(bytes));
    if (type !== 'JackpotUpdate') return;
    updates += 1;
    const text = JSON.stringify(data.pots);
    if (!first.has(instance)) first.set(instance, text);
    else if (first.get(instance) !== text) grown();
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(JSON.stringify({ SubscribeRequest: { events: [{ source: 'jackpot', event_type: '*' }] } }));
  return {
    async growth() {
      const late = pause(feedMs, 'late', { ref: false });
      if ((await Promise.race([growing, late])) === 'late')
        throw new Error('The feed brought no growing pot.');
      socket.close();
      return updates;
    },
  };
}

const run = promisify(execFile);

/** The runtimes in which the client for pages gets a value of the demo's public feed. Node 20 has no WebSocket. */
async function clientsIn(directory, credentials, runtimes) {
  const file = join(directory, 'scripts/matrix-client.mjs');
  const names = [];
  for (const [program, ...first] of runtimes) {
    const { stdout } = await run(program, ['--version']);
    const version = stdout.split('\n', 1)[0].trim();
    if (version.startsWith('v20.')) continue;
    await run(program, [...first, file, credentials.base_url, 'demo/main']);
    names.push(version.startsWith('v') ? `Node ${version.slice(1)}` : version);
  }
  return names.join(', ');
}

async function engineOf(credentials) {
  const metrics = await (await fetch(`${credentials.ops_url}/metrics`)).text();
  const engine = /potstream_fanout_engine_info\{[^}]*engine="(\w+)"/.exec(metrics)?.[1];
  if (engine === undefined) throw new Error('No metric names the websocket engine.');
  return engine === 'ws' ? 'ws' : 'uWebSockets.js';
}

async function call(credentials, method, path, body) {
  const answer = await fetch(`${credentials.base_url}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** To the process group, as Ctrl-C in a terminal: npm, and the system below it. */
async function stop(child) {
  if (child.exitCode !== null) return child.exitCode;
  const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  kill(child, 'SIGTERM');
  const code = await Promise.race([exited, pause(stopMs, 'no end', { ref: false })]);
  kill(child);
  return code;
}

function kill(child, signal = 'SIGKILL') {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
