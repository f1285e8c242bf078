import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { epochDocumentName } from '../../src/contracts/epoch-documents.ts';
import { contribution } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { type PublicEpoch, verifyEpoch } from '../jackpot/support/verify-epoch.ts';
import { ActorWorld, hex } from './actor-world.ts';

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

async function published(epoch: number): Promise<PublicEpoch & { readonly lastHead: string }> {
  const archive = await world.log.archive('EPOCHS');
  let bytes: Uint8Array | null = null;
  await world.until(async () => {
    bytes = await archive.get(epochDocumentName('jackpot', epoch));
    return bytes !== null;
  }, `epoch ${epoch} is published`);
  return readDocument(JSON.parse(Buffer.from(bytes!).toString('utf8')));
}

type Document = {
  readonly header: unknown;
  readonly seed: string;
  readonly groups: readonly Group[];
};
type Group = {
  readonly first_seq: number;
  readonly inputs: string;
  readonly records: readonly PublicRecord[];
  readonly details: readonly unknown[];
  readonly head: string;
};
type PublicRecord = {
  readonly seq: number;
  readonly c: string;
  readonly t: number;
  readonly input: number;
  readonly wager: string;
  readonly seed: readonly string[];
  readonly entries: readonly Record<
    'pot' | 'trigger' | 'v0' | 'v1' | 'num' | 'den' | 'u' | 'flags',
    number
  >[];
};

function readDocument(document: Document): PublicEpoch & { readonly lastHead: string } {
  return {
    header: JSON.stringify(document.header),
    seed: Buffer.from(document.seed, 'hex'),
    groups: document.groups.map((group) => ({
      firstSequence: group.first_seq,
      inputs: Buffer.from(group.inputs, 'hex'),
      bytes: Buffer.concat(group.records.map(recordBytes)),
      records: group.records.map((record) => ({
        wagerAtoms: BigInt(record.wager),
        seedAtoms: record.seed.map(BigInt),
      })),
      details: group.details,
    })),
    lastHead: document.groups.at(-1)!.head,
  };
}

/** The outcome bytes of domain.md 10, made again from what is public. */
function recordBytes(record: PublicRecord): Buffer {
  const head = Buffer.alloc(29);
  head.writeBigUInt64BE(BigInt(record.seq), 0);
  head.writeBigUInt64BE(BigInt(record.c), 8);
  head.writeBigUInt64BE(BigInt(record.t), 16);
  head.writeUInt32BE(record.input, 24);
  head.writeUInt8(record.entries.length, 28);
  const entries = record.entries.map((entry) => {
    const bytes = Buffer.alloc(43);
    bytes.writeUInt8(entry.pot, 0);
    bytes.writeUInt8(entry.trigger, 1);
    (['v0', 'v1', 'num', 'den', 'u'] as const).forEach((name, index) => {
      bytes.writeBigUInt64BE(BigInt(entry[name]), 2 + 8 * index);
    });
    bytes.writeUInt8(entry.flags, 42);
    return bytes;
  });
  return Buffer.concat([head, ...entries]);
}

it('reveals ended epochs and publishes what verifies every draw', async () => {
  const host = await world.startHost('one', { engine, snapshotEveryMessages: 7 });
  await world.owned(host);
  await world.activeInstance('jackpot', often);
  await contribute(25);
  for (const epoch of [0, 1]) {
    const document = await published(epoch);
    const verdict = verifyEpoch(document);
    expect(verdict.draws).toBeGreaterThanOrEqual(3 * epochSequences);
    expect(verdict.wins).toBeGreaterThan(0);
    expect(verdict.head).toBe(document.lastHead);
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
  expect(verifyEpoch(after).head).toBe(verifyEpoch(before).head);
  expect(hex(after.seed)).toBe(hex(before.seed));
});
