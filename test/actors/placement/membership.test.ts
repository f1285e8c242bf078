import { expect, test } from 'vitest';
import { Membership } from '../../../src/actors/placement/membership.ts';
import { crash } from '../../../src/lib/crash.ts';
import { type SimNode, SimServer } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';

const pollMs = 50;
const patienceMs = 120_000;

/** Hosts that announce themselves on a simulated server. */
class Hosts {
  readonly world = new SimWorld(1);
  readonly server = new SimServer(this.world, 1);
  readonly replaced: string[] = [];
  #lives = 0;

  async start(
    hostId: string,
    keys = (): readonly string[] => ['key'],
  ): Promise<{ readonly node: SimNode; readonly membership: Membership }> {
    this.#lives += 1;
    const life = `life-${this.#lives}`;
    const node = this.server.connect(life);
    const { clock } = node;
    const membership = new Membership({
      table: await node.log.table('HOSTS'),
      clock,
      hostId,
      life,
      pollMs,
      engine: { oldest: 1, newest: 1 },
      keys,
      lanes: () => [],
      replaced: () => void this.replaced.push(life),
      report: (message) => crash(new Error(message)),
    });
    let isStarted = false;
    void membership.start().then(() => {
      isStarted = true;
    });
    await this.world.until(() => isStarted, patienceMs, 'the start');
    const poll = (): void => {
      membership.polled();
      clock.after(pollMs, poll);
    };
    poll();
    return { node, membership };
  }
}

test('a host that is killed is gone after three seconds, and in hold-down when it is back', async () => {
  const hosts = new Hosts();
  const a = await hosts.start('a');
  const b = await hosts.start('b');
  await hosts.world.passes(10_000);
  expect([...a.membership.peers.keys()]).toEqual(['b']);
  expect(b.membership.isSettled).toBe(true);
  b.node.kill();
  await hosts.world.passes(1_900);
  expect(a.membership.peers.size).toBe(1);
  await hosts.world.passes(1_400);
  expect(a.membership.peers.size).toBe(0);
  const again = await hosts.start('b');
  expect(again.membership.isSettled).toBe(false);
  await hosts.world.passes(1_000);
  expect(a.membership.peers.get('b')).toMatchObject({ isSettled: false, failures: 1 });
  await hosts.world.passes(11_000);
  expect(a.membership.peers.get('b')).toMatchObject({ isSettled: true });
});

test('a new draw key is used once every host has it, those that may come back included', async () => {
  const hosts = new Hosts();
  let keysOfB = ['old'];
  const a = await hosts.start('a', () => ['old', 'new']);
  const b = await hosts.start('b', () => keysOfB);
  const c = await hosts.start('c', () => ['old']);
  await hosts.world.passes(2_000);
  expect(['old', 'new'].map((key) => a.membership.othersHaveKey(key))).toEqual([true, false]);
  keysOfB = ['old', 'new'];
  c.node.kill();
  await hosts.world.passes(60_000);
  expect(a.membership.peers.size).toBe(1);
  expect(a.membership.othersHaveKey('new')).toBe(false);
  await hosts.world.passes(600_000);
  expect(a.membership.othersHaveKey('new')).toBe(true);
  expect(b.membership.othersHaveKey('new')).toBe(true);
});

test('a host that was paused sees nobody dead, and is in hold-down for the others', async () => {
  const hosts = new Hosts();
  const a = await hosts.start('a');
  const b = await hosts.start('b');
  await hosts.world.passes(2_000);
  a.node.pause();
  await hosts.world.passes(30_000);
  expect(b.membership.peers.size).toBe(0);
  a.node.resume();
  expect(a.membership.peers.size).toBe(1);
  await hosts.world.passes(1_500);
  expect(a.membership.peers.size).toBe(1);
  expect(b.membership.peers.get('a')).toMatchObject({ isSettled: false });
});

test('of two processes with one id the newer one is the host, and the other claims nothing more', async () => {
  const hosts = new Hosts();
  const first = await hosts.start('same');
  await hosts.world.passes(1_000);
  const second = await hosts.start('same');
  await hosts.world.passes(5_000);
  expect(hosts.replaced).toEqual(['life-1']);
  expect([first.membership.isReplaced, second.membership.isReplaced]).toEqual([true, false]);
});

test.each(['stops', 'is killed'])(
  'the older of two processes with one id is the host again when the newer one %s',
  async (how) => {
    const hosts = new Hosts();
    const first = await hosts.start('same');
    const other = await hosts.start('other');
    await hosts.world.passes(1_000);
    const second = await hosts.start('same');
    await hosts.world.passes(5_000);
    expect(first.membership.isReplaced).toBe(true);
    if (how === 'stops') void second.membership.stop();
    else second.node.kill();
    await hosts.world.passes(10_000);
    expect(first.membership.isReplaced).toBe(false);
    expect(other.membership.peers.get('same')).toMatchObject({ life: 'life-1' });
    await hosts.start('same');
    await hosts.world.passes(5_000);
    expect(hosts.replaced).toEqual(['life-1', 'life-1']);
  },
);

test('an outage does not make the older of two processes the host again', async () => {
  const hosts = new Hosts();
  const first = await hosts.start('same');
  await hosts.world.passes(1_000);
  const second = await hosts.start('same');
  await hosts.world.passes(5_000);
  hosts.server.up = false;
  await hosts.world.passes(20_000);
  hosts.server.up = true;
  await hosts.world.passes(10_000);
  expect([first.membership.isReplaced, second.membership.isReplaced]).toEqual([true, false]);
});

test('a host that leaves is no failure, and an outage of the table ends nothing', async () => {
  const hosts = new Hosts();
  const a = await hosts.start('a');
  const b = await hosts.start('b');
  void b.membership.leave();
  await hosts.world.passes(500);
  expect(a.membership.peers.get('b')).toMatchObject({ isLeaving: true });
  void b.membership.stop();
  await hosts.world.passes(500);
  expect(a.membership.peers.size).toBe(0);
  expect((await hosts.start('b')).membership.isSettled).toBe(true);
  hosts.server.up = false;
  await hosts.world.passes(20_000);
  hosts.server.up = true;
  await hosts.world.passes(2_000);
  expect([...a.membership.peers.keys()]).toEqual(['b']);
});
