import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser, startProvider, type TestProvider } from '../../gateway/support/identity-provider.ts';
import { callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

const username = 'of-the-company';
let system: RunningSystem;
let provider: TestProvider;
let admin = '';
let path = '';

beforeAll(async () => {
  system = await oneSystem();
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  path = `/auth/admin/oidc/${system.credentials.operator_id}`;
  provider = await startProvider([`${system.baseUrl}${path}/callback`]);
}, 240_000);
afterAll(() => provider.stop());

const call = (method: string, to: string, body?: unknown) =>
  callGateway(system.baseUrl, method, to, body, admin);

it('an administrator logs in at the provider of the operator, until that is taken away', async () => {
  const owner = system.credentials.operator_id;
  const settings = `/config/operators/${owner}/identity-provider`;
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const set = await call('PUT', settings, { issuer, client_id, client_secret });
  expect([set.status, set.json?.redirect_uri], set.text).toEqual([200, `${system.baseUrl}${path}/callback`]);
  const account = { username, password: 'a long password', roles: ['viewer'], owners: [owner] };
  expect((await call('POST', '/config/users', account)).status).toBe(201);
  expect((await call('PUT', `/config/users/${username}/identity`, { subject: 'somebody' })).status).toBe(200);
  expect((await call('GET', settings)).json.client_id).toBe(client_id);

  const person = new Browser();
  const begun = await person.go(`${system.baseUrl}${path}`);
  const back = await person.logIn(begun.location, 'somebody', system.baseUrl);
  expect((await person.go(back, { site: 'cross-site' })).location).toBe(
    `${system.baseUrl}/console/?log_in=done&operator=${owner}`,
  );
  const me = () => person.go(`${system.baseUrl}/auth/admin/me`, { site: 'same-origin' });
  expect(JSON.parse((await me()).text)).toMatchObject({ username });

  expect((await call('DELETE', settings)).status).toBe(204);
  expect((await me()).status).toBe(401);
}, 120_000);
