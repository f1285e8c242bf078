import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeHashing } from '../../src/cli/verify/node-hashing.ts';
import { epochDocumentName } from '../../src/contracts/epoch-documents.ts';
import { Followed } from '../../src/verifier/followed.ts';
import { verifyEpoch } from '../../src/verifier/verify.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { ActorWorld } from './actor-world.ts';

const epochSequences = 100;
const engine = { epochMs: 86_400_000, epochSequences };
/** Odds of 1 in 20 a contribution, so that an epoch has wins. */
const often = threePots({}, { pot_types: [{ HitRate: { max_magic_number: 20, cost_per_attempt: '0.1' } }] });

let world: ActorWorld;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

async function contribute(batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const commands = Array.from({ length: 10 }, (_, index) =>
      contribution({ contributionId: randomBytes(16), player: `p${index}` }),
    );
    await world.reply(await world.send(commands));
  }
}

/** A published epoch as its file says it. */
async function published(epoch: number): Promise<{ readonly seed: string }> {
  const archive = await world.log.archive('EPOCHS');
  let bytes: Uint8Array | null = null;
  await world.until(async () => {
    bytes = await archive.get(epochDocumentName('jackpot', epoch));
    return bytes !== null;
  }, `epoch ${epoch} is published`);
  return JSON.parse(Buffer.from(bytes!).toString('utf8'));
}

it('reveals ended epochs and publishes what verifies every draw', async () => {
  const host = await world.startHost('one', { engine, snapshotEveryMessages: 7 });
  await world.owned(host);
  await world.activeInstance('jackpot', often);
  await contribute(25);
  const followed = new Followed();
  for (const epoch of [0, 1]) {
    const report = verifyEpoch(await published(epoch), nodeHashing, { followed });
    expect(report.failure).toBeNull();
    expect(report.counts.draws).toBeGreaterThanOrEqual(3 * epochSequences);
    expect(report.counts.wins).toBeGreaterThan(0);
    expect(report.checks.find(({ id }) => id === 'closing')).toMatchObject({ state: 'verified' });
  }
  const answer = await world.query({ kind: 'epochs', instance: 'jackpot' });
  if (answer.kind !== 'epochs') throw new Error(answer.kind);
  const states = answer.epochs.map(({ epoch, state }) => `${epoch} ${state}`);
  expect(states).toEqual(['0 revealed', '1 revealed', '2 running', '3 committed', '4 committed']);
  expect(answer.epochs.every(({ seed, state }) => (seed !== null) === (state === 'revealed'))).toBe(true);
});

it('publishes after a restart what a killed owner left out', async () => {
  const first = await world.startHost('first', { engine });
  await world.owned(first);
  await world.activeInstance('jackpot', often);
  await contribute(12);
  const before = await published(0);
  await first.abort();
  const archive = await world.log.archive('EPOCHS');
  await archive.remove(epochDocumentName('jackpot', 0));
  const second = await world.startHost('second', { engine });
  await world.owned(second);
  const after = await published(0);
  expect(verifyEpoch(after, nodeHashing)).toEqual(verifyEpoch(before, nodeHashing));
  expect(after.seed).toBe(before.seed);
});
