import { expect, it } from 'vitest';
import { hostIdOf } from '../../src/actors/placement/host-record.ts';
import { decodeHeartbeat } from '../../src/messages/codec/codec.ts';
import { LogError } from '../../src/ports.ts';
import { type HostVariant, SimHosts } from './sim-hosts.ts';
import { lane } from './sim-system.ts';
import { instances, prepare } from './win-often.ts';

const settleMs = 30_000;

/** Two hosts that hear no heartbeat of each other, while the log and the tables work: a broken path between two nats-servers. */
class Cut {
  isCut = false;
  readonly variant: HostVariant = {
    ports: (ports, { index }) => ({
      ...ports,
      bus: {
        ...ports.bus,
        subscribe: (subject, handler, options) =>
          ports.bus.subscribe(
            subject,
            (message) => {
              const isOther =
                subject.startsWith('heartbeat.') &&
                hostIdOf(decodeHeartbeat(message.bytes).host) !== `host-${index}`;
              if (!this.isCut || !isOther) handler(message);
            },
            options,
          ),
      },
    }),
  };
}

function claims(system: SimHosts): number {
  return system.server.lane(lane).commands.filter(({ channel }) => channel === 'own').length;
}

it('hosts that do not hear each other do not take the lane from each other in turns', async () => {
  const cut = new Cut();
  const system = new SimHosts(11, 2, { variants: [cut.variant] });
  const { world } = system;
  await prepare(system, instances);
  await world.until(() => system.owned && system.warm.length === 1, settleMs, 'an owner and a warm standby');
  await world.passes(2_000);
  const before = claims(system);
  cut.isCut = true;
  await world.passes(60_000);
  // The standby takes the lane once: an owner that nobody hears may be dead.
  expect(claims(system) - before).toBeLessThanOrEqual(1);
  expect(system.owned).toBe(true);
  cut.isCut = false;
  await world.passes(10_000);
  // The placed owner takes it back.
  expect(claims(system) - before).toBeLessThanOrEqual(2);
  await world.until(() => system.warm.length === 1, settleMs, 'a warm standby');
});

it('an owner that is killed before its first heartbeat is heard is replaced once its lease is over', async () => {
  const cut = new Cut();
  const system = new SimHosts(12, 2, { variants: [cut.variant] });
  const { world } = system;
  await prepare(system, instances);
  await world.until(() => system.owned && system.warm.length === 1, settleMs, 'an owner and a warm standby');
  await world.passes(2_000);
  const first = system.owner as number;
  cut.isCut = true;
  await world.until(() => system.owner === 1 - first, settleMs, 'the standby has claimed the lane');
  await world.passes(2_000);
  system.kill(1 - first);
  const killedMs = world.nowMs;
  await world.until(() => system.owner === first, settleMs, 'the first owner has it again');
  expect(world.nowMs - killedMs).toBeLessThan(4_000);
});

it('a standby that comes back from an outage hears the owner before it claims', async () => {
  let outage = false;
  const lost = (): Promise<never> => Promise.reject(new LogError('unavailable', 'no leader'));
  const cut = new Cut();
  // As behind a nats-server without its cluster: the connection is well, and nothing is answered.
  const behind: HostVariant = {
    log: (log, { index }) => ({
      ...log,
      lastOwn: (of) => (outage && index === standby ? lost() : log.lastOwn(of)),
      append: (of, channel, bytes, options) =>
        outage && index === standby ? lost() : log.append(of, channel, bytes, options),
    }),
  };
  let standby = -1;
  const system = new SimHosts(13, 2, { variants: [cut.variant, behind] });
  const { world } = system;
  await prepare(system, instances);
  await world.until(() => system.owned && system.warm.length === 1, settleMs, 'an owner and a warm standby');
  await world.passes(2_000);
  standby = system.warm[0] as number;
  const before = claims(system);
  outage = true;
  cut.isCut = true;
  await world.passes(8_000);
  // It has connected to another server, where the owner's heartbeats arrive, and where it is answered a moment before.
  cut.isCut = false;
  system.node(standby)?.cut('both');
  system.node(standby)?.reconnect();
  outage = false;
  await world.passes(10_000);
  expect(claims(system)).toBe(before);
});
