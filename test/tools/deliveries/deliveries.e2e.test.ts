import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { potstream } from '../../cli/support/command.ts';
import { furnish, startWorld, type World } from '../../gateway/support/administration.ts';
import { atoms } from '../../jackpot/support/commands.ts';

/** The real command over HTTP, at a gateway over real stores of deliveries. */

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  // `admin-1` of the world.
  await world.token();
});
afterEach(() => world.stop());

const idOf = (index: number) => `00000000-0000-5000-8000-${String(index).padStart(12, '0')}`;
const flush = (flushId: string) => ({
  flushId,
  instance: 'flushed',
  endpoint: 'https://bank.example.com/in',
  accountId: 'a-1',
  amountAtoms: atoms('7.5'),
  currency: 'EUR',
  openedMs: Date.now(),
});
const deliveries = (...args: string[]) =>
  potstream(['deliveries', ...args], {
    POTSTREAM_ADMIN_URL: `http://127.0.0.1:${world.port}`,
    POTSTREAM_ADMIN_USERNAME: 'admin-1',
    POTSTREAM_ADMIN_PASSWORD: 'a long password',
  });

describe('potstream deliveries', () => {
  it('lists what is not delivered, as a table and as JSON', async () => {
    await world.deliveries.add(0, idOf(1), 'acme:main');
    await world.deliveries.add(1, idOf(2), 'acme', flush(idOf(2)));
    const table = await deliveries('list');
    expect(table.code).toBe(0);
    const callback = `${idOf(1)} +dead +callback +acme:main +https://hooks.example.com +1 +9 +\\d+ (?:s|min) +no_answer`;
    expect(table.stdout).toMatch(new RegExp(callback));
    const json = await deliveries('list', '--kind', 'flush', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject([{ id: idOf(2), amount: 7.5 }]);
  });

  it('sends one again, or a time range', async () => {
    await world.deliveries.add(0, idOf(1), 'acme:main');
    expect(await deliveries('replay', idOf(1))).toMatchObject({
      code: 0,
      stderr: `${idOf(1)} is sent again.\n`,
    });
    expect((await world.call('GET', '/config/deliveries')).json).toMatchObject([{ state: 'pending' }]);
    const range = ['--from', '2026-11-22T08:00:00Z', '--to', '1795336800000'];
    expect((await deliveries('replay-range', ...range)).code).toBe(1);
    expect((await deliveries('replay-range', ...range, '--yes')).code).toBe(0);
    const replays = await deliveries('replays');
    expect(replays.stdout).toMatch(/2026-11-22T08:00:00\.000Z +2026-11-22T08:40:00\.000Z/);
  });

  it('resolves one that was given up, once it is confirmed', async () => {
    await world.deliveries.add(1, idOf(2), 'acme', flush(idOf(2)));
    const asked = ['resolve', idOf(2), '--result', 'failed', '--reason', 'They do not have it.'];
    const unconfirmed = await deliveries(...asked);
    expect([unconfirmed.code, unconfirmed.stderr]).toEqual([
      1,
      expect.stringContaining('Nothing was changed'),
    ]);
    expect(await deliveries(...asked, '--yes')).toMatchObject({ code: 0 });
    expect((await deliveries(...asked, '--yes')).code).toBe(1);
  });

  it('waits for a second administrator where the four-eyes rule says so', async () => {
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true, limit: '7' } });
    await world.deliveries.add(1, idOf(2), 'acme', flush(idOf(2)));
    const asked = ['resolve', idOf(2), '--result', 'confirmed', '--reason', 'They have it.', '--yes'];
    expect((await deliveries(...asked)).code).toBe(3);
    expect((await deliveries('replay', idOf(2))).code).toBe(3);
    const range = ['--from', '0', '--to', String(Date.now() + 60_000), '--yes'];
    expect((await deliveries('replay-range', ...range)).code).toBe(3);
  });

  it('names what is wrong with its arguments', async () => {
    for (const args of [
      ['replay', 'no-id'],
      ['list', '--limit', '501'],
      ['replay-range', '--from', 'yesterday', '--to', '1'],
      ['resolve', idOf(1), '--reason', 'x'],
    ])
      expect((await deliveries(...args)).code, args.join(' ')).toBe(2);
  });
});
