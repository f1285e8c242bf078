import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { potstream } from '../../cli/support/command.ts';
import { furnish, startWorld, type World } from '../../gateway/support/administration.ts';
import { answer, awardInstance, setWallet, win } from '../../gateway/support/settlements.ts';
import { atoms } from '../../jackpot/support/commands.ts';

/** The real command over HTTP, at a gateway over real engines. */

let world: World;
let instance: string;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await awardInstance(world);
  const limit = { verificationLimitAtoms: atoms('500'), verificationCurrency: 'EUR' };
  setWallet(world, instance, 'acme:main', limit);
});
afterEach(() => world.stop());

const environment = () => ({
  POTSTREAM_ADMIN_URL: `http://127.0.0.1:${world.port}`,
  POTSTREAM_ADMIN_USERNAME: 'admin-1',
  POTSTREAM_ADMIN_PASSWORD: 'a long password',
});
const settlements = (args: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
  potstream(['settlements', ...args], { ...environment(), ...changes });
const decide = (verb: string, id: string, ...more: string[]) =>
  settlements([verb, id, '--reason', 'checked with the wallet', ...more]);
const stateOf = (id: string) =>
  world.lanes
    .flatMap((lane) => lane.openCredits(0, 1000, [], ''))
    .find(({ transactionId }) => transactionId === id)?.state;

describe('potstream settlements', () => {
  it('lists what is open, as a table and as JSON', async () => {
    const dead = await win(world, instance);
    answer(world, instance, dead, 'refused');
    const withheld = await win(world, instance, {
      amount: '80000000000',
      player: 'p2',
      pot: 'silver',
    });
    const table = await settlements(['list']);
    expect(table.code).toBe(0);
    expect(table.stdout).toMatch(
      new RegExp(`${dead} +dead +main +acme:main +p1 +100 EUR +[0-9]+ (?:s|min) +refused`),
    );
    expect(table.stdout).toMatch(new RegExp(`${withheld} +withheld +main +acme:main +p2 +80000000000 EUR`));
    const json = await settlements([
      'list',
      '--state',
      'withheld',
      '--sort',
      'amount',
      '--descending',
      '--json',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: withheld, state: 'withheld' }]);
  });

  it('releases, retries and resolves', async () => {
    const released = await win(world, instance, { amount: '501' });
    const other = await win(world, instance, { player: 'p2', pot: 'silver' });
    answer(world, instance, other, 'refused');
    expect(await decide('release', released, '--yes')).toMatchObject({
      code: 0,
      stderr: `${released} is pending.\n`,
    });
    expect(stateOf(released)).toBe('pending');
    expect((await decide('retry', other, '--yes')).code).toBe(0);
    expect(stateOf(other)).toBe('pending');
    answer(world, instance, other, 'unknown');
    const resolved = await decide('resolve', other, '--yes', '--json');
    expect(resolved.code).toBe(0);
    expect(JSON.parse(resolved.stdout)).toMatchObject({ id: other, state: 'settled' });
    expect(stateOf(other)).toBe(undefined);
  });

  it('changes nothing unconfirmed, and warns that a repeat on its way can pay twice', async () => {
    const id = await win(world, instance);
    answer(world, instance, id, 'unknown');
    const { code, stderr } = await decide('resolve', id);
    expect(code).toBe(1);
    expect(stderr).toContain('the player has it twice');
    expect(stateOf(id)).toBe('unknown');
  });

  it('says with exit code 3 that a second administrator is needed', async () => {
    const id = await win(world, instance, { amount: '601' });
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true, limit: '600' } });
    const { code, stderr } = await decide('release', id, '--yes');
    expect(code).toBe(3);
    expect(stderr).toMatch(/second administrator/);
    expect(stateOf(id)).toBe('withheld');
  });

  it('shows the code of a refusal, and ends with 1', async () => {
    const id = await win(world, instance);
    expect(await decide('release', id, '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('invalid_transition'),
    });
    const wrong = await settlements(['list'], { POTSTREAM_ADMIN_PASSWORD: 'another password' });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('invalid_credentials') });
    const nobody = await settlements(['list'], { POTSTREAM_ADMIN_URL: 'http://127.0.0.1:1' });
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('gives no answer') });
  });

  it.each([
    [['list', '--state', 'paid']],
    [['list', '--limit', '501']],
    [['release', 'no-id', '--reason', 'x']],
    [['release', '00000000-0000-5000-8000-000000000000']],
  ])('refuses %j as wrong usage', async (args) => {
    expect((await settlements(args)).code).toBe(2);
  });

  it('takes no password on the command line', async () => {
    expect((await settlements(['list', '--password', 'a long password'])).code).toBe(2);
    const { code, stderr } = await settlements(['list'], { POTSTREAM_ADMIN_PASSWORD: '' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('password is missing')]);
  });
});
