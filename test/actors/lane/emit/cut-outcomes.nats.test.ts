import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { outcomeStream } from '../../../../src/log/base/names.ts';
import { decodeOutcomeRecord } from '../../../../src/messages/codec/codec.ts';
import { contribution } from '../../../jackpot/support/commands.ts';
import { cutNewest } from '../../../support/damage.ts';
import { ActorWorld, hex, lane } from '../../actor-world.ts';

/** Parts of OUT that are left, one power cut after the other. */
const parts = [0.97, 0.5, 0, 0.8];
const batchesBetween = 40;
const contributionsPerBatch = 20;

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

it('OUT that lost its end in a power cut gets the same records again, whatever snapshots and followers have seen of them', async () => {
  let host = await world.startHost('host', { snapshotEveryMessages: 10 });
  await world.owned(host);
  await world.activeInstance();
  const keys: {
    readonly key: Uint8Array;
    readonly place: { readonly sequence: number; readonly index: number };
  }[] = [];
  const seen = new Map<number, string>();
  for (const part of parts) {
    for (let batch = 0; batch < batchesBetween; batch += 1) {
      const key = randomBytes(16);
      const commands = Array.from({ length: contributionsPerBatch }, (_, index) =>
        contribution({
          contributionId: randomBytes(16),
          idempotencyKey: index === 0 ? key : randomBytes(16),
          player: `player-${index}`,
        }),
      );
      const { sequence } = await world.reply(await world.send(commands));
      keys.push({ key, place: { sequence, index: 0 } });
    }
    const last = await world.outcomesStored();
    for (const [sequence, bytes] of await outcomes(last)) seen.set(sequence, bytes);

    await host.abort();
    await world.killServer();
    await cutNewest(world.filesOf(outcomeStream(lane)), (size) => Math.floor(part * size));
    await world.restartServer();
    let [lastCommand, lastOutcome] = [0, 0];
    const reached = (): Promise<boolean> =>
      Promise.all([world.log.lastCommand(lane), world.log.lastOutcome(lane)]).then(
        (ends) => {
          [lastCommand, lastOutcome] = ends;
          return true;
        },
        () => false,
      );
    await world.until(reached, 'the log is reached');
    expect(lastCommand).toBe(last);
    expect(lastOutcome).toBeLessThan(last);

    host = await world.startHost('host', { snapshotEveryMessages: 10 });
    await world.owned(host);
    const stored = new Map(await outcomes(await world.outcomesStored()));
    for (const [sequence, bytes] of seen) expect(stored.get(sequence), `record ${sequence}`).toBe(bytes);
    expect(host.statuses()[0]?.ownership).toBe('owning');
  }
  for (const { key, place } of keys) {
    const again = [
      contribution({ contributionId: randomBytes(16), idempotencyKey: key, player: 'player-0' }),
    ];
    const { outcomes } = await world.reply(await world.send(again));
    expect(outcomes, hex(key)).toMatchObject([{ kind: 'Duplicate', ...place }]);
  }
  expect(world.alarms).toEqual([]);
});

/** Records up to a sequence, as text. */
async function outcomes(last: number): Promise<[number, string][]> {
  const records: [number, string][] = [];
  for (let next = 1; next <= last; ) {
    const batch = await world.log.readOutcomes(lane, next);
    for (const { sequence, bytes } of batch) {
      expect(decodeOutcomeRecord(bytes).sequence).toBe(sequence);
      records.push([sequence, hex(bytes)]);
    }
    next = (batch.at(-1)?.sequence ?? last) + 1;
  }
  return records;
}
