import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { auditLane, type LaneAuditReport } from '../../../src/actors/audit/audit-lane.ts';
import type { AuditPorts } from '../../../src/actors/audit/kept-snapshots.ts';
import { openSnapshotFiles } from '../../../src/actors/recovery/snapshots/files.ts';
import { LoopTurn } from '../../../src/lib/turns.ts';
import { outcomeStream } from '../../../src/log/base/names.ts';
import type { StoredOutcome } from '../../../src/ports.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { type ActorWorld, lane } from '../actor-world.ts';

/** Contributions in batches, each answered before the next. */
export async function play(world: ActorWorld, batches: number, instance = 'jackpot'): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const commands = Array.from({ length: 5 }, (_, index) =>
      contribution({
        target: { type: 'instance', id: instance },
        player: `player-${index}`,
        contributionId: randomBytes(16),
        idempotencyKey: randomBytes(16),
      }),
    );
    await world.reply(await world.send(commands));
  }
}

export function auditPorts(world: ActorWorld): AuditPorts {
  const { log, hashing, engines } = world.ports(world.log, world.bus);
  return {
    maxAgeMs: 35 * 86_400_000,
    log,
    hashing,
    engines,
    stores: [{ place: 'files', store: openSnapshotFiles(snapshotsOf(world)) }],
  };
}

export function snapshotsOf(world: ActorWorld): string {
  return join(world.dataDirectory, 'snapshots');
}

export function audit(world: ActorWorld, isOver = () => false): Promise<LaneAuditReport> {
  // Its turns are never over: time decides nothing.
  const turn = new LoopTurn(() => 0);
  return auditLane(lane, auditPorts(world), { turn, isOver, progress: () => {} }, Date.now());
}

/** What was found, in short. */
export function foundBy({ findings }: LaneAuditReport): string[] {
  return findings.map(({ code, from, to }) => (from === to ? `${code} ${from}` : `${code} ${from}-${to}`));
}

/** Stores OUT once more, with other bytes, as somebody with the rights of the server's administrator can. */
export async function forgeOutcomes(
  world: ActorWorld,
  forge: (record: StoredOutcome) => Uint8Array,
): Promise<void> {
  const { lastSequence } = (await world.log.extents(lane)).outcomes;
  const records: StoredOutcome[] = [];
  while (records.length < lastSequence)
    records.push(...(await world.log.readOutcomes(lane, records.length + 1)));
  const { POTSTREAM_NATS_URL: servers, ...login } = world.reachInEnvironment();
  const { POTSTREAM_NATS_USER: user, POTSTREAM_NATS_PASSWORD: pass } = login;
  const client = await connect({ servers: servers!, user: user!, pass: pass! });
  await (await jetstreamManager(client)).streams.delete(outcomeStream(lane));
  await client.close();
  await world.log.prepareLane(lane);
  const routing = { wallet: false, hooks: false, events: false };
  for (const record of records) await world.log.appendOutcome(lane, record.sequence, routing, forge(record));
}
