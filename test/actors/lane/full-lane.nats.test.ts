import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ActorHost } from '../../../src/actors/lane/actor-host.ts';
import { throughOutages } from '../../../src/actors/ports/outages.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { PublicError } from '../../../src/gateway/base/errors.ts';
import type { LaneAnswer } from '../../../src/gateway/lanes/lane-client.ts';
import { LaneGateway } from '../../../src/gateway/lanes/lane-gateway.ts';
import { heartbeatSubject, querySubject, replySubject } from '../../../src/log/base/names.ts';
import { decodeCommandBatch, decodeHeartbeat } from '../../../src/messages/codec/codec.ts';
import { systemClock, systemRandom } from '../../../src/wiring.ts';
import { contribution, setStatus } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld, hex, lane } from '../actor-world.ts';

const mebibyte = 1024 * 1024;
const callers = 48;
const players = 400;
const settings = { reserveRatio: 0.4, engine: { epochMs: 1_500, epochSequences: 2 ** 20 } };

/** Every contribution wins, and shares its prize among all players: records of tens of kilobytes. */
const largeWins = threePots(
  {},
  {
    pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }],
    payout_ruleset: {
      main_winner_percentage: '0.5',
      payout_rules: [
        {
          payout_percentage: '0.4',
          rule: { ActivePlayers: { period_before_win: 86_400_000, max_number_of_payouts: players } },
        },
      ],
    },
  },
);

let world: ActorWorld;
let gateways: LaneGateway[];
let acknowledged: Map<string, LaneAnswer>;

beforeEach(async () => {
  world = await ActorWorld.open();
  acknowledged = new Map();
  gateways = ['first', 'second'].map(
    (gateway) =>
      new LaneGateway({
        log: world.log,
        bus: world.bus,
        clock: systemClock,
        random: systemRandom,
        defer: setImmediate,
        report: (error) => void world.alarms.push(`bug: ${String(error)}`),
        subjects: { reply: replySubject, query: querySubject, heartbeat: heartbeatSubject },
        lanes: 1,
        gateway,
      }),
  );
});
afterEach(async () => {
  for (const gateway of gateways) gateway.stop();
  await world.close();
});

/** Sends contribution after contribution until the lane has no room; each key is repeated until that is known of it. */
async function fillAsCaller(caller: number): Promise<void> {
  for (let round = 0; ; round += 1) {
    const key = randomBytes(16);
    const command = contribution({
      contributionId: randomBytes(16),
      player: `player-${(caller * 31 + round) % players}`,
      idempotencyKey: key,
      eventMetadata: 'm'.repeat(8_000),
    });
    try {
      acknowledged.set(hex(key), await gateways[caller % gateways.length]!.send(lane, command));
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      if (error.code === 'storage_unavailable') return;
    }
  }
}

/** Everything that holds once the lane has come to rest: nothing acknowledged is lost, nothing doubled, Σ = 0. */
async function expectNothingIsLost(): Promise<void> {
  const last = await world.outcomesStored();
  const ports = world.ports(world.log, world.bus, settings.engine);
  const replica = new Replica(lane, ports.engines.create(), ports.hashing, firstLaneHead);
  const applied = new Map<string, string>();
  for (let sequence = 1; sequence <= last; sequence += 1) {
    const stored = await read(() => world.log.readCommand(lane, sequence));
    const { record, outcome } = replica.apply(stored);
    const recorded = await read(() => world.log.readOutcome(lane, sequence));
    expect(Buffer.compare(recorded.bytes, record)).toBe(0);
    decodeCommandBatch(stored.bytes).commands.forEach((command, index) => {
      if (command.kind !== 'Contribute' || outcome.outcomes[index]?.kind !== 'Contributed') return;
      const key = hex(command.idempotencyKey!);
      expect(applied.has(key)).toBe(false);
      applied.set(key, `${sequence} ${index}`);
    });
  }
  for (const [key, { sequence, index }] of acknowledged)
    expect(applied.get(key)).toBe(`${sequence} ${index}`);
  const accounts = replica.engine.accounts('jackpot')!;
  expect(accounts.reduce((sum, [, atoms]) => sum + atoms, 0n)).toBe(0n);
}

/** Through a machine that is too busy to answer in time. */
async function read<T>(attempt: () => Promise<T | null>): Promise<T> {
  return (await throughOutages(systemClock, () => false, attempt)) as T;
}

async function fillOf(stream: string): Promise<{ bytes: number; maxBytes: number }> {
  return (await world.log.fill(lane)).find((fill) => fill.stream === stream)!;
}

/** The newest revealed epoch, of those that the lane keeps; −1: none. */
async function revealed(): Promise<number> {
  let newest = -1;
  for (let after = -1, more = true; more; ) {
    const answer = await world.query({ kind: 'epochs', instance: 'jackpot', after });
    if (answer.kind !== 'epochs') throw new Error(answer.kind);
    for (const { epoch, state } of answer.epochs) {
      after = epoch;
      if (state === 'revealed') newest = Math.max(newest, epoch);
    }
    more = answer.more;
  }
  return newest;
}

const alarmsOf = (code: string) => world.alarms.filter((alarm) => alarm.startsWith(`${code}:`));

async function acceptsAgain(): Promise<boolean> {
  try {
    const command = contribution({ contributionId: randomBytes(16), idempotencyKey: randomBytes(16) });
    return (await gateways[0]!.send(lane, command)).outcome.kind === 'Contributed';
  } catch (error) {
    if (error instanceof PublicError) return false;
    throw error;
  }
}

async function activeInstance(configuration = largeWins): Promise<ActorHost> {
  const host = await world.startHost('one', settings);
  await world.owned(host);
  await world.activeInstance('jackpot', configuration);
  return host;
}

it.each([
  { first: 'OUT_0', commands: 64, outcomes: 10, configuration: largeWins },
  { first: 'CMD_0', commands: 5, outcomes: 64, configuration: threePots() },
])('refuses contributions before $first is full, and everything else goes on', async (limits) => {
  await activeInstance(limits.configuration);
  await world.limit({ CMD_0: limits.commands * mebibyte, OUT_0: limits.outcomes * mebibyte });
  const restarted = await world.startHost('two', settings);
  await world.owned(restarted);

  await Promise.all(Array.from({ length: callers }, (_, caller) => fillAsCaller(caller)));
  expect(acknowledged.size).toBeGreaterThan(callers);
  expect(alarmsOf('lane_full')).toEqual([expect.stringContaining(limits.first)]);
  expect(alarmsOf('stream_full')).toEqual([]);
  // Answers come before their records are stored.
  await world.outcomesStored();
  const { bytes, maxBytes } = await fillOf(limits.first);
  expect(bytes).toBeGreaterThan(maxBytes * (1 - settings.reserveRatio) * 0.9);
  expect(bytes).toBeLessThan(maxBytes);
  expect(restarted.statuses()).toMatchObject([{ stopped: null, full: limits.first }]);
  // An owner may refuse a little early; for the next one, which counts anew, the stream is full without doubt.
  await world.limit({ [limits.first]: Math.floor((0.98 * bytes) / (1 - settings.reserveRatio)) });

  // Ownership, timers and reveals go through.
  const before = await revealed();
  const conditions: string[] = [];
  world.bus.subscribe(heartbeatSubject(lane), ({ bytes }) => {
    const { host, condition } = decodeHeartbeat(bytes);
    if (host === 'three') conditions.push(condition);
  });
  const third = await world.startHost('three', settings);
  await world.owned(third);
  // Not even its first word lets one more in.
  await world.until(() => conditions.length >= 3, 'the new owner is heard');
  expect(new Set(conditions)).toEqual(new Set(['full']));
  await world.until(async () => (await revealed()) > before, 'another epoch is revealed');
  const answer = await gateways[1]!.send(lane, setStatus('Paused'));
  expect(answer.outcome.kind).toBe('Done');
  await expect(gateways[1]!.query(lane, { kind: 'accounts', instance: 'jackpot' })).resolves.toBeDefined();
  await expect(acceptsAgain()).resolves.toBe(false);

  await world.limit({ CMD_0: 128 * mebibyte, OUT_0: 128 * mebibyte });
  await world.until(() => third.statuses()[0]!.full === '', 'the lane has room');
  expect((await gateways[1]!.send(lane, setStatus('Active'))).outcome.kind).toBe('Done');
  await world.until(acceptsAgain, 'contributions are taken again');
  await expectNothingIsLost();
});

it.each(['OUT_0', 'CMD_0'])(
  'holds while %s takes nothing at all, and goes on without a restart',
  async (stream) => {
    const host = await activeInstance();
    const { bytes } = await fillOf(stream);
    await world.limit({ [stream]: bytes });
    // Where nobody looked yet callers are still taken: what is stored is journalled later.
    await Promise.all(Array.from({ length: callers }, (_, caller) => fillAsCaller(caller)));
    await world.until(() => alarmsOf('stream_full').length > 0, 'the full stream raises its alarm');
    expect(alarmsOf('stream_full')).toEqual([expect.stringContaining(stream)]);
    expect(host.statuses()).toMatchObject([{ stopped: null, full: stream, ownership: 'owning' }]);
    await world.limit({ [stream]: 64 * mebibyte });
    await world.until(acceptsAgain, 'contributions are taken again');
    // One may be taken before the host has looked.
    await world.until(() => host.statuses()[0]!.full === '', 'the lane has room');
    expect(host.statuses()).toMatchObject([{ stopped: null, full: '' }]);
    await expectNothingIsLost();
  },
);

it('a host that starts at a full command log owns its lane once there is room', async () => {
  const first = await activeInstance();
  await first.stop();
  await world.limit({ CMD_0: (await fillOf('CMD_0')).bytes });
  const second = await world.startHost('two', settings);
  await world.until(() => alarmsOf('stream_full').length > 0, 'the full stream raises its alarm');
  expect(second.statuses()).toMatchObject([{ stopped: null, full: 'CMD_0', ownership: 'following' }]);
  await world.limit({ CMD_0: 64 * mebibyte });
  await world.owned(second);
  await world.until(acceptsAgain, 'contributions are taken again');
});

it('object stores that are full cost their lane nothing, and are written once they have room', async () => {
  const host = await world.startHost('one', { ...settings, snapshotEveryMessages: 5, uploadEveryMs: 0 });
  await world.owned(host);
  await world.activeInstance('jackpot', threePots());
  await Promise.all(['SNAPSHOTS', 'EPOCHS'].map((name) => world.log.archive(name as 'SNAPSHOTS')));
  await world.limit({ OBJ_SNAPSHOTS: 1_024, OBJ_EPOCHS: 1_024 });
  const send = async (): Promise<void> => void (await acceptsAgain());
  for (const code of ['snapshot_upload_failed', 'epoch_not_published']) {
    await world.until(async () => {
      await send();
      return alarmsOf(code).length > 0;
    }, code);
  }
  expect(host.statuses()).toMatchObject([{ stopped: null, full: '', ownership: 'owning' }]);
  await world.until(acceptsAgain, 'contributions are taken');
  await world.limit({ OBJ_SNAPSHOTS: 64 * mebibyte, OBJ_EPOCHS: 64 * mebibyte });
  for (const name of ['SNAPSHOTS', 'EPOCHS'] as const) {
    await world.until(async () => {
      await send();
      return (await (await world.log.archive(name)).list()).length > 0;
    }, name);
  }
  await expectNothingIsLost();
});
