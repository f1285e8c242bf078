import { afterAll, beforeAll, expect, it } from 'vitest';
import { AdministratorClient } from '../../../tools/gateway-client/client.ts';
import { furnish, startWorld, type World } from '../../gateway/support/administration.ts';
import { equip } from '../../gateway/support/second-factors.ts';
import { makeAdministrator } from '../../support/accounts.ts';
import { totp, wrongCode } from '../../support/totp.ts';

/** Commands of an administrator who has a second factor. docs/rules/second-factor.md "What asks for it" */

const password = 'a long password';
const origin = { operator_id: 'acme', origin: 'https://hooks.example' };
const clock = { nowMs: Date.now() };
let world: World;
let secret: string;
beforeAll(async () => {
  world = await startWorld({ nowMs: () => clock.nowMs });
  await furnish(world);
  for (const username of ['ada', 'bob'])
    await makeAdministrator(world.context, { username, roles: ['security'], owners: ['acme'] });
  ({ secret } = await equip(world, 'ada', clock));
});
afterAll(() => world.stop());

const asked: string[] = [];
const client = (username: string, answer: () => string | null) => {
  const url = new URL(`http://127.0.0.1:${world.port}`);
  return AdministratorClient.logIn({ url, username, password }, async (question) => {
    asked.push(question);
    return answer();
  });
};

it('ask for a code where it is needed, and once for what follows', async () => {
  const ada = await client('ada', () => ` ${totp(secret, clock.nowMs)}`);
  expect((await ada.get('/config/webhook-origins')).status).toBe(200);
  expect(asked).toEqual([]);
  expect((await ada.post('/config/webhook-origins', origin)).status).toBe(201);
  expect((await ada.post('/config/webhook-origins', { ...origin, origin: 'https://b.example' })).status).toBe(
    201,
  );
  expect(asked).toEqual(['Code of your second factor: ']);
});

it('end with the refusal where nobody is there to ask, or the code is wrong', async () => {
  const nobody = await client('ada', () => null);
  await expect(nobody.post('/config/webhook-origins', origin)).rejects.toThrow('second_factor_required');
  const wrong = await client('ada', () => wrongCode(secret, clock.nowMs));
  await expect(wrong.post('/config/webhook-origins', origin)).rejects.toThrow('second_factor_invalid');
});

it('say how to enrol one where it is required, and ask for no code', async () => {
  asked.length = 0;
  await world.call('PATCH', '/config/operators/rival', { requires_second_factor: true });
  await makeAdministrator(world.context, { username: 'cyd', roles: ['security'], owners: ['rival'] });
  const cyd = await client('cyd', () => '123456');
  const another = { operator_id: 'rival', origin: 'https://d.example' };
  await expect(cyd.post('/config/webhook-origins', another)).rejects.toThrow('/auth/admin/second-factor');
  expect(asked).toEqual([]);
});

it('ask nobody who has no factor', async () => {
  asked.length = 0;
  const bob = await client('bob', () => null);
  const another = { ...origin, origin: 'https://c.example' };
  expect((await bob.post('/config/webhook-origins', another)).status).toBe(201);
  expect(asked).toEqual([]);
});
