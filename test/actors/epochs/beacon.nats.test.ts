import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { epochDocumentName } from '../../../src/contracts/jackpots/epochs.ts';
import { nodeHashing } from '../../../tools/verify/node-hashing.ts';
import { Followed } from '../../../verifier/src/followed.ts';
import { verifyEpoch } from '../../../verifier/src/verify.ts';
import { contribution, createInstance, handIn, setBrand, setStatus } from '../../jackpot/support/commands.ts';
import { threePots } from '../../jackpot/support/configurations.ts';
import { ActorWorld } from '../actor-world.ts';

const engine = { epochMs: 86_400_000, epochSequences: 40 };
const hits = { pot_types: [{ HitRate: { max_magic_number: 8, cost_per_attempt: '0.1' } }] };
const wanting = { ...threePots({}, hits), draw_beacon: 'Required' };

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

async function epochs() {
  const answer = await world.query({ kind: 'epochs', instance: 'jackpot', after: -1 });
  if (answer.kind !== 'epochs') throw new Error(answer.kind);
  return answer.epochs;
}

async function apply(...commands: Parameters<ActorWorld['send']>[0]) {
  return await world.reply(await world.send(commands));
}

async function contribute(count: number): Promise<void> {
  for (let batch = 0; batch < count / 10; batch += 1)
    await apply(
      ...Array.from({ length: 10 }, (_, index) =>
        contribution({ contributionId: randomBytes(16), player: `p${index}` }),
      ),
    );
}

async function published(epoch: number): Promise<{ readonly header: { readonly beacon: string } }> {
  const archive = await world.log.archive('EPOCHS');
  let bytes: Uint8Array | null = null;
  await world.until(async () => {
    bytes = await archive.get(epochDocumentName('jackpot', epoch));
    return bytes !== null;
  }, `epoch ${epoch} is published`);
  return JSON.parse(Buffer.from(bytes!).toString('utf8'));
}

it('holds an epoch until its beacon is in the log, also over a killed owner, and publishes what verifies', async () => {
  const first = await world.startHost('first', { engine });
  await world.owned(first);
  await apply(setBrand(), createInstance(wanting));
  await world.until(async () => (await epochs()).length === 3, 'three epochs are committed');
  const [beacon0, beacon1] = [randomBytes(32), randomBytes(32)];
  await apply(handIn('jackpot', 0, beacon0));
  await apply(setStatus('Active'));
  await contribute(60);
  expect((await epochs())[0]).toMatchObject({ state: 'running', lastSequence: 60 });
  await first.abort();
  const second = await world.startHost('second', { engine });
  await world.owned(second);
  await apply(handIn('jackpot', 1, beacon1));
  await contribute(60);
  await world.until(async () => (await epochs())[1]?.state === 'running', 'the second epoch runs');
  await apply(handIn('jackpot', 2, randomBytes(32)));
  const followed = new Followed();
  for (const [epoch, beacon] of [beacon0, beacon1].entries()) {
    const document = await published(epoch);
    expect(document.header.beacon).toBe(beacon.toString('hex'));
    const report = verifyEpoch(document, nodeHashing, { followed });
    expect(report.failure).toBeNull();
    expect(report.counts.draws).toBeGreaterThan(100);
  }
});
