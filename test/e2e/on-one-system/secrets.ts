import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readKeys } from '../../../tools/reference-wallet/keys.ts';
import { TestSocket } from '../../fanout/feed-world.ts';
import { callGateway } from '../../support/call.ts';
import type { TestCollector } from '../../support/collector.ts';
import { collectorOfOneSystem, oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/**
 * Everything that the roles have written, at the lowest log level, after all the tests before: no password, token, key or player is in
 * it. What they store is searched too, for what must never be stored in the clear.
 */
let system: RunningSystem;
let collector: TestCollector;
/** By what it is. */
const secrets = new Map<string, string>();
const players = new Map<string, string>();

beforeAll(async () => {
  [system, collector] = await Promise.all([oneSystem(), collectorOfOneSystem()]);
  const { admin, service, players: demoPlayers } = system.credentials;
  const wallet = readKeys(system.dataDirectory)!;
  secrets.set('password of the administrator', admin.password);
  secrets.set('password of the service', service.password);
  secrets.set('bearer key of the wallet', wallet.bearerKey);
  secrets.set('HMAC secret of the wallet', wallet.hmacSecret);
  secrets.set('key of the collector', 'key-of-the-collector');
  secrets.set('secret of webhooks', 'a-webhook-secret-that-nobody-logs');
  secrets.set('wrong password', 'a-wrong-password-that-nobody-logs');
  secrets.set('unknown token of a player', 'an-unknown-token-that-nobody-logs');
  for (const [index, { token, player_id }] of demoPlayers.entries()) {
    secrets.set(`token of player ${index}`, token);
    players.set(`player ${index}`, player_id);
  }
  players.set('unknown player', 'a-player-that-nobody-logs');
  secrets.set('token of the administrator', await loggedIn(`${system.baseUrl}/auth/admin`, admin));
  secrets.set('token of the service', await loggedIn(`${system.baseUrl}/v1/auth/service`, service));
}, 240_000);

const call = async (method: string, path: string, token: string, body?: object) =>
  (await callGateway(system.baseUrl, method, path, body, token)).json;

/** Requests whose refusals are tempting to log. */
async function provoke(): Promise<void> {
  const service = secrets.get('token of the service')!;
  const administrator = secrets.get('token of the administrator')!;
  const { username } = system.credentials.service;
  await call('POST', '/v1/auth/service', '', { username, password: secrets.get('wrong password') });
  await call('PUT', '/v1/webhooks/signature', service, {
    operator_id: 'demo',
    brand_id: 'demo:direct',
    secret_key: secrets.get('secret of webhooks'),
  });
  const key = await call('POST', `/config/service-users/${username}/keys`, administrator);
  secrets.set('key of signed requests', key.secret);
  const contribution = {
    token: secrets.get('unknown token of a player'),
    brand_id: 'demo:main',
    player_id: players.get('unknown player'),
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
  };
  await call('POST', '/v1/jackpot/sources/slot-1/contributions', service, contribution);
  await call('POST', '/v1/jackpot/sources/slot-1/contributions', service, { ...contribution, currency: 7 });
  const path = `/events/player?token=${contribution.token}&operator=demo&brand=main`;
  const socket = new TestSocket(system.baseUrl.replace(/^http/, 'ws') + path);
  await socket.opened.catch(() => {});
  socket.terminate();
}

function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => existsSync(path) && statSync(path).isFile());
}

/** The names of those that the text contains. */
function foundIn(text: string | Buffer, wanted: ReadonlyMap<string, string>): string[] {
  return [...wanted].flatMap(([name, value]) => (text.includes(value) ? [name] : []));
}

test('no role writes a secret or a player to its log, its metrics or its traces', async () => {
  await provoke();
  const metrics = await (await fetch(`${system.credentials.ops_url}/metrics`)).text();
  const logs = filesBelow(join(system.dataDirectory, 'logs')).map(
    (path) => [path, readFileSync(path)] as const,
  );
  // There is something to search.
  const silent = ['gateway', 'actors', 'wallet', 'outbox'].filter(
    (role) => !logs.some(([path, text]) => path.includes(role) && text.length > 0),
  );
  expect(silent, logs.map(([path, { length }]) => `${path}: ${length}`).join('\n')).toEqual([]);
  const outputs: (readonly [string, string | Buffer])[] = [
    ...logs,
    ['the terminal', system.output()],
    ['metrics', metrics],
    ['traces', collector.bodies.join('\n')],
  ];
  const wanted = new Map([...secrets, ...players]);
  const found = outputs.flatMap(([where, text]) =>
    foundIn(text, wanted).map((name) => `${name} in ${where}`),
  );
  expect(found).toEqual([]);
});

test('what the roles store has no secret in the clear', () => {
  const files = filesBelow(join(system.dataDirectory, 'nats')).filter((path) => path.endsWith('.blk'));
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((path) =>
    foundIn(readFileSync(path), secrets).map((name) => `${name} in ${path}`),
  );
  expect(found).toEqual([]);
});
